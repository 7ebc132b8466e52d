// testbenches/tests/tlm/platform.hpp: a mesh with a memory at each node and random initiators.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "modules/tlm/devices/memory.hpp"
#include "modules/tlm/protocol_checker.hpp"
#include "modules/tlm/tlm_bridge.hpp"
#include "testbenches/run/network.hpp"
#include "testbenches/tests/tlm/random_initiator.hpp"
#include "testbenches/tests/tlm/reference_memory.hpp"
#include "testbenches/tests/tlm/tlm_job.hpp"

namespace flitwave::test {

/// An initiator at a node.
struct PlacedInitiator {
  std::string node;  ///< e.g. "0_0"
  RandomPlan plan;
  int socket = 0;
};

/// The job `tlm_mesh`, with checkers at all sockets, and a reference in front of each memory.
class Platform {
 public:
  /// `wait`: of each memory. Unit: ps. `reversed`: binds in the reverse order.
  Platform(const Scenario& job, const std::vector<PlacedInitiator>& initiators, std::int64_t wait,
           bool reversed = false);

  /// Simulates until all initiators are done, at most for `most` ps.
  /// Throws: std::runtime_error when they are not done, a rule of the base protocol was broken, or
  ///   a load returned a wrong value, or a memory has wrong bytes at the end.
  void run(std::int64_t most = 1'000'000'000'000);

  Network& network() { return network_; }
  const RandomInitiator& initiator(std::size_t number) const { return *initiators_[number]; }
  std::int64_t loaded_bytes() const;

 private:
  void bind_memory(int node, std::int64_t wait);
  void bind_initiator(const PlacedInitiator& placed, RandomInitiator& initiator);
  ProtocolChecker<>& add_checker(const std::string& name);

  Network network_;
  std::vector<std::unique_ptr<Memory>> memories_;
  std::vector<std::unique_ptr<ReferenceMemory>> references_;
  std::vector<std::unique_ptr<RandomInitiator>> initiators_;
  std::vector<std::unique_ptr<ProtocolChecker<>>> checkers_;
  std::vector<std::string> broken_;
};

/// Addresses of `count` blocks of 64 bytes at each of all nodes, from block `first` on.
std::vector<std::uint64_t> blocks_everywhere(std::uint64_t first, std::uint64_t count);

}  // namespace flitwave::test
