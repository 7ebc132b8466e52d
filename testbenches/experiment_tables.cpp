// testbenches/experiment_tables.cpp: see experiment_tables.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/experiment_tables.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

namespace flitwave {

namespace {

std::string joined(const Paths& paths) { return fmt::format("{}", fmt::join(paths.names, ", ")); }

std::string label_of(const Findings& findings, std::size_t point, const Paths& paths) {
  std::string label;
  for (const std::string& path : paths.names) {
    const ConfigNode& value = findings.setting(point, path);
    label += (label.empty() ? "" : ", ") +
             (value.is_null() ? std::string("-") : Codec<ConfigNode>::print(value));
  }
  return label;
}

std::vector<std::string> labels(const std::vector<Group>& groups) {
  std::vector<std::string> found;
  for (const Group& group : groups) found.push_back(group.label);
  return found;
}

/// Some of `points` that are also in `others`; both ascending.
std::vector<std::size_t> common(const std::vector<std::size_t>& points,
                                const std::vector<std::size_t>& others) {
  std::vector<std::size_t> found;
  std::set_intersection(points.begin(), points.end(), others.begin(), others.end(),
                        std::back_inserter(found));
  return found;
}

std::string title_of(const TableParams& params, const Findings& findings, std::size_t most) {
  const std::string unit = findings.unit(params.value);
  std::string title = params.value + (unit.empty() ? "" : " (" + unit + ")");
  if (most > 1)
    title += fmt::format(", {} of {} points",
                         names_of(Average{})[static_cast<std::size_t>(params.average)], most);
  return title;
}

}  // namespace

Paths Codec<Paths>::read(const ConfigNode& node) {
  if (node.is_scalar()) return {{node.text()}};
  return {Codec<std::vector<std::string>>::read(node)};
}

std::string Codec<Paths>::print(const Paths& value) {
  if (value.names.size() == 1) return Codec<std::string>::print(value.names.front());
  return Codec<std::vector<std::string>>::print(value.names);
}

ValueType Codec<Paths>::type() {
  return {"setting, or list of settings", "operation.message",
          R"({"type":["string","array"],"items":{"type":"string"}})"};
}

Schema<TableParams> table_schema() {
  return Schema<TableParams>{}
      .required("rows", &TableParams::rows, "settings with a row for each value")
      .optional("columns", &TableParams::columns, "settings with a column for each value")
      .optional("split", &TableParams::split, "settings with a part of the table for each value")
      .required("value", &TableParams::value, "the metric in the cells, e.g. collective.max_us")
      .optional("average", &TableParams::average,
                "how the points that share a cell become one number")
      .optional("file", &TableParams::file,
                "name of the CSV file; table.csv, and table_2.csv for a second table");
}

std::vector<std::size_t> all_points(const Findings& findings) {
  std::vector<std::size_t> points(findings.points().size());
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = i;
  return points;
}

std::vector<Group> group(const Findings& findings, const std::vector<std::size_t>& points,
                         const Paths& paths) {
  std::vector<Group> groups;
  for (std::size_t point : points) {
    const std::string label = label_of(findings, point, paths);
    auto place = std::find_if(groups.begin(), groups.end(),
                              [&](const Group& group) { return group.label == label; });
    if (place == groups.end()) place = groups.insert(groups.end(), {label, {}});
    place->points.push_back(point);
  }
  return groups;
}

ExperimentTable make_table(const TableParams& params, const Findings& findings) {
  const std::vector<std::size_t> all = all_points(findings);
  const std::vector<Group> rows = group(findings, all, params.rows);
  const std::vector<Group> columns = group(findings, all, params.columns);
  ExperimentTable table;
  table.rows = joined(params.rows);
  table.split = joined(params.split);
  table.columns = params.columns.empty() ? std::vector<std::string>{params.value} : labels(columns);
  std::size_t most = 0;
  for (const Group& part : group(findings, all, params.split)) {
    ExperimentTable::Part& made = table.parts.emplace_back();
    made.label = part.label;
    for (const Group& row : rows) {
      const std::vector<std::size_t> in_row = common(part.points, row.points);
      if (in_row.empty()) continue;
      made.rows.push_back(row.label);
      made.cells.emplace_back();
      for (const Group& column : columns) {
        const std::vector<std::size_t> cell = common(in_row, column.points);
        most = std::max(most, cell.size());
        made.cells.back().push_back(findings.average(cell, params.value, params.average));
      }
    }
  }
  table.title = title_of(params, findings, most);
  return table;
}

std::string ExperimentTable::text() const {
  std::size_t first = rows.size();
  std::vector<std::size_t> widths;
  for (const std::string& column : columns)
    widths.push_back(std::max<std::size_t>(column.size(), 6));
  for (const Part& part : parts)
    for (std::size_t row = 0; row < part.rows.size(); ++row) {
      first = std::max(first, part.rows[row].size());
      for (std::size_t i = 0; i < columns.size(); ++i)
        if (const auto cell = part.cells[row][i])
          widths[i] = std::max(widths[i], four_digits(*cell).size());
    }
  std::string text = title + "\n";
  for (const Part& part : parts) {
    if (!split.empty()) text += split + " " + part.label + "\n";
    text += fmt::format("  {:{}}", rows, first);
    for (std::size_t i = 0; i < columns.size(); ++i)
      text += fmt::format("  {:>{}}", columns[i], widths[i]);
    text += "\n";
    for (std::size_t row = 0; row < part.rows.size(); ++row) {
      text += fmt::format("  {:>{}}", part.rows[row], first);
      for (std::size_t i = 0; i < columns.size(); ++i) {
        const auto& cell = part.cells[row][i];
        text += fmt::format("  {:>{}}", cell ? four_digits(*cell) : "-", widths[i]);
      }
      text += "\n";
    }
  }
  return text;
}

Table ExperimentTable::csv() const {
  Table table;
  if (!split.empty()) table.columns.push_back(split);
  table.columns.push_back(rows);
  table.columns.insert(table.columns.end(), columns.begin(), columns.end());
  for (const Part& part : parts)
    for (std::size_t row = 0; row < part.rows.size(); ++row) {
      std::vector<std::string>& cells = table.rows.emplace_back();
      if (!split.empty()) cells.push_back(part.label);
      cells.push_back(part.rows[row]);
      for (const auto& cell : part.cells[row]) cells.push_back(cell ? number_text(*cell) : "");
    }
  return table;
}

Table points_table(const Findings& findings) {
  Table table{{"point"}, {}};
  std::vector<std::string> settings;
  for (const Finding& point : findings.points())
    for (const Setting& leaf : leaves(point.settings))
      if (std::find(settings.begin(), settings.end(), leaf.path) == settings.end())
        settings.push_back(leaf.path);
  const std::vector<std::string> metrics = findings.metrics();
  table.columns.insert(table.columns.end(), settings.begin(), settings.end());
  for (const std::string& metric : metrics) {
    const std::string unit = findings.unit(metric);
    table.columns.push_back(metric + (unit.empty() ? "" : " (" + unit + ")"));
  }
  table.columns.insert(table.columns.end(), {"cycles", "fingerprint", "outcome"});
  for (std::size_t i = 0; i < findings.points().size(); ++i) {
    const Finding& point = findings.points()[i];
    std::vector<std::string>& row = table.rows.emplace_back();
    row.push_back(std::to_string(point.number));
    for (const std::string& path : settings) {
      const ConfigNode& value = findings.setting(i, path);
      row.push_back(value.is_null() ? "" : Codec<ConfigNode>::print(value));
    }
    for (const std::string& metric : metrics)
      row.push_back(point.results.has(metric) ? number_text(point.results.value(metric)) : "");
    row.push_back(std::to_string(point.results.cycles));
    row.push_back(point.results.fingerprint_text());
    row.push_back(names_of(Outcome{})[static_cast<std::size_t>(point.results.outcome)]);
  }
  return table;
}

std::string four_digits(double value) {
  const double size = std::abs(value);
  int decimals = 3;
  for (double limit = 10; decimals > 0 && size >= limit; limit *= 10) --decimals;
  for (double limit = 1; size > 0 && size < limit && decimals < 9; limit /= 10) ++decimals;
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace flitwave
