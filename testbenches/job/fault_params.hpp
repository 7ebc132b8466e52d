// testbenches/job/fault_params.hpp: the section of a job that says what of its network is broken.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "configs/schema.hpp"
#include "topologies/topology.hpp"

namespace flitwave {

/// What becomes of faults that leave a node with several faulty neighbours.
enum class FaultCondition {
  error,  ///< They are refused, and never drawn.
  warn,   ///< The job is told, and runs.
};
std::vector<std::string> names_of(FaultCondition);

/// Faults left to chance.
struct RandomFaultParams {
  int nodes = 0;
  int links = 0;
  int draws = 1;

  int count() const { return nodes + links; }
};

/// Nodes and links that break in one cycle.
struct LaterFaults {
  Cycles onset{1};
  std::vector<ConfigNode> nodes;
  std::vector<ConfigNode> links;
};

/// Section `faults`.
struct FaultParams {
  std::vector<ConfigNode> nodes;
  std::vector<ConfigNode> links;
  RandomFaultParams random;
  std::vector<LaterFaults> later;
  FaultCondition condition = FaultCondition::error;
};
Schema<FaultParams> fault_schema();

/// The faults that the section lists, those of the start first.
/// Throws: ConfigError at its place for a node or link that the topology has not, or that is named
///   twice.
FaultSet listed_faults(const FaultParams& params, const Topology& topology);

}  // namespace flitwave
