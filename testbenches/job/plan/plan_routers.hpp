// testbenches/job/plan/plan_routers.hpp: which router each node has, and whether they suit the job.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "modules/network_facts.hpp"
#include "testbenches/job/plan/plan.hpp"

namespace flitwave {

/// Builds the models of routers, and finds out which node has which.
/// Needs: the plan's topology
void place_routers(const Job& job, Plan& plan);

/// What is known of the job's network before its load.
/// Needs: topology, routing, routers
/// Lifetime: the job and the plan outlive it, and the plan stays where it is.
NetworkFacts network_facts(const Job& job, const Plan& plan);

/// Whether the network is what its routers need.
/// Throws: ConfigError, located.
void check_router_needs(const Job& job, const NetworkFacts& facts);

/// Whether the routers would accept such a network.
bool is_accepted(const NetworkFacts& facts);

/// Faults that are simulated, and packets that share an ejection channel one after the other.
/// Needs: topology, routers
/// Throws: ConfigError when a router does not support them.
void check_router_support(const Job& job, const Plan& plan);

/// Messages to several destinations need routers that copy them.
/// Needs: routers, a schedule
/// Throws: ConfigError
void check_copying(const Job& job, const Plan& plan);

/// Whether every router lets heads take the escapes of the routing; fills Plan::serves_escapes.
/// Throws: ConfigError when one does not, unless deadlock is allowed.
void check_escapes(const Job& job, Plan& plan);

/// Whether packets are such as the routers need; completes plan.channel.
/// Needs: all but what is found out about deadlock
/// Throws: ConfigError, located.
void check_packets(const Job& job, Plan& plan);

/// What all routers do against cyclic dependencies.
FlowControl flow_control(const Plan& plan);

}  // namespace flitwave
