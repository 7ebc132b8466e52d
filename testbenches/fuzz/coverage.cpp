// testbenches/fuzz/coverage.cpp: see coverage.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/fuzz/coverage.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace flitwave::fuzz {

void Coverage::add(const Cell& cell, const Comparison& comparison) {
  constexpr double much = 0.1;
  ++counts_[cell.text()];
  ++cases_;
  blocked_ += comparison.blocked > much ? 1 : 0;
  packets_ += comparison.packets;
  transits_ += comparison.transits;
}

std::int64_t Coverage::least() const {
  std::int64_t least = cases_;
  for (const Cell& cell : cells()) {
    const auto found = counts_.find(cell.text());
    least = std::min(least, found == counts_.end() ? 0 : found->second);
  }
  return least;
}

double Coverage::blocked() const {
  return cases_ == 0 ? 0 : static_cast<double>(blocked_) / static_cast<double>(cases_);
}

std::string Coverage::table() const {
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> lines;
  for (const Cell& cell : cells()) {
    const std::string name =
        fmt::format("{:<22}{:<13}{:<11}", cell.switching, cell.handshake, cell.topology);
    auto line = std::find_if(lines.begin(), lines.end(),
                             [&name](const auto& entry) { return entry.first == name; });
    if (line == lines.end()) line = lines.insert(lines.end(), {name, {}});
    const auto place = static_cast<std::size_t>(cell.vcs) - 1;
    if (line->second.size() <= place) line->second.resize(place + 1, -1);
    const auto found = counts_.find(cell.text());
    line->second[place] = found == counts_.end() ? 0 : found->second;
  }
  std::size_t columns = 0;
  for (const auto& line : lines) columns = std::max(columns, line.second.size());
  std::string text = fmt::format("{:<22}{:<13}{:<11}", "switching", "handshake", "topology");
  for (std::size_t vcs = 1; vcs <= columns; ++vcs)
    text += fmt::format("{:>6}", fmt::format("{} vc", vcs));
  for (const auto& [name, counts] : lines) {
    text += "\n" + name;
    for (std::int64_t count : counts)
      text += count < 0 ? fmt::format("{:>6}", "-") : fmt::format("{:>6}", count);
  }
  return text + "\n";
}

std::string Coverage::summary() const {
  return fmt::format(
      "{} scenarios, {} packets and {} transits compared; every cell of {} at least {} times; in "
      "{:.1f} % of the scenarios over 10 % of the cycles were blocked",
      cases_, packets_, transits_, cells().size(), least(), 100 * blocked());
}

}  // namespace flitwave::fuzz
