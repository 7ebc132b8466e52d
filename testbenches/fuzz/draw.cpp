// testbenches/fuzz/draw.cpp: the random settings of a case and their ranges.
// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include <fmt/format.h>

#include "configs/random.hpp"
#include "testbenches/fuzz/legal.hpp"

namespace flitwave::fuzz {

namespace {

/// Random numbers of one case.
class Dice {
 public:
  Dice(std::uint64_t seed, std::int64_t number)
      : random_(seed, "fuzz", static_cast<std::uint64_t>(number)) {}

  int draw(int least, int greatest) {
    return least +
           static_cast<int>(random_.below(static_cast<std::uint64_t>(greatest - least + 1)));
  }
  bool one_in(int count) { return draw(1, count) == 1; }
  std::string any(const std::vector<std::string>& words) {
    return words[static_cast<std::size_t>(draw(0, static_cast<int>(words.size()) - 1))];
  }

 private:
  Random random_;
};

/// Extents of up to three dimensions, some of which may be 1, for 2 .. 24 nodes; many are squares.
std::vector<int> draw_shape(Dice& dice) {
  if (dice.one_in(4)) return std::vector<int>(2, dice.draw(2, 4));
  while (true) {
    std::vector<int> shape(static_cast<std::size_t>(dice.draw(1, 3)));
    for (int& extent : shape) extent = dice.draw(1, shape.size() == 1 ? 9 : 5);
    const int nodes = std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>());
    if (nodes >= 2 && nodes <= 24) return shape;
  }
}

void draw_custom(Dice& dice, Case& drawn) {
  const int nodes = dice.draw(2, 10);
  for (int node = 1; node < nodes; ++node) drawn.joined.emplace_back(dice.draw(0, node - 1), node);
  for (int more = dice.draw(0, nodes); more > 0; --more) {
    const int from = dice.draw(0, nodes - 2);
    drawn.joined.emplace_back(from, dice.draw(from + 1, nodes - 1));
  }
}

void draw_topology(Dice& dice, Case& drawn) {
  if (drawn.topology == "custom") return draw_custom(dice, drawn);
  if (drawn.topology == "hypercube") {
    drawn.shape = {dice.draw(1, 4)};
    return;
  }
  drawn.directions = dice.any({"both", "both", "both", "positive", "negative"});
  if (drawn.topology == "ring") {
    drawn.shape = {dice.draw(2, 9)};
    return;
  }
  drawn.shape = draw_shape(dice);
  if (drawn.topology != "torus") return;
  for (std::size_t i = 0; i < drawn.shape.size(); ++i) drawn.wraps.push_back(!dice.one_in(4));
}

void draw_routing(Dice& dice, Case& drawn) {
  std::vector<std::string> kinds;
  for (const char* kind :
       {"dimension_order", "dimension_order", "dimension_order", "shortest_path", "west_first",
        "north_last", "negative_first", "odd_even", "o1turn", "valiant", "romm", "duato", "duato"})
    if (can_route(drawn, kind)) kinds.emplace_back(kind);
  drawn.routing = dice.any(kinds);
  drawn.ties = dice.any({"positive", "negative", "random", "source_parity"});
  drawn.vc_rule = dice.any({"remaining_wrap", "after_crossing", "at_ring_entry"});
  drawn.reversed_order = dice.one_in(3);
  drawn.random_ties = dice.one_in(2);
}

void draw_router(Dice& dice, Case& drawn) {
  drawn.latency = dice.draw(1, 3);
  drawn.depth = dice.draw(1, 6);
  if (!dice.one_in(3))
    for (int& delay : drawn.delays) delay = dice.draw(0, 3);
  drawn.arbitration = dice.any({"round_robin", "first_come", "oldest_packet", "fixed", "random"});
  drawn.atomic = dice.one_in(2);
  drawn.stored = dice.one_in(4);
  drawn.ports = dice.draw(0, 4);
  drawn.backoff = dice.draw(1, 16);
  drawn.longest_backoff = drawn.backoff * dice.draw(1, 20);
  if (dice.one_in(8)) drawn.attempts = dice.draw(2, 6);
}

/// Packets of random lengths within a short time.
void draw_shots(Dice& dice, Case& drawn) {
  const int nodes = drawn.nodes();
  const int packets = dice.draw(1, 12 * nodes);
  const int cycles = dice.draw(1, 120);
  for (int i = 0; i < packets; ++i)
    drawn.shots.push_back({dice.draw(0, cycles), dice.draw(0, nodes - 1), dice.draw(0, nodes - 1),
                           dice.draw(1, drawn.length)});
}

void draw_load(Dice& dice, Case& drawn) {
  drawn.pattern = "uniform";
  if (dice.one_in(2))
    drawn.pattern = dice.any({"transpose", "bit_complement", "bit_reverse", "shuffle", "tornado",
                              "neighbor", "hotspot"});
  drawn.hot = dice.draw(0, drawn.nodes() - 1);
  drawn.to_self = dice.one_in(4);
  drawn.injection = dice.any({"bernoulli", "bernoulli", "periodic", "bursty"});
  drawn.burst = dice.draw(10, 60);
  drawn.rate = dice.one_in(4) ? dice.draw(2, 50) : dice.draw(50, 100);
  drawn.length = dice.one_in(5) ? 1 : dice.draw(2, 12);
  drawn.measure = dice.draw(60, 300);
  drawn.drain = dice.one_in(2) ? 0 : dice.draw(1, 500);
  if (dice.one_in(6)) draw_shots(dice, drawn);
}

/// Delayed credits in one of three cases; packets that require buffer space in another third.
void draw_credits(Dice& dice, Case& drawn) {
  if (dice.one_in(3)) {
    drawn.credit_delay = dice.draw(0, 4);
    drawn.interface_delay = dice.draw(0, 4);
  }
  drawn.injects_with_room = dice.one_in(3);
}

/// Closed-loop load in one of four cases in which it is possible.
void draw_requests(Dice& dice, Case& drawn) {
  if (drawn.circuits() || !drawn.shots.empty() || !dice.one_in(4)) return;
  drawn.window = dice.draw(1, 6);
  drawn.request = dice.draw(1, 6);
  if (dice.one_in(2)) drawn.service = dice.draw(0, 20);
  drawn.classes = dice.one_in(2);
  if (drawn.classes && dice.one_in(2)) drawn.reply_queue = dice.draw(1, 4);
  drawn.held = dice.one_in(2);
  if (dice.one_in(2)) drawn.receive_overhead = dice.draw(1, 12);
  drawn.overlapped = dice.one_in(3);
}

/// Clocked stages in one of three cases in which they are possible; otherwise merged ones.
void draw_stages(Dice& dice, Case& drawn) {
  if (drawn.circuits() || !dice.one_in(3)) return;
  drawn.stages = "clocked";
  drawn.allocator = dice.any({"separable_input_first", "separable_output_first", "islip"});
  drawn.iterations = dice.draw(1, 3);
  drawn.speculative = dice.one_in(2);
}

/// Additional buffer space beyond the minimum for whole packets.
void add_depth(Dice& dice, Case& drawn) {
  const int more = dice.draw(0, drawn.longest());
  if (drawn.whole() && dice.one_in(2)) drawn.depth += more;
}

}  // namespace

Case draw_case(std::uint64_t seed, std::int64_t number) {
  const Cell& cell = cell_of(number);
  Dice dice(seed, number);
  Case drawn;
  drawn.name = fmt::format("fuzz_{}_{}", seed, number);
  drawn.seed = static_cast<std::uint64_t>(dice.draw(1, 1'000'000));
  drawn.switching = cell.switching;
  drawn.handshake = cell.handshake;
  drawn.vcs = cell.vcs;
  drawn.topology = cell.topology;
  draw_topology(dice, drawn);
  draw_router(dice, drawn);
  draw_load(dice, drawn);
  mend(drawn);
  draw_routing(dice, drawn);
  mend(drawn);
  add_depth(dice, drawn);
  draw_stages(dice, drawn);
  draw_credits(dice, drawn);
  draw_requests(dice, drawn);
  mend(drawn);
  return drawn;
}

}  // namespace flitwave::fuzz
