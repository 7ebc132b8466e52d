// testbenches/job/plan_switching.hpp: what circuits, bubbles, media, cascades and whole packets
// ask.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/job/plan.hpp"

namespace flitwave {

/// Whether some router makes circuits.
/// Needs: routers in their places
bool makes_circuits(const Plan& plan);

/// Whether requests and replies can have virtual channels of their own.
/// Needs: routers in their places
bool parts_message_classes(const Plan& plan);

/// Handshake, virtual channels and rings.
/// Needs: topology, routing, routers
/// Throws: ConfigError
void check_switching_channels(const Job& job, const Plan& plan);

/// Throws: ConfigError at the first line of the trace whose packet is too short.
/// Needs: a job with a trace; routers
void check_trace_lengths(const Job& job, const Plan& plan);

/// Buffers and lengths of packets; completes plan.channel.
/// Needs: all but what is found out about deadlock
/// Throws: ConfigError
void check_switched_packets(const Job& job, Plan& plan);

}  // namespace flitwave
