// routers/parts/needs.cpp: see needs.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/parts/needs.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "algorithms/deadlock/dependency_graph.hpp"
#include "algorithms/demand.hpp"
#include "algorithms/schedule.hpp"
#include "configs/codec.hpp"

namespace flitwave {

namespace {

/// The remedy: how the routing can work with one virtual channel.
std::string one_class_remedy(const NetworkFacts& facts) {
  if (facts.routing_written && facts.routing_has_rule) return "set routing.vc_rule to none";
  return "use routing: {kind: dimension_order, vc_rule: none}";
}

}  // namespace

std::int64_t longest_packet(const NetworkFacts& facts) {
  std::int64_t longest = 0;
  if (facts.lengths)
    for (const PacketLength& length : *facts.lengths) longest = std::max(longest, length.flits);
  return longest;
}

namespace needs {

RouterNeeds all(std::vector<RouterNeeds> needs) {
  return [needs = std::move(needs)](const NetworkFacts& facts) {
    for (const RouterNeeds& need : needs) need(facts);
  };
}

RouterNeeds handshake(Handshake handshake, std::string why) {
  return [handshake, why = std::move(why)](const NetworkFacts& facts) {
    if (facts.channel.handshake != handshake)
      throw ConfigError("channel.handshake", why,
                        "set channel.handshake to " + Codec<Handshake>::print(handshake));
  };
}

RouterNeeds credit_flow_control(std::string why) {
  return handshake(Handshake::credit, std::move(why));
}

RouterNeeds routing_of_one_class(std::string why) {
  return [why = std::move(why)](const NetworkFacts& facts) {
    const int vcs = facts.routing.least_vcs();
    if (vcs > 1)
      throw ConfigError("routing",
                        why + "; this routing needs " + std::to_string(vcs) +
                            " virtual channels on this topology",
                        one_class_remedy(facts));
  };
}

RouterNeeds one_virtual_channel(std::string why) {
  const RouterNeeds one_class = routing_of_one_class(why);
  return [why = std::move(why), one_class](const NetworkFacts& facts) {
    if (facts.channel.vcs != 1) throw ConfigError("channel.vcs", why, "set channel.vcs to 1");
    one_class(facts);
  };
}

RouterNeeds no_message_classes(std::string why, std::string remedy) {
  return [why = std::move(why), remedy = std::move(remedy)](const NetworkFacts& facts) {
    if (facts.message_classes > 1) throw ConfigError("requests.message_classes", why, remedy);
  };
}

RouterNeeds no_other_routers(std::string why, const std::string& kind) {
  return [why = std::move(why), kind](const NetworkFacts& facts) {
    if (facts.overrides)
      throw ConfigError("router", why, "use kind: " + kind + " for all nodes, without overrides");
  };
}

RouterNeeds no_deadlock(std::string why, std::string remedy) {
  return [why = std::move(why), remedy = std::move(remedy)](const NetworkFacts& facts) {
    if (facts.allow_deadlock) throw ConfigError("allow_deadlock", why, remedy);
  };
}

RouterNeeds grid(std::string why, std::string remedy) {
  return [why = std::move(why), remedy = std::move(remedy)](const NetworkFacts& facts) {
    if (!facts.topology.grid()) throw ConfigError("router", why, remedy);
  };
}

RouterNeeds hypercube(std::string why) {
  return [why = std::move(why)](const NetworkFacts& facts) {
    if (!is_hypercube(facts.topology))
      throw ConfigError("topology", why, "use topology: {kind: hypercube, dimensions: N}");
  };
}

RouterNeeds no_rings(std::string why) {
  return [why = std::move(why)](const NetworkFacts& facts) {
    const Grid* grid = facts.topology.grid();
    for (int dimension = 0; grid && dimension < grid->dimensions(); ++dimension)
      if (grid->wraps(dimension))
        throw ConfigError("topology", why, "use topology.kind: mesh or hypercube");
  };
}

namespace {

/// Two nodes between which packets pass a third node, if any.
std::optional<std::pair<NodeId, NodeId>> relayed_pair(const NetworkFacts& facts) {
  const RoutingFunction& routing = facts.routing;
  for (NodeId from : all_nodes(facts.topology))
    for (NodeId to : all_but(from, facts.topology))
      for (const std::uint32_t choice : routing.all_choices()) {
        if (!routing.may_choose(from, choice)) continue;
        Header header;
        header.source = from;
        header.destination = to;
        header.choice = choice;
        if (path(routing, facts.topology, header).size() > 1) return std::pair(from, to);
      }
  return std::nullopt;
}

}  // namespace

RouterNeeds channels_to_all(std::string why) {
  return [why = std::move(why)](const NetworkFacts& facts) {
    const Topology& topology = facts.topology;
    const int nodes = topology.nodes();
    const auto relayed = nodes <= max_ports + 1
                             ? relayed_pair(facts)
                             : std::optional(std::pair(NodeId(0), NodeId(nodes - 1)));
    if (relayed)
      throw ConfigError("topology",
                        why + "; the route from node " + topology.label(relayed->first) +
                            " to node " + topology.label(relayed->second) + " passes a third node",
                        "use topology: {kind: complete} and routing: {kind: shortest_path}");
    if (facts.schedule && !directions_of(*facts.schedule).empty())
      throw ConfigError("topology", why + "; messages that name a direction pass other nodes",
                        "use another algorithm, which names none");
  };
}

RouterNeeds ascending_dimension_order(std::string why, std::string remedy) {
  return [why = std::move(why), remedy = std::move(remedy)](const NetworkFacts& facts) {
    std::vector<int> order;
    if (const ConfigNode* written = facts.routing_section.find("order"))
      order = Codec<std::vector<int>>::read(*written);
    if (facts.routing_kind != "dimension_order" || !std::is_sorted(order.begin(), order.end()))
      throw ConfigError("routing", why, remedy);
  };
}

RouterNeeds one_local_port(std::string why, std::string remedy) {
  return [why = std::move(why), remedy = std::move(remedy)](const NetworkFacts& facts) {
    for (int node = 0; node < facts.topology.nodes(); ++node)
      if (facts.node.ports.of(facts.topology.degree(NodeId(node))) > 1)
        throw ConfigError("node.ports", why, remedy);
  };
}

RouterNeeds no_choice_of_injection_vc(std::string why) {
  return [why = std::move(why)](const NetworkFacts& facts) {
    if (facts.node.injection_vc != NodeParams{}.injection_vc)
      throw ConfigError("node.injection_vc", why, "leave node.injection_vc out");
  };
}

namespace {

/// For ready_valid, under which the upstream router does not count free slots.
void check_whole_packets_without_credits(const NetworkFacts& facts, const std::string& kind) {
  if (!std::all_of(facts.routers.begin(), facts.routers.end(),
                   [](const RouterModel* model) { return model->keeps_whole_packets(); }))
    throw ConfigError(
        "router",
        "under ready_valid a wormhole router cannot know whether the next buffer has space for a "
        "whole packet, which " +
            kind + " routers need",
        "set channel.handshake to credit");
  if (facts.channel.latency.count > 1)
    throw ConfigError(
        "channel.latency",
        "the registers of a ready_valid channel of several cycles accept flits before the buffer "
        "has space for a whole packet",
        "set channel.latency to 1 cycle, or channel.handshake to credit");
}

}  // namespace

RouterNeeds buffers_of_whole_packets(std::string kind) {
  return [kind = std::move(kind)](const NetworkFacts& facts) {
    const std::int64_t longest = longest_packet(facts);
    const std::string flits = std::to_string(longest);
    if (facts.channel.buffer.count < longest)
      throw ConfigError(
          "channel.buffer",
          kind + " routers buffer whole packets; the longest packet has " + flits + " flits",
          "set channel.buffer to " + flits + " flit or more, or send shorter packets");
    if (facts.channel.handshake != Handshake::credit)
      check_whole_packets_without_credits(facts, kind);
  };
}

RouterNeeds packets_of_at_least(std::int64_t flits, std::string why, std::string remedy) {
  return [flits, why = std::move(why), remedy = std::move(remedy)](const NetworkFacts& facts) {
    if (!facts.lengths) return;
    for (const PacketLength& length : *facts.lengths)
      if (length.flits < flits) throw length.error(why, remedy);
  };
}

}  // namespace needs

}  // namespace flitwave
