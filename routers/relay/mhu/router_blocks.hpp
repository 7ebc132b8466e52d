// routers/relay/mhu/router_blocks.hpp: what is inside a router that consists of blocks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "algorithms/cube_multicast/relay/header.hpp"
#include "modules/router.hpp"
#include "routers/relay/blocks/field_link.hpp"
#include "routers/relay/mhu/mhu_controller.hpp"

namespace flitwave {

/// The message handling units and output gateways of a router, in SystemC or in another language.
/// Unit and output i belong to the link along dimension i, n to that of the local processor.
///
/// Timing: values are those after the last rising edge of the clock.
class RouterBlocks {
 public:
  virtual ~RouterBlocks() = default;

  // Of an output gateway.
  /// Whether a message is on the link.
  virtual bool streams(int output) const = 0;
  /// The unit whose message it is. Needs: streams(output)
  virtual std::size_t sender(int output) const = 0;

  // Of a unit.
  virtual MhuState state(int unit) const = 0;
  bool busy(int unit) const { return state(unit) != MhuState::wait; }
  /// The fields in its data buffer.
  virtual std::int64_t level(int unit) const = 0;
  /// The dimension that was selected at the last edge; -1: none.
  virtual int selected(int unit) const = 0;
  /// The destinations of the message that is sent along it; none where the message's own list is
  /// forwarded.
  virtual CubeNodes selected_nodes(int unit) const = 0;
  /// Whether the last fields of its message are on the links.
  virtual bool ends(int unit) const = 0;
  /// Whether a branch has requested its output and is not acknowledged yet.
  virtual bool waits(int unit, int branch) const = 0;
  /// The header of a branch that is acknowledged, without addresses and source where the message's
  /// own list is forwarded.
  virtual CubeHeader header(int unit, int branch) const = 0;
};

/// The wires of a router's blocks. They outlive it.
struct BlockWires {
  WireSignal& clk;
  BusSignal& address;                  ///< Does not change. Width: n
  BusSignal& faults;                   ///< Faulty neighbours; does not change. Width: n
  sc_core::sc_vector<FieldLink>& in;   ///< Shape: [n + 1]
  sc_core::sc_vector<FieldLink>& out;  ///< Shape: [n + 1]
};

/// The construction of the blocks of a router at its site.
BlockParams blocks_of(const RelaySettings& settings, const RouterSite& site);

/// Builds the blocks of a router on its wires, within the router's constructor.
using MakeBlocks =
    std::function<std::unique_ptr<RouterBlocks>(const BlockParams&, const BlockWires&)>;

}  // namespace flitwave
