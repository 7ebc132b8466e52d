// algorithms/cost_models/tau_model.cpp: see tau_model.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cost_models/tau_model.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "configs/error.hpp"
#include "topologies/ids.hpp"

namespace flitwave {

std::vector<std::string> names_of(Relation) {
  return {"dominates", "dominated", "better_short", "better_long", "equal"};
}

std::optional<double> crossover(const TauPoint& a, const TauPoint& b) {
  const double ahead = b.startup - a.startup;
  const double slower = a.per_byte - b.per_byte;
  // Both have the same sign when the better start-up costs time for every byte.
  if (!(ahead > 0 && slower > 0) && !(ahead < 0 && slower < 0)) return std::nullopt;
  return ahead / slower;
}

Relation relation(const TauPoint& a, const TauPoint& b) {
  if (a.startup == b.startup && a.per_byte == b.per_byte) return Relation::equal;
  if (a.startup <= b.startup && a.per_byte <= b.per_byte) return Relation::dominates;
  if (a.startup >= b.startup && a.per_byte >= b.per_byte) return Relation::dominated;
  return a.startup < b.startup ? Relation::better_short : Relation::better_long;
}

std::vector<Stretch> least_latency(const std::vector<TauPoint>& points) {
  std::vector<Stretch> stretches;
  if (points.empty()) return stretches;
  const auto first =
      std::min_element(points.begin(), points.end(), [](const TauPoint& a, const TauPoint& b) {
        return std::tie(a.startup, a.per_byte) < std::tie(b.startup, b.per_byte);
      });
  stretches.push_back({index(first - points.begin()), 0});
  // The next point is the one that overtakes the current one first; among several at one length,
  // the flattest.
  for (bool found = true; found;) {
    const TauPoint& now = points[stretches.back().point];
    Stretch next;
    found = false;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (!(points[i].per_byte < now.per_byte)) continue;
      const std::optional<double> length = crossover(now, points[i]);
      const double from = length ? *length : stretches.back().from;
      if (found && (from > next.from ||
                    (from == next.from && points[i].per_byte >= points[next.point].per_byte)))
        continue;
      next = {i, from};
      found = true;
    }
    if (found) stretches.push_back(next);
  }
  return stretches;
}

TauPoint fit_line(const std::vector<MeasuredTime>& samples) {
  double bytes = 0;
  double time = 0;
  for (const MeasuredTime& sample : samples) {
    bytes += sample.bytes;
    time += sample.time;
  }
  const auto count = static_cast<double>(samples.size());
  const double mean_bytes = bytes / count;
  const double mean_time = time / count;
  double spread = 0;
  double together = 0;
  for (const MeasuredTime& sample : samples) {
    spread += (sample.bytes - mean_bytes) * (sample.bytes - mean_bytes);
    together += (sample.bytes - mean_bytes) * (sample.time - mean_time);
  }
  if (samples.size() < 2 || !(spread > 0))
    throw ConfigError("", "a line needs times of two different lengths", "measure another length");
  const double slope = together / spread;
  return {mean_time - slope * mean_bytes, slope};
}

TauPoint fit_minima(const std::vector<MeasuredTime>& samples) {
  std::map<double, double> least;
  for (const MeasuredTime& sample : samples) {
    double& time = least.try_emplace(sample.bytes, sample.time).first->second;
    time = std::min(time, sample.time);
  }
  std::vector<MeasuredTime> kept;
  for (const auto& [bytes, time] : least) kept.push_back({bytes, time});
  return fit_line(kept);
}

Table tau_table(const std::vector<TauTrace>& traces) {
  Table table{{"trace", "name", "startup", "per_byte", "tau"}, {}};
  for (const TauTrace& trace : traces)
    for (const auto& [name, point] : trace.points)
      table.rows.push_back({trace.name, name, fmt::format("{}", point.startup),
                            fmt::format("{}", point.per_byte), fmt::format("{:.4g}", point.tau())});
  return table;
}

std::vector<TauTrace> tau_traces(const Table& table, const std::string& file) {
  std::vector<TauTrace> traces;
  const auto cell = [&](std::size_t row, const std::string& column) {
    return table.has(column) ? table.rows[row][table.column(column, file)] : std::string();
  };
  for (const char* needed : {"startup", "per_byte"}) table.column(needed, file);
  if (table.rows.empty())
    throw SystemFailure(file + ": no rows; a tau-plot needs one with T_s and T_n for each point");
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const TauPoint point{table.number(row, "startup", file), table.number(row, "per_byte", file)};
    if (!(point.startup > 0) || point.per_byte < 0)
      throw ConfigError("",
                        fmt::format("{}: row {}: T_s {} and T_n {} are not a point of a tau-plot",
                                    file, row + 1, point.startup, point.per_byte),
                        "T_s must be above 0, T_n 0 or above");
    const std::string name = cell(row, "trace");
    auto trace = std::find_if(traces.begin(), traces.end(),
                              [&](const TauTrace& known) { return known.name == name; });
    if (trace == traces.end()) trace = traces.insert(traces.end(), {name, {}});
    trace->points.push_back({cell(row, "name"), point});
  }
  return traces;
}

}  // namespace flitwave
