// testbenches/fuzz/case.hpp: a random network under random load.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "flitwave/configs/scenario.hpp"

namespace flitwave::fuzz {

/// What a case varies, small enough to be shrunk setting by setting. Words are those of a job.
struct Case {
  std::string name;
  std::uint64_t seed = 1;

  std::string topology;                     ///< mesh, torus, ring, hypercube or custom.
  std::vector<int> shape;                   ///< Extents; ring: nodes; hypercube: dimensions.
  std::vector<bool> wraps;                  ///< Torus: per dimension.
  std::string directions = "both";          ///< Torus, ring.
  std::vector<std::pair<int, int>> joined;  ///< Custom: nodes with a channel each way.

  bool shortest_path = false;  ///< Routing by up*/down*, not by dimension order.
  std::string ties = "positive";
  std::string vc_rule = "remaining_wrap";
  bool reversed_order = false;  ///< Last dimension first.

  std::string handshake = "credit";
  int latency = 1;
  int vcs = 1;
  int depth = 4;

  std::string switching = "wormhole";
  std::vector<int> delays{0, 0, 0, 0};  ///< Route, virtual channel, switch, traversal.
  std::string arbitration = "round_robin";
  bool atomic = false;
  int ports = 1;  ///< 0: all.

  bool to_self = false;
  int rate = 50;  ///< Unit: percent of a flit per node and cycle.
  int length = 4;
  int measure = 200;
  int drain = 0;

  int nodes() const;
};

/// The kinds of topology, handshake, switching and the numbers of virtual channels that cases
/// walk through, so that all combinations come equally often.
struct Cell {
  std::string switching;
  std::string handshake;
  int vcs = 1;
  std::string topology;

  std::string text() const;
};
const std::vector<Cell>& cells();
/// The cell of case `number`.
const Cell& cell_of(std::int64_t number);

/// Case `number` of a seed: its cell, and all else at random.
Case draw_case(std::uint64_t seed, std::int64_t number);

/// The case as a job.
Scenario scenario_of(const Case& input);

}  // namespace flitwave::fuzz
