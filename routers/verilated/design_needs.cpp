// routers/verilated/design_needs.cpp: what a router in RTL needs of the network.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "configs/codec.hpp"
#include "configs/error.hpp"
#include "routers/parts/needs.hpp"
#include "routers/verilated/pin_frame.hpp"
#include "routers/verilated/verilated_model.hpp"

namespace flitwave {

namespace {

std::string design_text(const RouterDesign& design) {
  return "design " + detail::in_quotes(design.name);
}

void check_channel(const RouterDesign& design, const NetworkFacts& facts) {
  if (facts.channel.vcs != design.vcs)
    throw ConfigError("channel.vcs",
                      fmt::format("{} has {} virtual channels per channel, not {}",
                                  design_text(design), design.vcs, facts.channel.vcs),
                      fmt::format("set channel.vcs to {}, or use another model", design.vcs));
  if (facts.channel.depth() != design.depth)
    throw ConfigError("channel.buffer",
                      fmt::format("{} has buffers of {} flits, not {}", design_text(design),
                                  design.depth, facts.channel.depth()),
                      fmt::format("set channel.buffer to {} flit", design.depth));
  if (design.handshake == Handshake::credit && facts.channel.credit_delay.count > 0)
    throw ConfigError("channel.credit_delay",
                      design_text(design) + " uses a credit in the cycle in which it arrives",
                      "set channel.credit_delay to 0 cycle");
}

void check_ports(const RouterDesign& design, const NetworkFacts& facts) {
  const Topology& topology = facts.topology;
  if (topology.port_limit() > design.network_ports)
    throw ConfigError("topology",
                      fmt::format("{} has {} network ports; nodes of this topology have up to {}",
                                  design_text(design), design.network_ports, topology.port_limit()),
                      "use another topology, or another model");
  for (int node = 0; node < topology.nodes(); ++node) {
    const int ports = facts.node.ports.of(topology.degree(NodeId(node)));
    if (ports != design.local_ports)
      throw ConfigError("node.ports",
                        fmt::format("{} has {}, and node {} has {}", design_text(design),
                                    counted(design.local_ports, "local port"),
                                    topology.label(NodeId(node)), ports),
                        fmt::format("set node.ports: {}", design.local_ports));
  }
}

/// The greatest value that a field has in the network; 0 where the width does not depend on it.
int greatest(const BitField& field, const NetworkFacts& facts) {
  switch (field.field) {
    case FlitField::destination:
    case FlitField::source:
      return facts.topology.nodes() - 1;
    case FlitField::coordinate:
      return facts.topology.grid()->extent(field.dimension) - 1;
    case FlitField::message_class:
      return facts.message_classes - 1;
    default:
      return 0;
  }
}

/// The greatest value of a constant at any node; 0 where it does not depend on the network, of
/// coordinates beyond its dimensions, and of `radix`, which may wrap in a design without rings that
/// long.
int greatest(const ConstantPins& constant, const NetworkFacts& facts) {
  const Grid* grid = facts.topology.grid();
  switch (constant.value) {
    case ConstantPins::Value::node:
      return facts.topology.nodes() - 1;
    case ConstantPins::Value::coordinate:
      return grid && constant.dimension < grid->dimensions() ? grid->extent(constant.dimension) - 1
                                                             : 0;
    case ConstantPins::Value::network_ports:
      return facts.topology.port_limit();
    case ConstantPins::Value::radix:
    case ConstantPins::Value::number:
      break;
  }
  return 0;
}

void check_constants(const RouterDesign& design, const NetworkFacts& facts) {
  for (const ConstantPins& constant : design.constants) {
    const int most = greatest(constant, facts);
    if (!fits(static_cast<std::uint64_t>(most), constant.bits.width))
      throw ConfigError("topology",
                        fmt::format("pin {} of {} has {}, too few for {}",
                                    design.pins[index(constant.bits.pin)].name, design_text(design),
                                    counted(constant.bits.width, "bit"), most),
                        "use a smaller topology, or a model with wider pins");
  }
}

void check_fields(const RouterDesign& design, const NetworkFacts& facts) {
  const Grid* grid = facts.topology.grid();
  int dimensions = 0;
  for (const BitField& field : design.flit.fields) {
    if (field.field == FlitField::coordinate) {
      if (!grid || field.dimension >= grid->dimensions())
        throw ConfigError("topology",
                          fmt::format("{} reads the destination's coordinate {}",
                                      design_text(design), field.dimension),
                          "use topology.kind: mesh or torus with enough dimensions");
      dimensions = std::max(dimensions, field.dimension + 1);
    }
    if (!fits(static_cast<std::uint64_t>(greatest(field, facts)), field.width))
      throw ConfigError("topology",
                        fmt::format("field {} of {} has {} bits, too few for {}", name_of(field),
                                    design_text(design), field.width, greatest(field, facts)),
                        "use a smaller topology");
  }
  if (dimensions > 0 && grid->dimensions() > dimensions)
    throw ConfigError("topology",
                      fmt::format("{} routes in {} dimensions; the topology has {}",
                                  design_text(design), dimensions, grid->dimensions()),
                      fmt::format("use a grid of {} dimensions", dimensions));
}

/// A design that follows rings expects them in every dimension.
void check_rings(const RouterDesign& design, const NetworkFacts& facts) {
  const auto& fields = design.flit.fields;
  const bool reads_coordinates =
      std::any_of(fields.begin(), fields.end(),
                  [](const BitField& field) { return field.field == FlitField::coordinate; });
  const Grid* grid = facts.topology.grid();
  if (!reads_coordinates || !grid) return;
  for (int dimension = 0; dimension < grid->dimensions(); ++dimension)
    if (grid->extent(dimension) > 2 && grid->wraps(dimension) != design.torus)
      throw ConfigError("topology",
                        design_text(design) + (design.torus ? " routes in rings; the topology has "
                                                              "dimensions without"
                                                            : " does not route in rings"),
                        design.torus ? "use topology.kind: torus, or a model for meshes"
                                     : "use topology.kind: mesh, or a model for tori");
}

void check_routing(const RouterDesign& design, const NetworkFacts& facts) {
  if (!design.routing.empty() && facts.routing_kind != design.routing)
    throw ConfigError("routing",
                      fmt::format("{} routes by {}, not by {}", design_text(design), design.routing,
                                  facts.routing_kind),
                      "use routing.kind: " + design.routing);
  const auto& fields = design.flit.fields;
  const bool reads_class = std::any_of(fields.begin(), fields.end(), [](const BitField& field) {
    return field.field == FlitField::message_class;
  });
  if (facts.message_classes > 1 && !reads_class)
    throw ConfigError("requests.message_classes",
                      design_text(design) + " has no field for message classes",
                      "set requests.message_classes to 1 and requests.reply_queue to 0");
}

void check_clock(const NetworkFacts& facts) {
  if (facts.period.picoseconds < 2)
    throw ConfigError("clock.period", "adapter pins uses both edges of the clock",
                      "set clock.period to 2 ps or more, or adapter: evaluated");
}

}  // namespace

RouterNeeds design_needs(const RouterDesign& design, DesignAdapter adapter) {
  const RouterNeeds handshake =
      needs::handshake(design.handshake, fmt::format("{} has the handshake {}", design_text(design),
                                                     Codec<Handshake>::print(design.handshake)));
  return [&design, adapter, handshake](const NetworkFacts& facts) {
    handshake(facts);
    check_channel(design, facts);
    check_ports(design, facts);
    check_fields(design, facts);
    check_constants(design, facts);
    check_rings(design, facts);
    check_routing(design, facts);
    if (adapter == DesignAdapter::pins) check_clock(facts);
  };
}

}  // namespace flitwave
