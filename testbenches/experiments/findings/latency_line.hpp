// testbenches/experiments/findings/latency_line.hpp: the line that times follow over the lengths of
// messages.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algorithms/cost_models/tau_model.hpp"
#include "testbenches/experiments/findings/findings.hpp"

namespace flitwave {

/// A number of a line, T_s + T_n L; none: of no line.
enum class LinePart { none, startup, per_byte, tau };
std::vector<std::string> names_of(LinePart);

/// The setting along which lines go.
inline constexpr const char* message_setting = "operation.message";

/// The line of least squares through a metric over `operation.message`, the points of each length
/// averaged first.
/// Returns: none when there are not two lengths, or a point lacks the metric.
/// Unit: that of the metric, and by byte
std::optional<TauPoint> latency_line(const Findings& findings,
                                     const std::vector<std::size_t>& points,
                                     const std::string& metric, Average average);

/// How many lengths of messages the points have.
std::size_t lengths_of(const Findings& findings, const std::vector<std::size_t>& points);

/// Needs: a part but `none`.
/// Returns: no tau when the start-up is not above 0.
std::optional<double> part_of(const std::optional<TauPoint>& line, LinePart part);

}  // namespace flitwave
