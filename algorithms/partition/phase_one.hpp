// algorithms/partition/phase_one.hpp: the network that distributes each multicast.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/partition/partition.hpp"

namespace flitwave {

/// How multicasts are assigned to data-distributing networks.
enum class PhaseOne {
  balanced,  ///< Round-robin: block by block, the sources of each row by row.
  random,    ///< Each to any of them.
  none,      ///< Each to that of its source.
};
std::vector<std::string> names_of(PhaseOne);

/// Whether a source prefers its own network.
enum class PhaseOneSelf {
  literal,  ///< It takes the network whose turn it is.
  prefer,   ///< It keeps its own if a multicast of its block was assigned to that.
};
std::vector<std::string> names_of(PhaseOneSelf);

/// The network that distributes a multicast.
struct Assignment {
  int ddn = 0;
  NodeId representative;  ///< The node of that network in the source's block.
};

struct PhaseOneRule {
  PhaseOne how = PhaseOne::balanced;
  PhaseOneSelf self = PhaseOneSelf::literal;
  std::uint64_t seed = 0;  ///< For `random`.
};

/// The assignment of each multicast, by its source.
/// Throws: ConfigError on the key `phase1` when each multicast is to keep its source's network, and
///   a type leaves some nodes without one.
/// Source: Wang et al. 2001, section 4.1
std::vector<Assignment> assign_multicasts(const std::vector<NodeId>& sources,
                                          const Partition& partition, const PhaseOneRule& rule);

}  // namespace flitwave
