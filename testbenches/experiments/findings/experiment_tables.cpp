// testbenches/experiments/findings/experiment_tables.cpp: see experiment_tables.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/findings/experiment_tables.hpp"

#include <algorithm>
#include <cmath>
#include <map>

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

/// The width of a column. Range: text without control characters
std::size_t shown_width(const std::string& text) {
  const auto begins = [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; };
  return index(std::count_if(text.begin(), text.end(), begins));
}

/// `most`: points in a cell; `over`: the settings in which they differ.
std::string title_of(const TableParams& params, const Findings& findings, std::size_t most,
                     const std::string& over, bool intervals) {
  const std::string unit = findings.unit(params.value);
  std::string title = params.value + (unit.empty() ? "" : " (" + unit + ")");
  if (most < 2) return title;
  title += fmt::format(", {} of {} points", names_of(Average{})[index(params.average)], most);
  if (!over.empty()) title += " over " + over;
  return intervals ? title + ", ± its 95 % confidence interval" : title;
}

bool any_cell(const std::vector<ExperimentTable::Part>& parts, std::size_t column,
              bool (*is)(const Averaged&)) {
  for (const ExperimentTable::Part& part : parts)
    for (const std::vector<Averaged>& row : part.cells)
      if (is(row[column])) return true;
  return false;
}

bool has_interval(const Averaged& cell) { return cell.half_width.has_value(); }
bool lacks(const Averaged& cell) { return !cell.lack().empty(); }

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
      .optional("average", &TableParams::average, "how the values of a cell's points are combined")
      .optional("over", &TableParams::over, over_sentence)
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
  std::map<std::string, std::size_t> places;
  for (std::size_t point : points) {
    const std::string label = label_of(findings, point, paths);
    const auto [place, is_new] = places.emplace(label, groups.size());
    if (is_new) groups.push_back({label, {}});
    groups[place->second].points.push_back(point);
  }
  return groups;
}

std::vector<std::size_t> common_points(const std::vector<std::size_t>& points,
                                       const std::vector<std::size_t>& others) {
  std::vector<std::size_t> found;
  std::set_intersection(points.begin(), points.end(), others.begin(), others.end(),
                        std::back_inserter(found));
  return found;
}

std::vector<std::vector<std::size_t>> points_of_cells(const TableParams& params,
                                                      const Findings& findings) {
  std::vector<std::vector<std::size_t>> cells;
  Paths all = params.split;
  for (const Paths* paths : {&params.rows, &params.columns})
    all.names.insert(all.names.end(), paths->names.begin(), paths->names.end());
  for (Group& cell : group(findings, all_points(findings), all))
    cells.push_back(std::move(cell.points));
  return cells;
}

std::string varying_text(const Findings& findings, const std::vector<std::size_t>& points) {
  std::vector<std::string> words;
  std::string seeds;
  for (const std::string& path : findings.varying(points))
    if (path == seed_setting)
      seeds = fmt::format("{} seeds", group(findings, points, {{path}}).size());
    else
      words.push_back(path);
  const std::string settings = fmt::format("{}", fmt::join(words, ", "));
  return settings.empty() || seeds.empty() ? settings + seeds : settings + " and " + seeds;
}

namespace {

/// All points grouped; groups by numbers ascend, so that the order of a sweep does not matter.
std::vector<Group> ordered(const Findings& findings, const Paths& paths) {
  std::vector<Group> groups = group(findings, all_points(findings), paths);
  if (paths.names.size() != 1) return groups;
  std::vector<std::pair<Magnitude, std::size_t>> order;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto number =
        magnitude_of(findings.setting(groups[i].points.front(), paths.names.front()));
    if (!number || (i > 0 && number->unit != order.front().first.unit)) return groups;
    order.emplace_back(*number, i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first.value < b.first.value; });
  std::vector<Group> sorted;
  for (const auto& place : order) sorted.push_back(std::move(groups[place.second]));
  return sorted;
}

}  // namespace

ExperimentTable make_table(const TableParams& params, const Findings& findings) {
  const std::vector<Group> rows = ordered(findings, params.rows);
  const std::vector<Group> columns = ordered(findings, params.columns);
  ExperimentTable table;
  table.rows = joined(params.rows);
  table.split = joined(params.split);
  table.columns = params.columns.empty() ? std::vector<std::string>{params.value} : labels(columns);
  std::vector<std::size_t> largest;
  bool intervals = false;
  for (const Group& part : ordered(findings, params.split)) {
    ExperimentTable::Part& made = table.parts.emplace_back();
    made.label = part.label;
    for (const Group& row : rows) {
      const std::vector<std::size_t> in_row = common_points(part.points, row.points);
      if (in_row.empty()) continue;
      made.rows.push_back(row.label);
      made.cells.emplace_back();
      for (const Group& column : columns) {
        std::vector<std::size_t> cell = common_points(in_row, column.points);
        made.cells.back().push_back(findings.average(cell, params.value, params.average));
        intervals = intervals || has_interval(made.cells.back().back());
        if (cell.size() > largest.size()) largest = std::move(cell);
      }
    }
  }
  table.title =
      title_of(params, findings, largest.size(), varying_text(findings, largest), intervals);
  return table;
}

std::string ExperimentTable::text() const {
  std::size_t first = rows.size();
  std::vector<std::size_t> widths;
  for (const std::string& column : columns)
    widths.push_back(std::max<std::size_t>(shown_width(column), 6));
  for (const Part& part : parts)
    for (std::size_t row = 0; row < part.rows.size(); ++row) {
      first = std::max(first, part.rows[row].size());
      for (std::size_t i = 0; i < columns.size(); ++i)
        widths[i] = std::max(widths[i], shown_width(averaged_text(part.cells[row][i])));
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
      for (std::size_t i = 0; i < columns.size(); ++i)
        text += fmt::format("  {:>{}}", averaged_text(part.cells[row][i]), widths[i]);
      text += "\n";
    }
  }
  return text;
}

Table ExperimentTable::csv() const {
  Table table;
  if (!split.empty()) table.columns.push_back(split);
  table.columns.push_back(rows);
  for (const Part& part : parts)
    for (const std::string& row : part.rows) {
      std::vector<std::string>& cells = table.rows.emplace_back();
      if (!split.empty()) cells.push_back(part.label);
      cells.push_back(row);
    }
  const auto add = [&](const std::string& name, std::size_t column, auto text_of) {
    table.columns.push_back(name);
    auto row = table.rows.begin();
    for (const Part& part : parts)
      for (const std::vector<Averaged>& cells : part.cells)
        (row++)->push_back(text_of(cells[column]));
  };
  const auto number = [](const std::optional<double>& value) {
    return value ? number_text(*value) : std::string();
  };
  for (std::size_t i = 0; i < columns.size(); ++i) {
    add(columns[i], i, [&](const Averaged& cell) { return number(cell.value); });
    if (any_cell(parts, i, has_interval))
      add(columns[i] + interval_column, i,
          [&](const Averaged& cell) { return number(cell.half_width); });
    if (any_cell(parts, i, lacks))
      add(columns[i] + note_column, i, [](const Averaged& cell) { return cell.lack(); });
  }
  return table;
}

Table points_table(const Findings& findings) {
  Table table{{"point"}, {}};
  const std::vector<std::string>& settings = findings.swept();
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
    row.push_back(names_of(Outcome{})[index(point.results.outcome)]);
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

std::string interval_text(double value, double half_width) {
  // An interval of rounding errors, or none, does not determine the digits.
  if (half_width < 1e-4 * std::abs(value) || half_width <= 0)
    return four_digits(value) + " ± " + four_digits(half_width);
  const int decimals = std::clamp(1 - static_cast<int>(std::floor(std::log10(half_width))), 0, 9);
  return fmt::format("{:.{}f} ± {:.{}f}", value, decimals, half_width, decimals);
}

std::string averaged_text(const Averaged& averaged) {
  if (averaged.value && averaged.half_width)
    return interval_text(*averaged.value, *averaged.half_width);
  if (averaged.value) return four_digits(*averaged.value);
  return averaged.points == 0 ? "-" : averaged.lack();
}

}  // namespace flitwave
