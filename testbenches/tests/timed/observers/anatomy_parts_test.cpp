// testbenches/tests/timed/observers/anatomy_parts_test.cpp: each part of a latency alone, computed
// by hand.
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <fmt/format.h>

#include "routers/input_queued/closed_form.hpp"
#include "testbenches/observers/time_parts.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace anatomy_parts_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// The shares and waits of one packet that are not 0: "link 3, serialisation 7".
struct Parts {
  std::string zero_load;
  std::string waited;
};

void append(std::string& text, const std::string& name, double cycles) {
  if (cycles != 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, cycles);
}

/// The packets of a run, sorted by source and number.
std::vector<Parts> parts_of(const Results& results) {
  const Table& table = results.table("anatomy_packets");
  std::vector<Parts> parts(table.rows.size());
  for (const std::string& name : names_of(Part{})) {
    if (name == "router") continue;
    const auto cycles = column(table, name);
    const auto share = column(table, name + "_zero_load");
    for (std::size_t i = 0; i < parts.size(); ++i) {
      append(parts[i].zero_load, name, share[i]);
      append(parts[i].waited, name, cycles[i] - share[i]);
    }
  }
  return parts;
}

/// Five nodes in a line. Unless stated otherwise, routers take no cycle: a head handed over in
/// cycle c is in the first router in c + 2 and in the k-th after it in c + 2 + k.
std::vector<Parts> on_a_line(const std::vector<Shot>& shots, const std::string& router = "",
                             const std::string& channel = "{}") {
  const std::string own = router.empty() ? "kind: wormhole, preset: single_cycle" : router;
  const Scenario line = uniform_traffic({{"topology", "{kind: mesh, shape: [5, 1]}"},
                                         {"router", "{" + own + "}"},
                                         {"channel", channel}});
  const Results results = shoot(line, shots, 1000, "{kind: anatomy, packets: true}");
  REQUIRE(results.outcome == Outcome::complete);
  return parts_of(results);
}

}  // namespace

TEST_CASE("a packet alone in the network has the parts of the closed form", "[timed][anatomy]") {
  const auto kind = GENERATE(as<std::string>{}, "wormhole", "virtual_cut_through",
                             "store_and_forward", "circuit");
  const auto stages = GENERATE(as<std::string>{}, "merged", "clocked");
  const bool circuit = kind == "circuit";
  if (circuit && stages == "clocked") return;
  const bool clocked = stages == "clocked";
  const int length = 6;  // L
  const int hops = 3;    // h
  // RC 3, VA 2, SA 2 (clocked: 1, as its last cycle is that of the departure), ST 1, l 2.
  const std::string router = fmt::format(
      "kind: {}, route_delay: 3 cycle, switch_delay: {} cycle, traversal_delay: 1 cycle{}", kind,
      clocked ? 1 : 2, circuit ? "" : ", vc_delay: 2 cycle, stages: " + stages);
  const std::string channel =
      fmt::format("{{latency: 2 cycle, {}handshake: {}}}", circuit ? "" : "buffer: 12 flit, ",
                  circuit ? "acknowledge" : "credit");

  const Parts parts = on_a_line({{1, NodeId(0), NodeId(hops), length}}, router, channel).at(0);

  const int routers = hops + 1;
  const int switches = clocked ? 0 : 2;
  int injection = 1;
  int link = 2 * hops;
  int crossing = (switches + 1) * routers;
  int serialisation = length - 1;
  // In store-and-forward a packet is serialised again in every router.
  if (kind == "store_and_forward") serialisation *= routers + 1;
  if (circuit) {
    // The probe, its acknowledgement (h l + 2 cycles, and one on the injection channel) and the
    // other flits, the first of which waits for no flit.
    injection += 2 * hops + 3;
    link *= 2;
    crossing += routers;
    serialisation = length - 2;
  }
  REQUIRE(parts.waited.empty());
  REQUIRE(parts.zero_load ==
          fmt::format("source_queue 1, injection {}, route_wait {}{}, switch_wait {}, link {}, "
                      "serialisation {}, ejection {}",
                      injection, 3 * routers,
                      circuit ? "" : fmt::format(", vc_allocation_wait {}", 2 * routers), crossing,
                      link, serialisation, circuit ? 2 : 1));
}

TEST_CASE("a packet behind another one at its source waits in the source queue",
          "[timed][anatomy]") {
  // Both are handed over in cycle 1. The first packet's four flits are driven in cycles 2 to 5, so
  // the second packet begins in cycle 6 instead of 2.
  const auto parts = on_a_line({{1, NodeId(0), NodeId(1), 4}, {1, NodeId(0), NodeId(1), 4}});

  REQUIRE(parts.at(0).waited.empty());
  REQUIRE(parts.at(1).waited == "source_queue 4");
}

TEST_CASE("flits without a free slot in the first router wait for injection", "[timed][anatomy]") {
  // A buffer of one flit, whose credit returns two cycles after the flit was sent: the four flits
  // are driven in cycles 2, 4, 6 and 8, and find every later buffer empty.
  const auto parts = on_a_line({{1, NodeId(0), NodeId(3), 4}}, "", "{buffer: 1 flit}");

  REQUIRE(parts.at(0).waited == "injection 3");
}

TEST_CASE("a head that finds the route stage busy waits for it", "[timed][anatomy]") {
  // The first packet is in router 0 in cycle 3, leaves it in 7 (three cycles for the route, one
  // each for virtual channel and switch, the last of which is that of the departure) and is in
  // router 1 in 8, whose route stage it occupies until 10. The second packet, handed over in cycle
  // 7 at node 1, arrives in 9 and waits for 10 and 11, two cycles.
  const auto parts = on_a_line({{1, NodeId(0), NodeId(2), 1}, {7, NodeId(1), NodeId(0), 1}},
                               "kind: wormhole, stages: clocked, route_delay: 3 cycle, "
                               "traversal_delay: 0 cycle");

  REQUIRE(parts.at(0).waited.empty());
  REQUIRE(parts.at(1).waited == "route_wait 2");
}

TEST_CASE("a head waits for the virtual channel that another packet holds", "[timed][anatomy]") {
  // The first packet's four flits leave router 1 in cycles 4 to 7. The second packet's head arrives
  // there in 5 and can have the only virtual channel in 8.
  const auto parts = on_a_line({{1, NodeId(0), NodeId(2), 4}, {3, NodeId(1), NodeId(2), 4}});

  REQUIRE(parts.at(0).waited.empty());
  REQUIRE(parts.at(1).waited == "vc_allocation_wait 3");
}

TEST_CASE("a head behind another packet in its buffer waits for a virtual channel",
          "[timed][anatomy]") {
  // The buffers hold whole packets. Packet 1 holds the channel after node 2, on which its twelve
  // flits leave router 2 in cycles 4 to 15. Packets 2 and 3, of two flits each, arrive from node 0
  // at router 2 in cycles 5 and 6, 7 and 8. Packet 2 leaves in 16 and 17. Packet 3, which would
  // have been at the front of its buffer in 7, leaves in 18.
  const auto parts = on_a_line(
      {{1, NodeId(1), NodeId(4), 12}, {1, NodeId(0), NodeId(4), 2}, {1, NodeId(0), NodeId(4), 2}},
      "", "{buffer: 12 flit}");

  // Sorted by source: packets 2, 3, 1. Both wait at node 1 already, where packet 1's flits leave in
  // 3 to 14: packet 2 arrives in 4 and leaves in 15, packet 3 arrives in 6 and leaves in 17.
  REQUIRE(parts.at(2).waited.empty());
  REQUIRE(parts.at(0).waited == "vc_allocation_wait 11");
  REQUIRE(parts.at(1).waited == "source_queue 2, vc_allocation_wait 11");
}

TEST_CASE("flits that share a channel with another virtual channel wait for the switch",
          "[timed][anatomy]") {
  // At router 1 the first packet's flits could leave in cycles 4 to 7. The second packet's flits
  // arrive from 5 on at another input and have the second virtual channel. The two take turns: 4,
  // 6, 8, 10 and 5, 7, 9, 11.
  const auto parts =
      on_a_line({{1, NodeId(0), NodeId(2), 4}, {3, NodeId(1), NodeId(2), 4}}, "", "{vcs: 2}");

  REQUIRE(parts.at(0).waited == "switch_wait 3");
  REQUIRE(parts.at(1).waited == "switch_wait 3");
}

TEST_CASE("flits wait for credits where the buffer is shorter than the round trip",
          "[timed][anatomy]") {
  // The channel takes 3 cycles in each direction, so a slot is reused after 6 cycles, and there are
  // 4 slots: the fifth flit waits 2 cycles at router 0, and the sixth follows it directly.
  const auto parts =
      on_a_line({{1, NodeId(0), NodeId(1), 6}}, "", "{latency: 3 cycle, buffer: 4 flit}");

  REQUIRE(parts.at(0).waited == "credit_wait 2");
}

TEST_CASE("a packet that is switched as a whole waits for space for all its flits",
          "[timed][anatomy]") {
  // Node 1's buffer holds one packet of four flits, behind a channel of 3 cycles. The second packet
  // has a virtual channel to node 1 when the first packet's tail has left router 0 in cycle 6. It
  // has buffer space when the first packet's last flit has left router 1 in 9 and its credit has
  // arrived, in 12. It arrived at router 0 in 8.
  const auto parts =
      on_a_line({{1, NodeId(0), NodeId(1), 4}, {1, NodeId(0), NodeId(1), 4}},
                "kind: virtual_cut_through, preset: single_cycle", "{latency: 3 cycle}");

  // At its source it waited until 7 instead of 2: the first packet's last flit left router 0 in 6.
  REQUIRE(parts.at(0).waited.empty());
  REQUIRE(parts.at(1).waited == "source_queue 5, credit_wait 4");
}

TEST_CASE("flits that are not taken under ready_valid wait in their buffer", "[timed][anatomy]") {
  // Buffers have one slot. A flit occupies it for a cycle, and `ready` rises when it has left: the
  // first router takes a flit in every second cycle, and the next routers have free slots.
  const auto parts = on_a_line({{1, NodeId(0), NodeId(1), 4}},
                               "kind: wormhole, route_delay: 0 cycle, vc_delay: 0 cycle, "
                               "switch_delay: 1 cycle, traversal_delay: 0 cycle",
                               "{buffer: 1 flit, handshake: ready_valid}");

  REQUIRE(parts.at(0).waited == "injection 3");
}

TEST_CASE("channels count as links, each once", "[timed][anatomy]") {
  // Four channels of 5 cycles.
  const auto parts =
      on_a_line({{1, NodeId(0), NodeId(4), 3}}, "", "{latency: 5 cycle, buffer: 12 flit}");

  REQUIRE(parts.at(0).waited.empty());
  REQUIRE(parts.at(0).zero_load ==
          "source_queue 1, injection 1, link 20, serialisation 2, ejection 1");
}

TEST_CASE("flits behind others of their packet count as serialisation", "[timed][anatomy]") {
  const auto parts = on_a_line({{1, NodeId(0), NodeId(1), 9}});

  REQUIRE(parts.at(0).waited.empty());
  REQUIRE(parts.at(0).zero_load ==
          "source_queue 1, injection 1, link 1, serialisation 8, ejection 1");
}

TEST_CASE("a full buffer at the destination's interface counts as ejection", "[timed][anatomy]") {
  // A packet to its own node crosses no link. A router uses credits 4 cycles after their arrival,
  // so a slot of the interface's buffer is reused after 1 + 1 + 4 cycles, and there are 4 slots:
  // the fifth flit waits 2 cycles.
  const auto parts =
      on_a_line({{1, NodeId(0), NodeId(0), 6}}, "", "{buffer: 4 flit, credit_delay: 4 cycle}");

  REQUIRE(parts.at(0).waited == "ejection 2");
}

TEST_CASE("rejected probes and back-off count as injection", "[timed][anatomy]") {
  // Both circuits end at node 2. The first one holds its ejection channel from the passage of its
  // probe to that of its tail. The second one's waits are between the start at its interface and
  // its last probe.
  const std::vector<Shot> shots{{1, NodeId(0), NodeId(2), 30}, {4, NodeId(4), NodeId(2), 5}};
  const std::string router =
      "kind: circuit, route_delay: 0 cycle, switch_delay: 0 cycle, "
      "traversal_delay: 0 cycle";
  const std::string channel = "{handshake: acknowledge}";

  const auto torn_down = on_a_line(shots, router + ", backoff: 4 cycle", channel);
  const auto waiting = on_a_line(shots, router + ", busy: wait", channel);

  // A probe that waits does so in router 2: it arrives in cycle 8. The first packet's probe arrived
  // at router 2 in 5 and at its interface in 6; its acknowledgement arrives h l + 2 = 4 cycles
  // later, in 10, at node 0. The other 29 flits are driven there from 10 to 38 and leave router 2
  // three cycles later, so the output is free in 42.
  constexpr Cycle arrival = 8;
  constexpr Cycle free = 42;
  REQUIRE(waiting.at(0).waited.empty());
  REQUIRE(waiting.at(1).waited == fmt::format("vc_allocation_wait {}", free - arrival));
  // A probe that is rejected there in cycle 8 was sent in 5, and its rejection takes effect at node
  // 4 three cycles later, so the next probe is sent in 5 + 3 + 3 + 1 + d, with a random d of 0 to
  // 2^r 4 - 1 after the r-th rejection. The first probe that arrives when the output is free
  // passes.
  Random backoffs(1, "backoff", 4);
  Cycle later = 0;  // after the first probe
  for (std::uint64_t window = 8; arrival + later < free; window *= 2)
    later += 7 + static_cast<Cycle>(backoffs.below(window));
  REQUIRE(torn_down.at(0).waited.empty());
  REQUIRE(torn_down.at(1).waited == fmt::format("injection {}", later));
}

}  // namespace anatomy_parts_test
