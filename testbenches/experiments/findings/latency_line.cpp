// testbenches/experiments/findings/latency_line.cpp: see latency_line.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/findings/latency_line.hpp"

#include <map>

namespace flitwave {

std::vector<std::string> names_of(LinePart) { return {"none", "startup", "per_byte", "tau"}; }

namespace {

std::map<double, std::vector<std::size_t>> by_length(const Findings& findings,
                                                     const std::vector<std::size_t>& points) {
  std::map<double, std::vector<std::size_t>> groups;
  for (std::size_t point : points)
    if (const auto length = magnitude_of(findings.setting(point, message_setting)))
      groups[length->value].push_back(point);
  return groups;
}

}  // namespace

std::size_t lengths_of(const Findings& findings, const std::vector<std::size_t>& points) {
  return by_length(findings, points).size();
}

std::optional<TauPoint> latency_line(const Findings& findings,
                                     const std::vector<std::size_t>& points,
                                     const std::string& metric, Average average) {
  std::vector<MeasuredTime> times;
  for (const auto& [length, same] : by_length(findings, points)) {
    const Averaged time = findings.average(same, metric, average);
    if (!time.value) return std::nullopt;
    times.push_back({length, *time.value});
  }
  if (times.size() < 2) return std::nullopt;
  return fit_line(times);
}

std::optional<double> part_of(const std::optional<TauPoint>& line, LinePart part) {
  if (!line) return std::nullopt;
  if (part == LinePart::startup) return line->startup;
  if (part == LinePart::per_byte) return line->per_byte;
  if (line->startup <= 0) return std::nullopt;
  return line->tau();
}

}  // namespace flitwave
