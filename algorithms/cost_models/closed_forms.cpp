// algorithms/cost_models/closed_forms.cpp: see closed_forms.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cost_models/closed_forms.hpp"

#include <fmt/format.h>

#include "algorithms/cost_models/fibonacci_growth.hpp"
#include "algorithms/cost_models/grid_powers.hpp"
#include "algorithms/cost_models/lower_bounds.hpp"
#include "configs/error.hpp"

namespace flitwave {

namespace {

/// 2^exponent. `least`: the smallest exponent of the formula.
double power_of_two(int exponent, int least) {
  if (exponent < least || exponent > greatest_exponent)
    throw ConfigError("", fmt::format("the formula is for 2^{} to 2^{} nodes in a row, not 2^{}",
                                      least, greatest_exponent, exponent));
  return static_cast<double>(1 << exponent);
}

}  // namespace

TauPoint Terms::point(const AlphaBetaGamma& machine) const {
  return {sends * machine.alpha + receives * machine.gamma + hops * machine.beta,
          messages * machine.beta};
}

Terms operator+(const Terms& a, const Terms& b) {
  return {a.sends + b.sends, a.receives + b.receives, a.hops + b.hops, a.messages + b.messages};
}

Terms mesh_2d_doubling(int k) {
  power_of_two(k, 0);
  const double steps = 2.0 * k;
  return {steps, steps, 0, steps};
}

Terms mesh_2d_edn(int k) {
  power_of_two(k, 2);
  return {3.0 * k, k + 1.0, 0, k + 1.0};
}

Terms mesh_3d_doubling(int k, int m) {
  power_of_two(k, 0);
  power_of_two(m, 0);
  const double steps = 2.0 * k + m + 6;
  return {steps, steps, 0, steps};
}

Terms mesh_3d_edn(int k, int m) {
  power_of_two(k, 0);
  power_of_two(m, 0);
  const double steps = static_cast<double>(k) + m + 4;
  return {3.0 * k + 2.0 * m + 10, steps, 0, steps};
}

Terms torus_edn(int d) {
  const double width = power_of_two(d, 2);
  return {3.0 * d, 1.0 * d, 2 * (2 * width - 2 + d % 2) / 3, 1.0 * d};
}

Terms u_torus(int d) {
  const int width = static_cast<int>(power_of_two(d, 0));
  return u_torus(width, width);
}

Terms u_torus(int columns, int rows) {
  if (columns < 1 || rows < 1)
    throw ConfigError("", fmt::format("a torus has no {} x {} nodes", columns, rows));
  const double steps = ceil_log(2, columns) + ceil_log(2, rows);
  return {steps, steps, static_cast<double>(columns) + rows - 2, steps};
}

Terms dimensional_broadcast(int n) {
  const double width = power_of_two(n, 0);
  return {2.0 * n, 2.0 * n, 2 * (width - 1), 2.0 * n};
}

Terms scatter_collect(int n) {
  const double width = power_of_two(n, 0);
  const double steps = 2 * (width - 1 + n);
  return {steps, steps, 6 * (width - 1), 2 * (1 - 1 / (width * width))};
}

Terms fibonacci_tree(int n, int packets) {
  const double width = power_of_two(n, 0);
  const double steps = fibonacci_steps(1LL << (2 * n), packets);
  return {steps, steps, 2.0 * packets * (width - 1), steps / packets};
}

Terms edn(int n) {
  const double width = power_of_two(n, 2);
  return {3.0 * n, n + 1.0, width - 1, n + 1.0};
}

Terms edn_reduction(int n) {
  const Terms broadcast = edn(n);
  return {broadcast.receives, broadcast.sends, broadcast.hops, broadcast.messages};
}

std::vector<Phase> scatter_collect_phases(int n) {
  const double width = power_of_two(n, 0);
  const double others = width - 1;
  const auto scatter = [&](double share) {
    return Terms{1.0 * n, 1.0 * n, others, others / width * share};
  };
  const auto collect = [&](double share) {
    return Terms{others, others, 2 * others, others * share};
  };
  return {{"scatter along the row", scatter(1)},
          {"scatter along the columns", scatter(1 / width)},
          {"collect along the rows", collect(1 / (width * width))},
          {"collect along the columns", collect(1 / width)}};
}

Terms all_to_all_by_token(int nodes) {
  if (nodes < 1) throw ConfigError("", fmt::format("there are no {} nodes", nodes));
  const double messages = static_cast<double>(nodes) * (nodes - 1);
  return {messages, messages, 0, messages};
}

TauPoint all_to_all_by_token(int nodes, const TauPoint& message) {
  const double messages = all_to_all_by_token(nodes).messages;
  return {messages * message.startup, messages * message.per_byte};
}

}  // namespace flitwave
