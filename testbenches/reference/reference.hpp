// testbenches/reference/reference.hpp: the whole network as one plain loop, to judge the other by.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "flitwave/algorithms/routing.hpp"
#include "flitwave/algorithms/traffic.hpp"
#include "flitwave/configs/quantity.hpp"
#include "flitwave/testbenches/reference/sample.hpp"
#include "flitwave/topologies/topology.hpp"

namespace flitwave::reference {

enum class Handshake { credit, ready_valid };
enum class Arbitration { round_robin, first_come, oldest_packet, fixed, random };

/// A network under open-loop load, and how long it runs. Topology, routing and pattern outlive it.
struct Params {
  const Topology* topology = nullptr;
  const RoutingFunction* routing = nullptr;
  const TrafficPattern* pattern = nullptr;

  // Channels. Those between a router and its interface have a latency of one cycle.
  Handshake handshake = Handshake::credit;
  int latency = 1;  ///< Unit: cycle. Range: >= 1
  int vcs = 1;      ///< Range: 1 .. 64
  int depth = 4;    ///< Of the buffer of each virtual channel. Unit: flit

  // Routers: the delays of the four stages, and the rules.
  int route = 0;
  int vc = 0;
  int passage = 0;
  int traversal = 0;
  Arbitration arbitration = Arbitration::round_robin;
  bool atomic = false;  ///< A virtual channel is given again once its buffer is empty.

  int local_ports = 1;  ///< 0: as many as the node has network channels.

  // Load: packets of equal length, made at geometric gaps.
  double rate = 0;  ///< Unit: flit per node and cycle.
  int length = 4;   ///< Unit: flit

  // The run: packets made in the `measure` cycles after `warmup` count. It ends in the cycle after
  // the last of them has arrived, or `drain` cycles after the window: no more packets are made,
  // those that wait at their source are forgotten, and what is in the network leaves it.
  Cycle warmup = 0;
  Cycle measure = 1000;
  Cycle drain = 20000;
  Cycle limit = 10'000'000'000;
  std::uint64_t seed = 1;
  bool keep_packets = false;  ///< Fills Results::packets.
};

/// The times of one packet. Unit: cycle
struct PacketTimes {
  int source = 0;
  std::int64_t number = 0;  ///< Counts the packets of its source, from 0.
  int destination = 0;
  Cycle created = 0;     ///< When it was handed to the interface.
  Cycle injected = 0;    ///< When its head was sent.
  Cycle head_taken = 0;  ///< When the interface at its destination took the head ...
  Cycle tail_taken = 0;  ///< ... and the tail.
};

struct Results {
  bool complete = false;  ///< All that was sent arrived within the limit.
  bool saturated =
      false;         ///< Some packets of the measurement had not arrived when it was given up.
  Cycle cycles = 0;  ///< Simulated, until the last flit was taken.
  std::uint64_t fingerprint = 0;
  std::int64_t transits = 0;  ///< Flits that crossed a channel, injection and ejection included.
  std::int64_t made = 0;      ///< Packets that went into the network.
  // Of the packets made in the window.
  Sample total;                      ///< From hand-over to the tail's ejection.
  Sample network;                    ///< From the head's injection to the tail's ejection.
  Sample head;                       ///< From hand-over to the head's ejection.
  Cycle blocked = 0;                 ///< Cycles for which heads waited beyond the pipeline.
  std::int64_t flits_in_window = 0;  ///< Flits that arrived during the measurement.
  std::vector<PacketTimes> packets;  ///< By source and number.
};

/// Simulates: visits every interface and every router in every cycle, in order of number.
///
/// Independent of the rooms modules/ and routers/, of which it includes nothing; docs/timing.md,
/// "The router, exactly", is what both follow.
/// Throws: ModelError when an invariant breaks.
Results run(const Params& params);

}  // namespace flitwave::reference
