// testbenches/bench/kernels/rigs.hpp: a router, or channels alone, between a spring and a drain of
// flits. spring -> channel -> [router -> channel] -> drain
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "modules/router.hpp"

namespace flitwave::bench {

class Spring;
class Drain;

/// Four streams of 4-flit packets, a flit per cycle each, as long as it flows. With a router they
/// go straight through its four network ports.
///
/// SystemC elaborates once: all rigs of a program are made before the first one flows.
class Rig {
 public:
  Rig(const char* name, bool with_router);
  ~Rig();

  /// Lets flits flow for some cycles.
  /// Returns: how many arrived.
  std::int64_t flow(Cycle cycles);

 private:
  Channel& add_channel(const std::string& name);

  Topology topology_;
  std::unique_ptr<RoutingFunction> routing_;
  RouterModel model_;
  PacketPool packets_;
  ClockDomain domain_;
  std::vector<std::unique_ptr<Channel>> channels_;
  std::unique_ptr<Spring> spring_;
  std::unique_ptr<Router> router_;
  std::unique_ptr<Drain> drain_;
};

}  // namespace flitwave::bench
