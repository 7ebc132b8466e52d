// testbenches/tests/rtl/relay/verilog_network.hpp: a hypercube with routers in Verilog.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>

#include "testbenches/job/catalog.hpp"
#include "testbenches/tests/rtl/relay/verilog_models.hpp"

namespace flitwave::testing {

/// Where a network has the router in Verilog; the other nodes have the same one in SystemC.
struct VerilogPlaces {
  /// Empty: at all nodes.
  std::set<int> nodes{};
  /// Broken wires, by nodes.
  std::map<int, CutWires> cuts{};

  bool has(NodeId node) const { return nodes.empty() || nodes.count(node.value()) > 0; }
};

/// The standard kinds, and the router {kind: verilog}, which equals model.parameters.router()
/// otherwise.
Catalog verilog_catalog(const VerilogRouter& model, const VerilogPlaces& places = {});

}  // namespace flitwave::testing
