// testbenches/fuzz/legal.cpp: see legal.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/fuzz/legal.hpp"

#include <algorithm>

namespace flitwave::fuzz {

namespace {

bool is_any(const std::string& word, std::initializer_list<const char*> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Whether a ring needs no classes of virtual channels.
bool breaks_cycles(const Case& input) {
  return input.switching == "bubble" || input.switching == "teardown";
}

/// The virtual channels among which a routing function can choose. Those of circuits are time
/// slots, which a circuit cannot choose.
int routed_vcs(const Case& input) { return input.circuits() ? 1 : input.vcs; }

/// The number of bits of a node number; -1 if the number of nodes is not a power of two.
int bits_of(int nodes) {
  int bits = 0;
  while (1 << bits < nodes) ++bits;
  return 1 << bits == nodes ? bits : -1;
}

void mend_routing(Case& input) {
  const bool one_class = breaks_cycles(input) && routed_vcs(input) == 1;
  if (!input.rings() || (routed_vcs(input) < 2 && !one_class)) input.directions = "both";
  if (!can_route(input, input.routing))
    input.routing = can_route(input, "dimension_order") ? "dimension_order" : "shortest_path";
  // One direction and one class form a dependency cycle; other kinds than dimension order need both
  // directions.
  if (input.routing != "dimension_order") {
    input.directions = "both";
    input.reversed_order = false;
    return;
  }
  if (input.rings() && one_class) input.vc_rule = "none";
  // Packets that cross more than half of a ring close the dependency cycle that at_ring_entry
  // leaves open.
  if (input.vc_rule == "at_ring_entry" && input.directions != "both")
    input.vc_rule = "remaining_wrap";
  if (input.vc_rule == "none" && !one_class) input.vc_rule = "remaining_wrap";
}

void mend_shots(Case& input) {
  const int nodes = input.nodes();
  auto& shots = input.shots;
  shots.erase(
      std::remove_if(shots.begin(), shots.end(),
                     [nodes](const Shot& shot) { return shot.from >= nodes || shot.to >= nodes; }),
      shots.end());
  const int least = input.circuits() ? 2 : 1;  // a probe and at least one further flit
  for (Shot& shot : shots) shot.flits = std::max(shot.flits, least);
  input.length = std::max(input.length, least);
}

void mend_load(Case& input) {
  mend_shots(input);
  input.hot = std::min(input.hot, input.nodes() - 1);
  if (!can_load(input, input.pattern)) input.pattern = "uniform";
  // Some patterns map every node of a small network to itself, so no node would send.
  const bool narrow =
      input.topology == "hypercube" ||
      std::all_of(input.shape.begin(), input.shape.end(), [](int extent) { return extent <= 2; });
  if (!is_any(input.pattern, {"uniform", "hotspot"}) && (narrow || input.nodes() <= 4))
    input.to_self = true;
  // A bursty source needs a rate below full load for its pauses.
  if (input.injection == "bursty" && input.rate >= 90) input.rate = 90;
}

/// A bubble needs a ring.
void mend_rings(Case& input) {
  if (input.switching != "bubble" || input.wraps.empty()) return;
  if (std::find(input.wraps.begin(), input.wraps.end(), true) == input.wraps.end())
    input.wraps.front() = true;
}

void mend_stages(Case& input) {
  if (input.circuits()) input.stages = "merged";
  if (input.stages == "merged") {
    input.allocator = "separable_input_first";
    input.iterations = 1;
    input.speculative = false;
    return;
  }
  for (const std::size_t stage : {1, 2})  // virtual channel, switch
    input.delays[stage] = std::max(input.delays[stage], 1);
}

/// The least number of virtual channels for requests alone; replies need as many.
int least_vcs(const Case& input) {
  if (breaks_cycles(input) && routed_vcs(input) == 1) return 1;
  if (is_any(input.routing, {"o1turn", "valiant", "romm"})) return input.rings() ? 4 : 2;
  if (input.routing == "duato") return input.rings() ? 3 : 2;
  return input.routing == "dimension_order" && input.rings() ? 2 : 1;
}

void mend_requests(Case& input) {
  if (input.circuits() || !input.shots.empty()) input.window = 0;
  if (input.vcs < 2 * least_vcs(input)) input.classes = false;
  if (!input.classes) input.reply_queue = 0;  // requests and replies would wait for each other
  if (input.window > 0) return;
  input.classes = input.held = input.overlapped = false;
  input.request = 1;
  input.service = input.reply_queue = input.receive_overhead = 0;
}

}  // namespace

bool can_route(const Case& input, const std::string& kind) {
  const bool grid = input.topology != "custom";
  const bool both = input.directions == "both";
  if (kind == "shortest_path") return both;
  if (kind == "dimension_order")
    return grid && (!input.rings() || routed_vcs(input) >= 2 || breaks_cycles(input));
  if (is_any(kind, {"west_first", "north_last", "negative_first", "odd_even"}))
    return input.topology == "mesh" && input.shape.size() == 2;
  if (kind == "o1turn" && (!grid || input.topology == "hypercube" || input.shape.size() != 2))
    return false;
  if (kind == "duato" && input.switching == "wormhole" && input.handshake != "credit") return false;
  const int least = kind == "duato" ? (input.rings() ? 3 : 2) : (input.rings() ? 4 : 2);
  return grid && both && routed_vcs(input) >= least;
}

bool can_load(const Case& input, const std::string& pattern) {
  if (is_any(pattern, {"uniform", "hotspot"})) return true;
  if (is_any(pattern, {"tornado", "neighbor"})) return input.topology != "custom";
  const int bits = bits_of(input.nodes());
  if (pattern == "transpose") {
    const bool square = is_any(input.topology, {"mesh", "torus"}) && input.shape.size() == 2 &&
                        input.shape[0] == input.shape[1];
    return square || (bits > 0 && bits % 2 == 0);
  }
  return bits > 0;
}

void mend(Case& input) {
  mend_rings(input);
  mend_load(input);
  mend_routing(input);
  if (input.handshake != "credit" || input.switching == "bubble") input.atomic = false;
  if (input.routing == "duato" && input.switching == "wormhole") input.atomic = true;
  if (input.whole() && input.handshake == "ready_valid") input.latency = 1;
  mend_requests(input);
  const int packets = input.switching == "bubble" ? 2 : input.whole() ? 1 : 0;
  input.depth = std::max(input.depth, packets * input.longest());
  input.longest_backoff = std::max(input.longest_backoff, input.backoff);
  if (input.handshake != "credit") input.credit_delay = input.interface_delay = 0;
  if (input.circuits()) input.injects_with_room = false;
  mend_stages(input);
}

}  // namespace flitwave::fuzz
