// testbenches/tests/paper/lan_1988/lan_1988_times_test.cpp: latencies of Lan 1988,
// sections 3.1, 3.5 and 6.4.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <map>

#include "algorithms/cost_models/hop_model.hpp"
#include "algorithms/cost_models/machines.hpp"
#include "algorithms/cost_models/measurements.hpp"
#include "testbenches/reference/papers/cube_draw.hpp"
#include "testbenches/reference/papers/hop_fit.hpp"
#include "testbenches/reference/papers/relay_times.hpp"
#include "testbenches/tests/paper/lan_1988/lan_1988.hpp"

namespace lan_1988_times_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

/// Times in tenths of a microsecond: T_f = 0.1 us, T_c = 1 us.
RelayTiming timing(std::int64_t data, Selecting selecting = Selecting::overlapped) {
  RelayTiming timing;
  timing.handshake_time = {0};
  timing.data = data;
  timing.selecting = selecting;
  return timing;
}

/// The arrival time at every node that the message reaches. Unit: us
std::map<CubeAddress, double> arrivals(int n, const RelayTiming& timing, CubeAddress source,
                                       const CubeNodes& list, CubeBits faulty_of_source = 0) {
  const Cube cube(n);
  RelayRules rules{cube.nodes() - 2, faulty_of_source != 0, true, TieRule::lowest()};
  const auto faults = [&](CubeAddress here) { return here == source ? faulty_of_source : 0; };
  std::map<CubeAddress, double> times;
  for (const RelayArrival& arrival : relay_arrivals(
           cube, rules, timing, source, header_for(cube, source, list, rules.format()), faults))
    REQUIRE(times.emplace(arrival.node, static_cast<double>(arrival.time) / 10).second);
  return times;
}

void require_times(const std::map<CubeAddress, double>& found,
                   const std::map<CubeAddress, double>& expected) {
  REQUIRE(found.size() == expected.size());
  for (const auto& [node, time] : expected) REQUIRE(found.at(node) == Approx(time).margin(1e-9));
}

/// Field by field: the time at which a router and the routers behind it have each field of a
/// message completely.
class Pipeline {
 public:
  Pipeline(const Cube& cube, const RelayRules& rules, const RelayTiming& timing)
      : cube_(cube), rules_(rules), timing_(timing) {}

  void enter(CubeAddress here, bool injected, const CubeHeader& header,
             const std::vector<std::int64_t>& got) {
    const auto length = static_cast<std::size_t>(header.length());
    const CubeDecision<CubeHeader> decision =
        relay_decision(cube_, rules_, {here, injected, header, 0});
    const std::int64_t decided = got[length - 1];
    if (decision.deliver)
      arrived[here] = out(decided + timing_.selection.count, {}, length, got).back();
    for (std::size_t i = 0; i < decision.branches.size(); ++i) {
      const CubeHeader& onward = decision.branches[i].message;
      const std::int64_t begin = decided +
                                 static_cast<std::int64_t>(i + 1) * timing_.selection.count +
                                 timing_.handshake();
      enter(here ^ bit(decision.branches[i].dimension), false, onward,
            out(begin, fields_of(onward), length, got));
    }
  }

  std::map<CubeAddress, std::int64_t> arrived;
  bool gaps = false;

 private:
  /// The time at which the receiver has each field; data leave when they are complete, regardless
  /// of gaps.
  std::vector<std::int64_t> out(std::int64_t begin, const std::vector<CubeBits>& fields,
                                std::size_t incoming, const std::vector<std::int64_t>& got) {
    std::vector<std::int64_t> sent;
    std::int64_t free = begin;
    for (std::size_t i = 0; i < fields.size(); ++i) sent.push_back(free += timing_.field);
    for (std::size_t i = incoming; i < got.size(); ++i) {
      gaps = gaps || got[i] > free;
      free = std::max(free, got[i]) + timing_.field;
      sent.push_back(free);
    }
    return sent;
  }

  const Cube& cube_;
  const RelayRules& rules_;
  const RelayTiming& timing_;
};

}  // namespace

TEST_CASE("table 1.1: a transfer takes 19, 26 and 32 times as long as a multiplication",
          "[paper][lan_1988][lan_1988-O3]") {
  const std::string file = "lan_1988/table_1_1";
  const Table& table = measurements(file);
  const std::vector<double> ratios{19, 26, 32};
  REQUIRE(table.rows.size() == 3);
  for (std::size_t row = 0; row < 3; ++row)
    REQUIRE(std::round(table.number(row, "transfer", file) / table.number(row, "multiply", file)) ==
            ratios[row]);
}

TEST_CASE("tables 2.1 and 3.1 are available for comparison", "[paper][lan_1988]") {
  const std::string file = "lan_1988/table_3_1";
  std::map<std::string, TauPoint> points;
  for (const TauTrace& trace : tau_traces(measurements(file), file))
    for (const auto& [name, point] : trace.points) points[name] = point;
  REQUIRE(points.at("mark_iii").startup == 95);
  REQUIRE(points.at("ipsc").per_byte == 2.83);
  REQUIRE(points.at("ametek_s14").at(100) == Approx(550 + 953));
  REQUIRE(points.at("ncube_ten").startup == 384);
  const Table& machines = measurements("lan_1988/table_2_1");
  REQUIRE(machines.rows.size() == 5);
  REQUIRE(machines.number(4, "channels", "lan_1988/table_2_1") == 11);
}

TEST_CASE("the machines of table 3.1 have names and the properties of tables 1.1 and 2.1",
          "[paper][lan_1988][lan_1988-O3]") {
  REQUIRE(machine("mark_iii").cost.alpha == 47.5);
  REQUIRE(machine("mark_iii").cost.gamma == 47.5);
  REQUIRE(machine("mark_iii").point().per_byte == 0.563);
  REQUIRE_FALSE(machine("mark_iii").combine);
  REQUIRE(machine("mark_iii").notes ==
          std::vector<std::string>{"table 2.1, Mark-III: a hypercube of 32-1024 nodes, each with 8 "
                                   "channels of 13.5 Mbit/s, 0.5926 us a byte"});
  REQUIRE(*machine("ipsc").combine == 43.0 / 8);
  REQUIRE(machine("ipsc").notes.front() ==
          "table 1.1, Intel iPSC: 8 bytes to a neighbour take 1120 us, and a product of 8-byte "
          "numbers 43 us, 26 times less");
  REQUIRE(*machine("ametek_s14").combine == Approx(33.9 / 8));
  REQUIRE(machine("ncube_ten").point().startup == 384);
  REQUIRE(machine("ncube_64").point().startup == 515);
  REQUIRE(machine("ncube_64").source == "Lan 1988, section 3.5");
}

TEST_CASE("the machine of Fig. 3.3 has a name", "[paper][lan_1988][lan_1988-O4]") {
  REQUIRE(hop_machines().size() == 1);
  REQUIRE(hop_machine("ncube_64").source == "Lan 1988, section 3.5");
  REQUIRE_THROWS_WITH(hop_machine("ncube_63"), Catch::Contains("did you mean `ncube_64`?"));
}

TEST_CASE(
    "the NCUBE's hops: 477.5 us and 2.6 us a byte to a neighbour, where 515 and 2.5 were fitted",
    "[paper][lan_1988][lan_1988-O4]") {
  const HopModel ncube = hop_model("ncube_64");
  REQUIRE(ncube.one_hop().startup == Approx(477.5));
  REQUIRE(ncube.one_hop().per_byte == Approx(2.6));
  REQUIRE(ncube.one_hop().startup / 515 == Approx(1 - 0.07).margin(0.005));
  REQUIRE(ncube.one_hop().per_byte / 2.5 == Approx(1.04).margin(0.005));
}

TEST_CASE("Fig. 3.3: store and forward on the NCUBE of 64 nodes, reproduced by its fit",
          "[paper][lan_1988][lan_1988-O4][lan_1988-O35]") {
  const HopModel ncube = hop_model("ncube_64");
  const std::map<double, std::vector<double>> table{
      {0, {477.5, 709.5, 941.5, 1173.5, 1405.5, 1637.5}},
      {64, {643.9, 959.1, 1274.3, 1589.5, 1904.7, 2219.9}},
      {256, {1143.1, 1707.9, 2272.7, 2837.5, 3402.3, 3967.1}},
      {1024, {3139.9, 4703.1, 6266.3, 7829.5, 9392.7, 10955.9}}};
  std::vector<MeasuredHops> samples;
  std::vector<MeasuredTime> neighbours;
  for (const auto& [bytes, times] : table)
    for (int hops = 1; hops <= 6; ++hops) {
      const double time = times[static_cast<std::size_t>(hops) - 1];
      REQUIRE(ncube.store_and_forward(hops, bytes) == Approx(time));
      samples.push_back({hops, bytes, time});
      if (hops == 1) neighbours.push_back({bytes, time});
    }
  REQUIRE(fit_hops(samples).ends == Approx(13.5));
  REQUIRE(fit_hops(samples).decision == Approx(232));
  REQUIRE(fit_hops(samples).per_byte == Approx(1.3));
  REQUIRE(fit_line(neighbours).startup == Approx(477.5));
  REQUIRE(fit_line(neighbours).per_byte == Approx(2.6));
}

TEST_CASE("the relay router takes 4.9 us a hop, 319 times less than store and forward",
          "[paper][lan_1988][lan_1988-O35]") {
  HopModel relay = hop_model("ncube_64");
  const double stored = relay.store_and_forward(2, 1024) - relay.store_and_forward(1, 1024);
  relay.decision = 1;
  const std::vector<double> known{1350.6, 1355.5, 1360.4, 1365.3, 1370.2, 1375.1};
  for (int hops = 1; hops <= 6; ++hops)
    REQUIRE(relay.relay(hops, 1024, 3) == Approx(known[static_cast<std::size_t>(hops) - 1]));
  const double relayed = relay.relay(2, 1024, 3) - relay.relay(1, 1024, 3);
  REQUIRE(relayed == Approx(4.9));
  REQUIRE(stored == Approx(1563.2));
  REQUIRE(std::round(stored / relayed) == 319);
}

TEST_CASE("arrivals of four multicasts with overlapped selections",
          "[paper][lan_1988][lan_1988-O35]") {
  require_times(arrivals(3, timing(16), 0, {0b011, 0b101}), {{0b011, 5.7}, {0b101, 6.7}});
  require_times(arrivals(5, timing(32), example_source, example_destinations()),
                {{7, 7.3}, {0, 8.9}, {1, 9.3}, {18, 9.6}, {20, 9.9}, {29, 11.6}});
  require_times(arrivals(5, timing(32), example_source, example_destinations(), 0b00010),
                {{7, 6.5}, {0, 8.7}, {1, 9.2}, {20, 9.6}, {18, 9.7}, {29, 11.5}});
  require_times(arrivals(5, timing(32), 0, {31}), {{31, 11.0}});
}

TEST_CASE("arrivals of three multicasts with all selections first",
          "[paper][lan_1988][lan_1988-O35]") {
  const Selecting first = Selecting::sequential;
  require_times(arrivals(3, timing(16, first), 0, {0b011, 0b101}), {{0b011, 6.7}, {0b101, 6.7}});
  require_times(arrivals(5, timing(32, first), example_source, example_destinations()),
                {{7, 8.3}, {18, 9.6}, {0, 11.9}, {20, 11.9}, {1, 14.3}, {29, 15.6}});
  require_times(arrivals(5, timing(32, first), 0, {31}), {{31, 11.0}});
}

TEST_CASE("to one destination a multicast takes the times of equations 3.4 and 3.5",
          "[paper][lan_1988][lan_1988-O35]") {
  // Fields of one byte, one cycle each; the whole address part is three fields.
  const HopModel model{0, 10, 1};
  RelayTiming cut = timing(32);
  RelayTiming stored = cut;
  stored.switching = Relaying::store_and_forward;
  for (CubeAddress to : Cube(5).all_but(0)) {
    const int hops = cube_distance(0, to);
    REQUIRE(arrivals(5, cut, 0, {to}).at(to) * 10 == Approx(model.relay(hops, 35, 3)));
    REQUIRE(arrivals(5, stored, 0, {to}).at(to) * 10 == Approx(model.store_and_forward(hops, 35)));
  }
}

TEST_CASE("each hop adds a handshake, the ends add their own times",
          "[paper][lan_1988][lan_1988-O35]") {
  RelayTiming slow = timing(32);
  slow.handshake_time = {2};
  slow.from_source = 7;
  slow.to_processor = 3;
  const auto plain = arrivals(5, timing(32), example_source, example_destinations());
  for (const auto& [node, time] : arrivals(5, slow, example_source, example_destinations()))
    REQUIRE(time * 10 ==
            Approx(plain.at(node) * 10 + 7 + 3 + 2 * cube_distance(example_source, node)));
}

TEST_CASE("the formula equals a pipeline of fields, which has no gaps",
          "[paper][lan_1988][lan_1988-O35]") {
  Random random(6, "lan_1988");
  for (int trial = 0; trial < 1000; ++trial) {
    const Cube cube(2 + static_cast<int>(random.below(6)));
    const int k = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(cube.nodes()) - 1));
    RelayTiming times = timing(1 + static_cast<std::int64_t>(random.below(40)));
    times.field = 1 + static_cast<int>(random.below(3));
    times.selection = {times.field * static_cast<Cycle>(1 + random.below(12))};
    times.handshake_time = {static_cast<Cycle>(random.below(4))};
    const RelayRules rules{1 + static_cast<int>(random.below(20)), false, true, TieRule::lowest()};
    const CubeHeader header = header_for(cube, 0, draw_uniform(cube, 0, k, random));

    Pipeline pipeline(cube, rules, times);
    std::vector<std::int64_t> injected;
    for (std::int64_t i = 1; i <= header.length() + times.data; ++i)
      injected.push_back(i * times.field);
    pipeline.enter(0, true, header, injected);

    REQUIRE_FALSE(pipeline.gaps);
    std::map<CubeAddress, std::int64_t> formula;
    for (const RelayArrival& arrival : relay_arrivals(cube, rules, times, 0, header))
      formula[arrival.node] = arrival.time;
    REQUIRE(formula == pipeline.arrived);
  }
}

TEST_CASE("a router is busy until its last branch has left", "[paper][lan_1988]") {
  const Cube cube(3);
  const CubeHeader incoming{2, {0b011, 0b101}, 0};
  const CubeDecision<CubeHeader> decision =
      relay_decision(cube, RelayRules{}, {0b001, false, incoming, 0});
  RelayTiming times = timing(16);
  times.handshake_time = {2};
  // Section 6.4: H T_f + max(p T_c + T_hs + (H' + L) T_f), after the router's own handshake.
  REQUIRE(relay_schedule(times, incoming, decision).done == 4 + 2 * 10 + 2 + 3 + 16);
  times.branching = Branching::serial;
  // The first branch ends at 4 + 10 + 2 + 19; the second takes the same time again.
  REQUIRE(relay_schedule(times, incoming, decision).done == 35 + 2 + 19);
  REQUIRE(relay_buffer_fill(times, 1, 3) == 13);
  REQUIRE(relay_buffer_fill(times, 2, 3) == 17);
}

}  // namespace lan_1988_times_test
