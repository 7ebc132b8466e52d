// routers/relay/mhu/gateways.hpp: connects links with message handling units.
// link -> [input_gateway] -> mhu -> [output_gateway] -> link
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "routers/relay/blocks/block_params.hpp"
#include "routers/relay/blocks/field_link.hpp"
#include "routers/relay/blocks/line_order.hpp"

namespace flitwave {

/// Connects a link's wires to its message handling unit, and returns the acknowledgement.
/// Timing: combinational
/// Source: Lan 1988, section 6.3
class InputGatewayModule final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(InputGatewayModule);
  explicit InputGatewayModule(const sc_core::sc_module_name& name);

  FieldInput link{"link"};
  FieldOutput unit{"unit"};

 private:
  void lead_in();
  void lead_back();
};

/// Grants a link to one message handling unit after the other, for a message each, by the rule that
/// the parameters specify.
///
/// Timing: a free gateway grants and raises `rts` in the cycle of the request; it is free again
///   from the edge that samples `eom` on. From the edge that samples `ack` on, the unit's wires are
///   those of the link.
/// Source: Lan 1988, section 6.3; the order is ours
class OutputGatewayModule final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(OutputGatewayModule);
  OutputGatewayModule(const sc_core::sc_module_name& name, const BlockParams& params);

  enum class Phase { free, request, stream };

  WireIn clk{"clk"};
  sc_core::sc_vector<BranchInput> units;  ///< Shape: [n + 1]
  FieldOutput link{"link"};

  /// Whether a message is on the link.
  bool streams() const { return phase() == Phase::stream; }
  /// The unit that sends on the link.
  std::size_t sender() const { return holder(); }

 private:
  void connect();
  void advance();
  std::vector<std::size_t> waiting() const;
  std::size_t next() const;
  Phase phase() const { return static_cast<Phase>(phase_.read().to_uint64()); }
  std::size_t holder() const { return static_cast<std::size_t>(holder_.read().to_uint64()); }

  BusSignal phase_{"phase", bus_value(2)};
  BusSignal holder_;
  BusSignal last_;      // the unit that was served last
  LinePositions turn_;  // of the units that requested at the last edge
  GatewayRule rule_;
};

}  // namespace flitwave
