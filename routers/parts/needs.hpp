// routers/parts/needs.hpp: what several kinds of router need of their network, a line each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "modules/network_facts.hpp"

namespace flitwave {

/// Each need throws a ConfigError on the setting that does not fit it. `why` is the problem as the
/// user reads it, in terms of the router, e.g. "a station begins a frame when it has credits for
/// all of it"; `remedy` is what to do. All may be checked before the load is known.
namespace needs {

/// All of these, the first that is not met first.
RouterNeeds all(std::vector<RouterNeeds> needs);

/// On `channel.handshake`.
RouterNeeds handshake(Handshake handshake, std::string why);
/// The same, for credits.
RouterNeeds credit_flow_control(std::string why);

/// On `channel.vcs`, and on `routing` where that needs several.
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

/// On `router`: a topology of dimensions.
RouterNeeds grid(std::string why,
                 std::string remedy = "use topology.kind: mesh, torus or hypercube");
/// On `topology`.
RouterNeeds hypercube(std::string why);
/// On `topology`: no dimension of the grid wraps around.
RouterNeeds no_rings(std::string why);
/// On `topology`: packets cross one channel to every other node. `why` is followed by the nodes
/// between which they do not.
RouterNeeds channels_to_all(std::string why);
/// On `routing`: one dimension after the other, from the first on.
RouterNeeds ascending_dimension_order(std::string why, std::string remedy);

/// On `node.ports`.
RouterNeeds one_local_port(std::string why, std::string remedy = "set node.ports: 1");
/// On `node.injection_vc`: it is not written.
RouterNeeds no_choice_of_injection_vc(std::string why);

/// On `channel.buffer`: every buffer holds the longest packet; under ready_valid, on what hides
/// from a sender whether there is space for one. `kind`: the name of the router's kind.
RouterNeeds buffers_of_whole_packets(std::string kind);
/// On the setting, or at the line of a trace, that makes packets shorter. Unit: flit
RouterNeeds packets_of_at_least(std::int64_t flits, std::string why, std::string remedy);

}  // namespace needs

/// Of the packets of a network, once they are known; else 0. Unit: flit
std::int64_t longest_packet(const NetworkFacts& facts);

}  // namespace flitwave
