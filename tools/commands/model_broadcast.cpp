// tools/commands/model_broadcast.cpp: flitwave model broadcast: four of them on a square mesh.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "algorithms/cost_models/closed_forms.hpp"
#include "algorithms/cost_models/grid_powers.hpp"
#include "configs/quantity.hpp"
#include "tools/commands/model.hpp"

namespace flitwave {

namespace {

struct BroadcastOptions {
  MachineOptions machine;
  int width = 0;
  std::vector<int> packets{2, 4, 8};
  std::string message;
  std::string plot;
};

/// n, for a width of 2^n.
int exponent_of(int width) {
  const std::optional<int> n = power_of(2, width);
  if (!n || *n < 2 || *n > 15)
    throw ConfigError("--mesh",
                      fmt::format("the formulas are not defined for a width of {}", width),
                      "give a power of two from 4 to 32768");
  return *n;
}

int broadcast(const BroadcastOptions& options) {
  require_picture(options.plot);
  const int n = exponent_of(options.width);
  const AlphaBetaGamma cost = cost_of(options.machine);
  double bytes = 0;
  if (!options.message.empty()) bytes = static_cast<double>(bytes_of("--message", options.message));
  std::vector<TauTrace::Point> points{{"dimensional", dimensional_broadcast(n).point(cost)},
                                      {"edn", edn(n).point(cost)}};
  for (int packets : options.packets)
    points.push_back(
        {fmt::format("fibonacci_{}", packets), fibonacci_tree(n, packets).point(cost)});
  points.push_back({"scatter_collect", scatter_collect(n).point(cost)});
  fmt::print("broadcast on {} x {} nodes, alpha {:g} us, beta {:g} us/byte, gamma {:g} us\n",
             options.width, options.width, cost.alpha, cost.beta, cost.gamma);
  print_points(points, bytes);
  draw({{"", points}}, fmt::format("Broadcast on {0} x {0} nodes", options.width), options.plot);
  return 0;
}

}  // namespace

Command model_broadcast_command() {
  const auto options = std::make_shared<BroadcastOptions>();
  return {"broadcast",
          "four broadcasts on a square mesh and their crossovers",
          with_machine(
              {Option("--mesh", &options->width, "nodes in a row: a power of two").required(),
               Option("--packets", &options->packets, "packets of the Fibonacci trees, e.g. 2,4,8")
                   .comma_separated(),
               {"--message", &options->message, "adds the latency of that size, e.g. 1KiB"},
               {"--plot", &options->plot, "SVG file for a tau-plot"}},
              options->machine),
          [options] { return broadcast(*options); },
          {}};
}

}  // namespace flitwave
