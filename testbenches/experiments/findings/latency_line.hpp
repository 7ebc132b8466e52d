// testbenches/experiments/findings/latency_line.hpp: the line of times over the lengths of
// messages.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algorithms/cost_models/tau_model.hpp"
#include "testbenches/experiments/findings/findings.hpp"

namespace flitwave {

/// A part of a line, T_s + T_n L; none: no line.
enum class LinePart { none, startup, per_byte, tau };
std::vector<std::string> names_of(LinePart);

/// The setting over which lines are fitted.
inline constexpr const char* message_setting = "operation.message";

/// The least-squares line of a metric over `operation.message`, the points of each length averaged
/// first.
/// Returns: none when there are not two lengths, or a point lacks the metric.
/// Unit: that of the metric, and by byte
std::optional<TauPoint> latency_line(const Findings& findings,
                                     const std::vector<std::size_t>& points,
                                     const std::string& metric, Average average);

/// The number of different lengths of messages of the points.
std::size_t lengths_of(const Findings& findings, const std::vector<std::size_t>& points);

/// Needs: a part other than `none`.
/// Returns: no tau when the start-up is not above 0.
std::optional<double> part_of(const std::optional<TauPoint>& line, LinePart part);

}  // namespace flitwave
