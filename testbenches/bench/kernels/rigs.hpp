// testbenches/bench/kernels/rigs.hpp: a router, or channels alone, between a source and a sink of
// flits. source -> channel -> [router -> channel] -> sink
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "modules/router.hpp"

namespace flitwave::bench {

class FlitSource;
class FlitSink;

/// Four streams of 4-flit packets, each of one flit per cycle. With a router they cross it
/// straight on, through its four network ports.
///
/// SystemC elaborates once: all rigs of a program are built before the first one runs.
class Rig {
 public:
  Rig(const char* name, bool with_router);
  ~Rig();

  /// Lets flits flow for some cycles.
  /// Returns: the number of arrived flits.
  std::int64_t flow(Cycle cycles);

 private:
  Channel& add_channel(const std::string& name);

  Topology topology_;
  std::unique_ptr<RoutingFunction> routing_;
  RouterModel model_;
  PacketPool packets_;
  ClockDomain domain_;
  std::vector<std::unique_ptr<Channel>> channels_;
  std::unique_ptr<FlitSource> source_;
  std::unique_ptr<Router> router_;
  std::unique_ptr<FlitSink> sink_;
};

}  // namespace flitwave::bench
