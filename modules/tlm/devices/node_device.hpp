// modules/tlm/devices/node_device.hpp: what is attached to a node by TLM-2.0 sockets.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "configs/registry.hpp"
#include "modules/processor/collective_program.hpp"
#include "modules/tlm/tlm_bridge.hpp"

namespace flitwave {

/// The node to which devices are attached.
struct NodeSite {
  TlmBridge& bridge;    ///< Its sockets.
  ClockDomain& domain;  ///< The clock of the network.
  const Topology& topology;
  ProcessorNode& processor;
  CollectiveProgram* collective = nullptr;  ///< The node's part of the job's collective, or null.
  std::uint64_t seed = 0;
  /// To be called when `NodeDevice::is_done` becomes true.
  std::function<void()> done;
};

/// The devices of a node that a kind has created: initiators, targets or both.
class NodeDevice {
 public:
  virtual ~NodeDevice() = default;

  /// Whether its initiators begin no more transactions; the run ends when all are done and all
  /// responses have arrived.
  virtual bool is_done() const { return true; }
  /// Whether the node's part of the collective begins only when a transaction begins it, and none
  /// has.
  virtual bool awaits_collective() const { return false; }
  /// The number of loads that returned another value than expected.
  virtual std::int64_t wrong_values() const { return 0; }
};

/// Kinds of nodes in `node.at`: parameters, site -> NodeDevice.
using Nodes = Registry<std::unique_ptr<NodeDevice>(const NodeSite&)>;

}  // namespace flitwave
