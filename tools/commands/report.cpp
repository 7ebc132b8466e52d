// tools/commands/report.cpp: see report.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "tools/commands/report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace flitwave {

std::string outcome_text(Outcome outcome) {
  switch (outcome) {
    case Outcome::complete:
      return "complete";
    case Outcome::partial:
      return "interrupted, results are partial";
    case Outcome::limit:
      return "stopped at its limit";
    case Outcome::deadlock:
      return "deadlock";
    case Outcome::livelock:
      return "livelock";
    case Outcome::failed_expectation:
      return "complete, but not as expected";
    case Outcome::design_error:
      return "stopped by an error of the design";
    case Outcome::config_error:
    case Outcome::system_failure:
    case Outcome::model_error:
    case Outcome::crashed:
      break;
  }
  return "failed";
}

std::string short_number(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15) return fmt::format("{:.0f}", value);
  const double size = std::abs(value);
  if (size >= 100) return fmt::format("{:.1f}", value);
  if (size >= 1) return fmt::format("{:.2f}", value);
  return fmt::format("{:.4g}", value);
}

std::string metrics_text(const std::vector<Metric>& metrics) {
  std::size_t name_width = 0;
  std::size_t value_width = 0;
  for (const Metric& metric : metrics) {
    name_width = std::max(name_width, metric.name.size());
    value_width = std::max(value_width, short_number(metric.value).size());
  }
  const auto subject = [](const std::string& name) { return name.substr(0, name.find('.')); };
  std::string text;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const Metric& metric = metrics[i];
    const std::string before = i > 0 ? metrics[i - 1].name : metric.name;
    const bool both_alone = subject(before) == before && subject(metric.name) == metric.name;
    if (subject(metric.name) != subject(before) && !both_alone) text += "\n";
    std::string line = fmt::format("  {:{}}  {:>{}}", metric.name, name_width,
                                   short_number(metric.value), value_width);
    if (!metric.unit.empty()) line += " " + metric.unit;
    text += line + "\n";
  }
  return text;
}

std::string judgements_text(const std::vector<Judgement>& judgements) {
  std::size_t name_width = 0;
  std::size_t width = 0;
  for (const Judgement& judgement : judgements) {
    name_width = std::max(name_width, judgement.expectation.metric.size());
    width = std::max(width, judgement.expected_text().size());
  }
  std::string text;
  for (const Judgement& judgement : judgements) {
    // A fulfilled expectation is rounded for reading; a miss shows every digit.
    const std::string unit = judgement.unit.empty() ? "" : " " + judgement.unit;
    const std::string found =
        judgement.holds() ? short_number(*judgement.found) + unit : judgement.found_text();
    text += fmt::format("  {:{}}  expected {:{}}  found {}  {}\n", judgement.expectation.metric,
                        name_width, judgement.expected_text(), width, found,
                        judgement.holds() ? "holds" : "MISSED");
  }
  return text;
}

}  // namespace flitwave
