// testbenches/job/fault_params.hpp: the section of a job that specifies the faults of its network.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "configs/schema.hpp"
#include "topologies/topology.hpp"

namespace flitwave {

/// The effect of faults that leave a node with several faulty neighbours.
enum class FaultCondition {
  error,  ///< They are rejected, and random sets never have them.
  warn,   ///< The job runs with a warning.
};
std::vector<std::string> names_of(FaultCondition);

/// Random faults.
struct RandomFaultParams {
  int nodes = 0;
  int links = 0;
  int draws = 1;

  int count() const { return nodes + links; }
};

/// Nodes and links that become faulty in one cycle.
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

/// The faults that the section lists; those of cycle 0 precede the others.
/// Throws: ConfigError at the position of a node or link that the topology does not have, or that
///   is listed twice.
FaultSet listed_faults(const FaultParams& params, const Topology& topology);

}  // namespace flitwave
