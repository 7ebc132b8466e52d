// algorithms/cost_models/tau_model.hpp: latencies as points of a tau-plot, and their comparison.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "configs/table.hpp"

namespace flitwave {

/// A latency T_s + T_n f(L), f being the same for all that are compared. The tau-plot has tau on
/// its horizontal axis and T_s on its vertical one.
/// Source: Tsai 1997, section 5.1
struct TauPoint {
  double startup = 0;   ///< T_s. Unit: us
  double per_byte = 0;  ///< T_n. Unit: us

  /// 1 / m_1/2, Hockney's half-performance length. Infinite without start-up.
  double tau() const { return per_byte / startup; }
  /// Unit: us
  double at(double bytes) const { return startup + per_byte * bytes; }
};

/// The f(L) > 0 at which both latencies are equal; none when one is better for all lengths, or both
/// are equal. For f(L) = L this is the length L*.
/// Source: Tsai 1997, section 5.1.3; equation 5.7 is printed for one sign of the difference only
std::optional<double> crossover(const TauPoint& a, const TauPoint& b);

/// How the first of two latencies compares with the second.
enum class Relation {
  dominates,     ///< Better for every length, or for all but one.
  dominated,     ///< Worse for every length, or for all but one.
  better_short,  ///< Better below the crossover.
  better_long,   ///< Better above the crossover.
  equal,
};
std::vector<std::string> names_of(Relation);
Relation relation(const TauPoint& a, const TauPoint& b);

/// The length from which on a latency is the least.
struct Stretch {
  std::size_t point = 0;  ///< Index.
  double from = 0;        ///< f(L)
};
/// Which of several latencies is the least, from L = 0 upward; of equal ones the first.
std::vector<Stretch> least_latency(const std::vector<TauPoint>& points);

/// A measured time.
struct MeasuredTime {
  double bytes = 0;
  double time = 0;  ///< Unit: us
};

/// The line of least squares: T_s is its intercept, T_n its slope.
/// Throws: ConfigError when there are not two different lengths.
/// Source: Tsai 1997, section 5.2
TauPoint fit_line(const std::vector<MeasuredTime>& samples);

/// The line through the least time of each length, for operations that vary.
/// Throws: as `fit_line`.
/// Source: Tsai 1997, section 5.5.2
TauPoint fit_minima(const std::vector<MeasuredTime>& samples);

/// Points of a tau-plot that belong together, e.g. one algorithm while a parameter changes.
struct TauTrace {
  struct Point {
    std::string name;
    TauPoint at;
  };
  std::string name;
  std::vector<Point> points;
};

/// A tau-plot as a table: trace, name, startup, per_byte, tau.
Table tau_table(const std::vector<TauTrace>& traces);

/// Reads columns startup and per_byte and, if present, name and trace; ignores others. Each row
/// without a trace forms a trace without a name. `file` is for messages.
/// Throws: SystemFailure when a column is missing, or all rows are, or a cell is no number;
///   ConfigError when a time is negative, or T_s is 0.
std::vector<TauTrace> tau_traces(const Table& table, const std::string& file);

}  // namespace flitwave
