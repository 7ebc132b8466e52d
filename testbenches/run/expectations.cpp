// testbenches/run/expectations.cpp: see expectations.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/run/expectations.hpp"

namespace flitwave {

namespace {

Judgement judge(const Expectation& expectation, const Results& results) {
  Judgement judgement;
  judgement.expectation = expectation;
  std::vector<std::string> known;
  for (const Metric& metric : results.metrics) {
    known.push_back(metric.name);
    if (metric.name != expectation.metric) continue;
    judgement.found = metric.value;
    judgement.unit = metric.unit;
  }
  if (judgement.found) return judgement;
  const std::vector<std::string> of_parts = results.of_parts(expectation.metric);
  if (!of_parts.empty())
    judgement.remedy = "each part of the job has its own: " + detail::either(of_parts);
  else
    judgement.remedy = known.empty() ? "the run has no metrics; add an observer"
                                     : detail::known_names(expectation.metric, known);
  return judgement;
}

}  // namespace

bool Judgement::holds() const {
  return found && *found >= expectation.least && *found <= expectation.greatest;
}

std::string Judgement::expected_text() const {
  const std::string least = number_text(expectation.least);
  if (expectation.least == expectation.greatest) return least;
  return least + " .. " + number_text(expectation.greatest);
}

std::string Judgement::found_text() const {
  if (!found) return "no such metric";
  return number_text(*found) + (unit.empty() ? "" : " " + unit);
}

std::string Judgement::text() const {
  return ConfigError(expectation.place, "expect." + expectation.metric,
                     "expected " + expected_text() + ", found " + found_text(), remedy)
      .what();
}

std::vector<Judgement> judge(const std::vector<Expectation>& expectations, Results& results) {
  std::vector<Judgement> judgements;
  if (results.outcome != Outcome::complete && results.outcome != Outcome::limit) return judgements;
  // [judge]
  for (const Expectation& expectation : expectations) {
    judgements.push_back(judge(expectation, results));
    if (judgements.back().holds() || results.outcome == Outcome::limit) continue;
    results.message += (results.message.empty() ? "" : "\n") + judgements.back().text();
  }
  if (!results.message.empty() && results.outcome == Outcome::complete)
    results.outcome = Outcome::failed_expectation;
  // [judge]
  return judgements;
}

bool misses(const std::vector<Expectation>& expectations, Results results) {
  judge(expectations, results);
  return results.outcome == Outcome::failed_expectation;
}

}  // namespace flitwave
