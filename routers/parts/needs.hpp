// routers/parts/needs.hpp: needs that several kinds of router have of their network.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "modules/network_facts.hpp"

namespace flitwave {

/// Each need throws a ConfigError on the setting that violates it. `why` is the problem in the
/// error, in terms of the router, e.g. "a station begins a frame when it has credits for all of
/// it"; `remedy` is the remedy. All may be checked before the load is known.
namespace needs {

/// All of these needs; the first one that is violated throws.
RouterNeeds all(std::vector<RouterNeeds> needs);

/// On `channel.handshake`.
RouterNeeds handshake(Handshake handshake, std::string why);
/// The same, for credits.
RouterNeeds credit_flow_control(std::string why);

/// On `channel.vcs`, and on `routing` where the routing needs several.
RouterNeeds one_virtual_channel(std::string why);
/// On `routing`: one class of virtual channels suffices for it. `why` is a full clause, which the
/// number of virtual channels that the routing needs follows.
RouterNeeds routing_of_one_class(std::string why);
/// On `requests.message_classes`.
RouterNeeds no_message_classes(
    std::string why,
    std::string remedy = "set requests.message_classes to 1 and requests.reply_queue to 0");

/// On `router`: all routers are of this model. `kind`: its name.
RouterNeeds no_other_routers(std::string why, const std::string& kind);
/// On `allow_deadlock`: the dependency check has found no cycle.
RouterNeeds no_deadlock(std::string why, std::string remedy = "leave allow_deadlock out");

/// On `router`: the topology is a grid.
RouterNeeds grid(std::string why,
                 std::string remedy = "use topology.kind: mesh, torus or hypercube");
/// On `topology`.
RouterNeeds hypercube(std::string why);
/// On `topology`: no dimension of the grid wraps around.
RouterNeeds no_rings(std::string why);
/// On `topology`: packets cross one channel to every other node. `why` is a full clause, which two
/// nodes without such a channel follow.
RouterNeeds channels_to_all(std::string why);
/// On `routing`: one dimension after the other, from the first on.
RouterNeeds ascending_dimension_order(std::string why, std::string remedy);

/// On `node.ports`.
RouterNeeds one_local_port(std::string why, std::string remedy = "set node.ports: 1");
/// On `node.injection_vc`: it is not set.
RouterNeeds no_choice_of_injection_vc(std::string why);

/// On `channel.buffer`: every buffer holds the longest packet; under ready_valid, also on settings
/// with which a sender cannot determine whether there is space for one. `kind`: the name of the
/// router's kind.
RouterNeeds buffers_of_whole_packets(std::string kind);
/// On the setting, or at the line of a trace, that determines shorter packets. Unit: flit
RouterNeeds packets_of_at_least(std::int64_t flits, std::string why, std::string remedy);

}  // namespace needs

/// The length of the longest packet of a network, once the packets are known; else 0. Unit: flit
std::int64_t longest_packet(const NetworkFacts& facts);

}  // namespace flitwave
