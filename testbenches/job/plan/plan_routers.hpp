// testbenches/job/plan/plan_routers.hpp: the router of each node, and whether the routers support
// the job.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "modules/network_facts.hpp"
#include "testbenches/job/plan/plan.hpp"

namespace flitwave {

/// Builds the models of routers and assigns one to each node.
/// Needs: the plan's topology
void place_routers(const Job& job, Plan& plan);

/// The facts of the job's network that are known before its load.
/// Needs: topology, routing, routers
/// Lifetime: the job and the plan outlive the facts, and the plan is not moved.
NetworkFacts network_facts(const Job& job, const Plan& plan);

/// Checks that the network meets the needs of its routers.
/// Throws: ConfigError, located.
void check_router_needs(const Job& job, const NetworkFacts& facts);

/// Whether the network meets the needs of its routers.
bool is_accepted(const NetworkFacts& facts);

/// Checks that the routers support simulated faults, and packets that use an ejection channel one
/// after the other.
/// Needs: topology, routers
/// Throws: ConfigError when a router does not support them.
void check_router_support(const Job& job, const Plan& plan);

/// Checks that the routers copy messages to several destinations.
/// Needs: routers, a schedule
/// Throws: ConfigError
void check_copying(const Job& job, const Plan& plan);

/// Checks that heads can take the escape channels of the routing in every router; sets
/// Plan::serves_escapes.
/// Throws: ConfigError when one does not, unless deadlock is allowed.
void check_escapes(const Job& job, Plan& plan);

/// Checks that packets meet the needs of the routers; completes plan.channel.
/// Needs: the whole plan except its dependency check
/// Throws: ConfigError, located.
void check_packets(const Job& job, Plan& plan);

/// The measures against cyclic dependencies that all routers share.
FlowControl flow_control(const Plan& plan);

}  // namespace flitwave
