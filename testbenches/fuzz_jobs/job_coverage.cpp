// testbenches/fuzz_jobs/job_coverage.cpp: see job_coverage.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/fuzz_jobs/job_coverage.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace flitwave::fuzz_jobs {

namespace {

constexpr std::int64_t most_tries = 6;  // for a pair of which no job was accepted

}  // namespace

JobCoverage::JobCoverage(const JobKinds& kinds) : items_(kinds.items()) {
  for (std::size_t a = 0; a < items_.size(); ++a) {
    places_[items_[a]] = static_cast<int>(a);
    for (std::size_t b = a; b < items_.size(); ++b)
      if (a == b || kinds.may_meet(items_[a], items_[b]))
        counts_[{static_cast<int>(a), static_cast<int>(b)}];
  }
}

int JobCoverage::place(const Item& item) const { return places_.at(item); }

JobCoverage::Pair JobCoverage::pair_of(const Item& a, const Item& b) const {
  return std::minmax({place(a), place(b)});
}

void JobCoverage::add(const std::vector<Item>& items) {
  std::vector<int> places;
  places.reserve(items.size());
  for (const Item& item : items) places.push_back(place(item));
  std::sort(places.begin(), places.end());
  for (std::size_t a = 0; a < places.size(); ++a)
    for (std::size_t b = a; b < places.size(); ++b) {
      const auto found = counts_.find({places[a], places[b]});
      if (found != counts_.end()) ++found->second.accepted;
    }
}

void JobCoverage::add_refusal(const std::vector<Item>& pins, const std::string& message) {
  if (pins.empty()) return;
  counts_.at(pair_of(pins.front(), pins.back())).message = message;
}

std::vector<Item> JobCoverage::next_pins() {
  const std::pair<const Pair, Count>* least = nullptr;
  const auto weight = [](const auto& entry) {
    const Count& count = entry.second;
    const bool alone = entry.first.first == entry.first.second;
    return std::pair((alone ? 0 : 1), count.accepted + 2 * count.tried);
  };
  for (const auto& entry : counts_) {
    const Count& count = entry.second;
    if (count.accepted >= wanted || (count.accepted == 0 && count.tried >= most_tries)) continue;
    if (!least || weight(entry) < weight(*least)) least = &entry;
  }
  if (!least) return {};
  const Pair pair = least->first;
  ++counts_[pair].tried;
  std::vector<Item> pins{items_[static_cast<std::size_t>(pair.first)]};
  if (pair.first != pair.second) pins.push_back(items_[static_cast<std::size_t>(pair.second)]);
  return pins;
}

std::int64_t JobCoverage::count(const Item& item) const { return count(item, item); }

std::int64_t JobCoverage::count(const Item& a, const Item& b) const {
  const auto found = counts_.find(pair_of(a, b));
  return found == counts_.end() ? 0 : found->second.accepted;
}

JobCoverage::Pairs JobCoverage::pairs() const {
  Pairs pairs;
  for (const auto& [pair, count] : counts_) {
    if (pair.first == pair.second) continue;
    if (count.accepted >= wanted)
      ++pairs.legal;
    else if (count.accepted > 0)
      ++pairs.rare;
    else if (count.tried >= most_tries)
      ++pairs.illegal;
    else
      ++pairs.open;
  }
  return pairs;
}

bool JobCoverage::enough() const {
  const Pairs all = pairs();
  return all.rare == 0 && all.open == 0 &&
         std::all_of(items_.begin(), items_.end(),
                     [this](const Item& item) { return count(item) >= wanted; });
}

std::string JobCoverage::text_of(const Pair& pair) const {
  return items_[static_cast<std::size_t>(pair.first)].text() + " + " +
         items_[static_cast<std::size_t>(pair.second)].text();
}

std::string JobCoverage::table(bool all) const {
  std::string text;
  for (const Item& item : items_) text += fmt::format("{:<44}{:>8}\n", item.text(), count(item));
  for (const auto& [pair, count] : counts_) {
    if (!all || pair.first == pair.second || count.accepted >= wanted) continue;
    if (count.accepted == 0 && count.tried >= most_tries)
      text += fmt::format("illegal: {}: {}\n", text_of(pair), count.message);
    else
      text += fmt::format("{}: {}\n", text_of(pair), count.accepted);
  }
  const Pairs sums = pairs();
  return text +
         fmt::format("{} pairs with {} runs or more, {} with fewer, {} not yet found, {} illegal\n",
                     sums.legal, wanted, sums.rare, sums.open, sums.illegal);
}

}  // namespace flitwave::fuzz_jobs
