// testbenches/fuzz/case.cpp: see case.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/fuzz/case.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

#include "flitwave/configs/random.hpp"

namespace flitwave::fuzz {

namespace {

/// Draws of one case.
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

/// Extents of up to three dimensions, of which some may be 1, for 2 .. 24 nodes.
std::vector<int> draw_shape(Dice& dice) {
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
  const bool rings = drawn.topology == "ring" || drawn.topology == "torus";
  // One class of virtual channels and one way round is a circle that no routing can break.
  if (rings && drawn.vcs >= 2)
    drawn.directions = dice.any({"both", "both", "positive", "negative"});
  if (drawn.topology == "ring") {
    drawn.shape = {dice.draw(2, 9)};
    return;
  }
  drawn.shape = draw_shape(dice);
  if (!rings) return;
  for (std::size_t i = 0; i < drawn.shape.size(); ++i) drawn.wraps.push_back(!dice.one_in(4));
}

void draw_routing(Dice& dice, Case& drawn) {
  const bool rings = drawn.topology == "ring" || drawn.topology == "torus";
  drawn.shortest_path = drawn.topology == "custom" || (rings && drawn.vcs < 2) ||
                        (drawn.directions == "both" && dice.one_in(8));
  if (drawn.shortest_path) return;
  drawn.ties = dice.any({"positive", "negative", "random", "source_parity"});
  // Packets that go round more than half a ring close the circle that at_ring_entry leaves open.
  drawn.vc_rule = drawn.directions == "both"
                      ? dice.any({"remaining_wrap", "after_crossing", "at_ring_entry"})
                      : dice.any({"remaining_wrap", "after_crossing"});
  drawn.reversed_order = dice.one_in(3);
}

void draw_router(Dice& dice, Case& drawn) {
  drawn.latency = dice.draw(1, 3);
  drawn.depth = dice.draw(1, 6);
  if (!dice.one_in(3))
    for (int& delay : drawn.delays) delay = dice.draw(0, 3);
  drawn.arbitration = dice.any({"round_robin", "first_come", "oldest_packet", "fixed", "random"});
  drawn.atomic = drawn.handshake == "credit" && dice.one_in(2);
  drawn.ports = dice.draw(0, 4);
}

void draw_load(Dice& dice, Case& drawn) {
  drawn.to_self = dice.one_in(4);
  drawn.rate = dice.one_in(4) ? dice.draw(2, 50) : dice.draw(50, 100);
  drawn.length = dice.one_in(5) ? 1 : dice.draw(2, 12);
  drawn.measure = dice.draw(60, 300);
  drawn.drain = dice.one_in(2) ? 0 : dice.draw(1, 500);
}

std::string topology_text(const Case& input) {
  if (input.topology == "custom") {
    std::vector<std::string> pairs;
    for (const auto& [from, to] : input.joined) pairs.push_back(fmt::format("[{}, {}]", from, to));
    return fmt::format("{{kind: custom, channels: [{}]}}", fmt::join(pairs, ", "));
  }
  if (input.topology == "hypercube")
    return fmt::format("{{kind: hypercube, dimensions: {}}}", input.shape.front());
  if (input.topology == "ring")
    return fmt::format("{{kind: ring, nodes: {}, directions: {}}}", input.shape.front(),
                       input.directions);
  if (input.topology == "mesh")
    return fmt::format("{{kind: mesh, shape: [{}]}}", fmt::join(input.shape, ", "));
  std::vector<const char*> wraps;
  for (bool wrap : input.wraps) wraps.push_back(wrap ? "true" : "false");
  return fmt::format("{{kind: torus, shape: [{}], wrap: [{}], directions: {}}}",
                     fmt::join(input.shape, ", "), fmt::join(wraps, ", "), input.directions);
}

std::string routing_text(const Case& input) {
  if (input.shortest_path) return "{kind: shortest_path}";
  std::string order;
  if (input.reversed_order) {
    const int dimensions =
        input.topology == "hypercube" ? input.shape.front() : static_cast<int>(input.shape.size());
    std::vector<int> axes(static_cast<std::size_t>(dimensions));
    std::iota(axes.rbegin(), axes.rend(), 0);
    order = fmt::format(", order: [{}]", fmt::join(axes, ", "));
  }
  return fmt::format("{{kind: dimension_order, ties: {}, vc_rule: {}{}}}", input.ties,
                     input.vc_rule, order);
}

std::string router_text(const Case& input) {
  return fmt::format(
      "{{kind: {}, route_delay: {} cycle, vc_delay: {} cycle, switch_delay: {} cycle, "
      "traversal_delay: {} cycle, arbitration: {}, vc_reallocation: {}}}",
      input.switching, input.delays[0], input.delays[1], input.delays[2], input.delays[3],
      input.arbitration, input.atomic ? "atomic" : "non_atomic");
}

}  // namespace

int Case::nodes() const {
  if (topology == "hypercube") return 1 << shape.front();
  if (topology != "custom")
    return std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>());
  int greatest = 0;
  for (const auto& [from, to] : joined) greatest = std::max({greatest, from, to});
  return greatest + 1;
}

std::string Cell::text() const {
  return fmt::format("{} {} {} vc {}", switching, handshake, vcs, topology);
}

namespace {

std::vector<Cell> make_cells() {
  std::vector<Cell> all;
  for (const char* switching : {"wormhole"})
    for (const char* topology : {"mesh", "torus", "ring", "hypercube", "custom"})
      for (int vcs = 1; vcs <= 8; ++vcs)
        for (const char* handshake : {"credit", "ready_valid"})
          all.push_back({switching, handshake, vcs, topology});
  return all;
}

}  // namespace

const std::vector<Cell>& cells() {
  static const std::vector<Cell> all = make_cells();
  return all;
}

// In strides that share no factor with their number, so that the first few cases are of all sorts.
const Cell& cell_of(std::int64_t number) {
  const std::size_t count = cells().size();
  std::size_t stride = count * 3 / 8 + 1;
  while (std::gcd(stride, count) != 1) ++stride;
  return cells()[static_cast<std::size_t>(number) % count * stride % count];
}

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
  draw_routing(dice, drawn);
  draw_router(dice, drawn);
  draw_load(dice, drawn);
  return drawn;
}

Scenario scenario_of(const Case& input) {
  return Scenario::parse(fmt::format(
      R"(scenario: {}
seed: {}
topology: {}
routing: {}
channel: {{latency: {} cycle, vcs: {}, buffer: {} flit, handshake: {}}}
router: {}
node: {{ports: {}}}
traffic:
  pattern: {{kind: uniform, self: {}}}
  rate: {} flit/node/cycle
  packet: {} flit
  warmup: 0 cycle
  measure: {} cycle
  drain: {} cycle
stop: {{limit: 200000 cycle}}
watchdog: {{interval: 97 cycle}}
)",
      input.name, input.seed, topology_text(input), routing_text(input), input.latency, input.vcs,
      input.depth, input.handshake, router_text(input),
      input.ports == 0 ? "all" : std::to_string(input.ports), input.to_self,
      static_cast<double>(input.rate) / 100, input.length, input.measure, input.drain));
}

}  // namespace flitwave::fuzz
