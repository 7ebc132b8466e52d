// testbenches/fuzz_jobs/file_draw.cpp: the files of random jobs; see value_draw.hpp.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>

#include "testbenches/fuzz_jobs/value_draw.hpp"

namespace flitwave::fuzz_jobs {

/// The accesses of a TLM-2.0 initiator.
std::string ValueDraw::draw_accesses() {
  std::string lines;
  std::int64_t latest = 0;  // the cycle of the last access at a cycle
  for (std::int64_t left = 1 + below(20); left > 0; --left) {
    const bool stores = chance(50);
    const bool after = chance(50);
    const std::int64_t cycles = below(100);
    if (!after) latest += cycles;
    lines += (after ? "after " : "at ") + std::to_string(after ? cycles : latest) +
             (stores ? " store " : " load ") + std::to_string(below(64) * 4) + " " +
             std::to_string(1 + below(16)) + (stores ? " " + std::to_string(below(256)) : "") +
             "\n";
  }
  return lines;
}

ConfigNode ValueDraw::draw_file(const std::string& path, const std::string& text) {
  std::vector<std::string> columns;
  for (std::size_t at = 6;
       at < text.size() && std::isupper(static_cast<unsigned char>(text[at]));) {
    const std::size_t end = text.find_first_of(" ,;", at);
    columns.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(' ', end);
  }
  const int nodes = std::max(1, network_.nodes());
  const bool each_node = !columns.empty() && columns.front() == "SOURCE";
  const std::vector<int> targets = random_.sample(nodes, nodes);
  JobFile file = {path + ".txt", ""};
  if (text.find("`load ") != std::string::npos) file.text = draw_accesses();
  const std::int64_t lines = columns.empty() ? 0 : each_node ? nodes : 1 + below(40);
  for (std::int64_t line = 0; line < lines; ++line) {
    for (const std::string& column : columns) {
      std::int64_t value = below(8) + 1;
      if (column == "SOURCE") value = each_node ? line : below(nodes);
      if (column == "DESTINATION")
        value = each_node ? targets[static_cast<std::size_t>(line)] : below(nodes);
      if (column == "CYCLE") value = below(100);
      file.text += std::to_string(value) + " ";
    }
    file.text += "\n";
  }
  files_.erase(std::remove_if(files_.begin(), files_.end(),
                              [&](const JobFile& other) { return other.name == file.name; }),
               files_.end());
  files_.push_back(file);
  return ConfigNode::scalar(file.name);
}

}  // namespace flitwave::fuzz_jobs
