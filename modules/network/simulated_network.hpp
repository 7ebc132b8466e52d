// modules/network/simulated_network.hpp: a network with its processors, at any fidelity.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "modules/network/channel_site.hpp"
#include "modules/processor/processor_node.hpp"
#include "topologies/topology.hpp"

namespace flitwave {

/// The flits of a network so far, for a conservation check: `injected` and `copied` ones are
/// `ejected`, `inside` or `dropped`.
struct FlitCounts {
  std::int64_t injected = 0;
  std::int64_t ejected = 0;
  std::int64_t inside = 0;
  std::int64_t dropped = 0;  ///< Probes of circuits that were taken down.
  std::int64_t copied = 0;
};

/// What a testbench needs of a network: the processors, their queues, and the flits in it.
class SimulatedNetwork {
 public:
  virtual const Topology& topology() const = 0;
  /// Numbered as by channel_sites.
  virtual const std::vector<ChannelSite>& channels() const = 0;
  virtual ProcessorNode& processor(NodeId node) const = 0;
  virtual int local_ports(NodeId node) const = 0;

  /// Flits of the messages that waited for an injection channel when this cycle began.
  virtual std::int64_t flits_queued(NodeId node) const = 0;
  virtual std::int64_t flits_ejected(NodeId node) const = 0;
  virtual FlitCounts flits() const = 0;
  /// Whether nothing is in transit and every credit has returned.
  virtual bool at_rest() const = 0;
  /// Discards the messages that wait for an injection channel. For the end of a run under load.
  virtual void drop_queues() = 0;

 protected:
  ~SimulatedNetwork() = default;
};

}  // namespace flitwave
