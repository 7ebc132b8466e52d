// testbenches/run/run_variants.cpp: see run_variants.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/run/run_variants.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace flitwave {

namespace {

std::string pair_text(const std::string& what, const std::string& found,
                      const std::string& expected) {
  return found == expected ? "" : what + ": " + found + " for " + expected;
}

std::string row_text(const Table& table, std::size_t row) {
  std::string text;
  if (row >= table.rows.size()) return "no row";
  for (const std::string& cell : table.rows[row]) text += cell + " ";
  return text;
}

std::string table_difference(const std::string& name, const Table& found, const Table& expected) {
  if (found.columns != expected.columns) return name + " has other columns";
  for (std::size_t row = 0; row < std::max(found.rows.size(), expected.rows.size()); ++row) {
    std::string text =
        pair_text(name + " " + std::to_string(row), row_text(found, row), row_text(expected, row));
    if (!text.empty()) return text;
  }
  return "";
}

std::string quoted(const std::vector<std::string>& sentences) {
  return fmt::format("\"{}\"", fmt::join(sentences, "\", \""));
}

}  // namespace

std::string difference(const Results& found, const Results& expected) {
  std::string text = pair_text("outcome", names_of(Outcome{})[index(found.outcome)],
                               names_of(Outcome{})[index(expected.outcome)]);
  if (text.empty()) text = pair_text("message", found.message, expected.message);
  if (text.empty())
    text = pair_text("cycles", std::to_string(found.cycles), std::to_string(expected.cycles));
  for (std::size_t i = 0; text.empty() && i < expected.metrics.size(); ++i) {
    const Metric& metric = expected.metrics[i];
    if (!found.has(metric.name)) return "no " + metric.name;
    text = pair_text(metric.name, number_text(found.value(metric.name)), number_text(metric.value));
  }
  if (text.empty() && found.metrics.size() != expected.metrics.size()) return "other metrics";
  if (text.empty() && found.tables.size() != expected.tables.size()) return "other tables";
  for (const auto& [name, table] : expected.tables)
    if (text.empty()) text = table_difference(name, found.table(name), table);
  if (text.empty()) text = pair_text("lines", quoted(found.lines), quoted(expected.lines));
  if (text.empty()) text = pair_text("notes", quoted(found.notes), quoted(expected.notes));
  if (text.empty())
    text = pair_text("fingerprint", found.fingerprint_text(), expected.fingerprint_text());
  return text;
}

std::vector<RunVariant> all_run_variants() {
  std::vector<RunVariant> all;
  for (const std::string& scheduling : names_of(Scheduling{}))
    for (const std::string& order : names_of(BuildOrder{})) all.push_back({scheduling, order});
  return all;
}

Scenario with_variant(const Scenario& job, const RunVariant& variant) {
  return job.with("clock.scheduling", variant.scheduling).with("build_order", variant.order);
}

std::string difference_between(const Scenario& job, const std::vector<RunVariant>& variants,
                               const Catalog& catalog) {
  const Results expected = simulate(job, catalog);
  for (const RunVariant& variant : variants) {
    const std::string text = difference(simulate(with_variant(job, variant), catalog), expected);
    if (!text.empty()) return variant.scheduling + ", " + variant.order + ": " + text;
  }
  return "";
}

}  // namespace flitwave
