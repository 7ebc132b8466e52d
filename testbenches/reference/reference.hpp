// testbenches/reference/reference.hpp: the whole network as one plain loop, with which the other
// model is compared.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/injection.hpp"
#include "algorithms/routing.hpp"
#include "algorithms/trace.hpp"
#include "algorithms/traffic.hpp"
#include "configs/quantity.hpp"
#include "testbenches/reference/field.hpp"
#include "testbenches/reference/sample.hpp"
#include "topologies/topology.hpp"

namespace flitwave::reference {

enum class Handshake { credit, ready_valid, acknowledge };
enum class Switching { wormhole, virtual_cut_through, store_and_forward, circuit };
enum class Arbitration { round_robin, first_come, oldest_packet, fixed, random };
enum class Allocation { input_first, output_first, islip };

constexpr bool moves_whole_packets(Switching switching) {
  return switching == Switching::virtual_cut_through || switching == Switching::store_and_forward;
}

/// Closed-loop load: every node keeps requests open and replies to those of others.
struct Requests {
  Index window = 1;       ///< Open requests of a node.
  Index request = 1;      ///< Length. Unit: flit
  Index reply = 1;        ///< Length. Unit: flit
  Cycle service = 0;      ///< From a request's arrival to its reply's hand-over.
  Index reply_queue = 0;  ///< Requests that an interface holds; 0: unlimited.
};

/// A network under load, and the length of its run. Pointers must outlive it.
struct Params {
  const Topology* topology = nullptr;
  const RoutingFunction* routing = nullptr;

  // Load: packets of equal length by an injection process and a pattern, or those of a trace, or
  // requests by a pattern.
  const InjectionProcess* injection = nullptr;
  const TrafficPattern* pattern = nullptr;
  int length = 4;  ///< Unit: flit
  const Trace* trace = nullptr;
  int longest = 4;  ///< Of all packets. Unit: flit
  std::optional<Requests> requests;
  Cycle receive = 0;       ///< Receive overhead of a message.
  bool serialized = true;  ///< Receive overheads are serialized.
  bool held = false;       ///< An ejection channel is held during the receive overhead.

  // Channels. Those between a router and its interface have a latency of one cycle.
  Handshake handshake = Handshake::credit;
  int latency = 1;            ///< Unit: cycle. Range: >= 1
  int vcs = 1;                ///< Range: 1 .. 64
  int depth = 4;              ///< Buffer of each virtual channel. Unit: flit
  Cycle credit_delay = 0;     ///< From a credit's arrival at a router to its use.
  Cycle interface_delay = 0;  ///< From a credit's arrival at an interface to its use.

  // Routers: the delays of the four stages, and the rules.
  Switching switching = Switching::wormhole;
  int route = 0;
  int vc = 0;
  int passage = 0;
  int traversal = 0;
  Arbitration arbitration = Arbitration::round_robin;
  bool clocked = false;  ///< The delays are those of pipeline stages, with the following settings.
  Allocation allocation = Allocation::input_first;
  int iterations = 1;
  bool speculative = false;
  bool atomic = false;  ///< A virtual channel is reallocated once its buffer is empty.
  bool bubble = false;  ///< Entering a ring takes two free slots for packets.

  // Circuits.
  bool teardown = false;         ///< A probe without a free output is rejected; otherwise it waits.
  Cycle backoff = 8;             ///< Half the span of the second attempt; it doubles ...
  Cycle longest_backoff = 1024;  ///< ... up to this value.
  std::int64_t attempts = 1000;  ///< Rejections of one packet that end the run.

  int local_ports = 1;             ///< 0: as many as the node has network channels.
  bool injects_with_room = false;  ///< A packet is sent on a virtual channel with space.

  // The run: packets created in the `measure` cycles after `warmup` count. It ends in the cycle
  // after the arrival of the last of them, or `drain` cycles after the window. Then no more packets
  // are created, those at their source are dropped, and those in the network leave it.
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
  Cycle created = 0;     ///< Hand-over to the interface.
  Cycle injected = 0;    ///< The head was sent.
  Cycle head_taken = 0;  ///< The head arrived at the destination's interface ...
  Cycle tail_taken = 0;  ///< ... and the tail.
};

/// The cost of circuits.
struct CircuitCounts {
  std::int64_t granted = 0;
  std::int64_t refused = 0;
  std::int64_t most_refused = 0;  ///< Of one packet.
  Cycle longest_wait = 0;         ///< From a packet's first probe to the grant. Unit: cycle
};

struct Results {
  bool complete = false;  ///< All sent packets arrived within the limit.
  bool livelock = false;  ///< A packet was rejected too often.
  bool saturated =
      false;         ///< Some packets of the measurement had not arrived when it was given up.
  Cycle cycles = 0;  ///< Simulated, until the last flit was taken.
  std::uint64_t fingerprint = 0;
  std::int64_t transits = 0;  ///< Flits that crossed a channel, injection and ejection included.
  std::int64_t made = 0;      ///< Packets sent into the network ...
  std::int64_t flits = 0;     ///< ... and their flits.
  // Of the packets created in the window.
  Sample total;        ///< From hand-over to the tail's ejection.
  Sample network;      ///< From the head's injection to the tail's ejection.
  Sample head;         ///< From hand-over to the head's ejection.
  Cycle blocked = 0;   ///< Cycles of heads beyond the pipeline, or until a new probe.
  Sample round_trips;  ///< Of the requests created in the window.
  std::int64_t replies_in_window = 0;  ///< Replies that arrived during the measurement.
  std::int64_t flits_in_window = 0;    ///< Flits that arrived during the measurement.
  std::vector<PacketTimes> packets;    ///< By source and number.
  CircuitCounts circuits;
};

/// Simulates: visits every interface and every router in every cycle, in order of number.
///
/// Independent of the folders modules/ and routers/, of which it includes nothing; both follow
/// docs/timing.md, "The router, exactly".
/// Throws: ModelError when an invariant is violated.
Results run(const Params& params);

}  // namespace flitwave::reference
