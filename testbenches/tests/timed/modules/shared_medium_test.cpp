// testbenches/tests/timed/modules/shared_medium_test.cpp: stations take turns, collide, back off
// and give up.
// SPDX-License-Identifier: Apache-2.0
#include "modules/shared_medium.hpp"

#include <memory>

#include <fmt/format.h>
#include <systemc>

#include "configs/random.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace shared_medium_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

Scenario stations(int count,
                  const std::vector<std::pair<std::string, std::string>>& settings = {}) {
  Scenario scenario = Scenario::parse(fmt::format(R"(
scenario: test
topology: {{kind: complete, nodes: {}}}
routing: {{kind: shortest_path}}
router: {{kind: station}}
channel: {{buffer: 64 flit}}
)",
                                                  count));
  for (const auto& [key, value] : settings) scenario = scenario.with(key, value);
  return scenario;
}

/// Logs the edges at which stations begin (+) and end (-) to transmit, sampled from the wires: "12
/// +0 +1; 18 -0 -1".
class TransmitLog final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(TransmitLog);
  TransmitLog(const sc_core::sc_module_name& name, ClockDomain& domain, SharedMedium& medium)
      : sc_module(name), transmit("transmit", medium.transmit.size()), was_(transmit.size()) {
    clk(domain.clk());
    for (std::size_t i = 0; i < transmit.size(); ++i) transmit[i](medium.transmit[i]);
    SC_METHOD(sample);
    sensitive << clk.pos();
    dont_initialize();
  }

  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_vector<sc_core::sc_in<bool>> transmit;

  const std::string& log() const { return log_; }

 private:
  /// Samples the values driven at the preceding edge.
  void sample() {
    ++edge_;
    std::string changes;
    for (std::size_t i = 0; i < transmit.size(); ++i)
      if (transmit[i].read() != was_[i]) {
        was_[i] = transmit[i].read();
        changes += fmt::format(" {}{}", was_[i] ? '+' : '-', i);
      }
    if (!changes.empty())
      log_ += fmt::format("{}{}{}", log_.empty() ? "" : "; ", edge_ - 1, changes);
  }

  std::vector<bool> was_;
  Cycle edge_ = 0;
  std::string log_;
};

/// Counts cycles in which flits of two frames cross.
class OneAtATime final : public TransitListener {
 public:
  explicit OneAtATime(Testbench& testbench) { testbench.listen(ChannelSite::Kind::network, *this); }

  void on_transits(Cycle, const std::vector<Transit>& transits) override {
    for (const Transit& transit : transits) {
      if (transits.size() > 1 || transit.flit.head() != (current_ < 0) ||
          (current_ >= 0 && transit.channel != current_))
        ++overlaps;
      current_ = transit.flit.tail() ? -1 : transit.channel;
    }
  }

  int overlaps = 0;

 private:
  int current_ = -1;
};

SharedMedium& medium_of(Testbench& testbench) {
  return dynamic_cast<SharedMedium&>(*testbench.netlist().shared());
}

/// All nodes send to all others at the same time.
Scenario rush(int nodes, const std::vector<std::pair<std::string, std::string>>& settings = {}) {
  Scenario scenario = stations(nodes)
                          .with("operation", "{kind: complete_exchange, message: 100 B}")
                          .with("algorithm", "{kind: separate}")
                          .with("packet_format", "{longest: 64 flit}")
                          .with("node", "{send_overhead: 20 cycle, receive_overhead: 20 cycle}");
  for (const auto& [key, value] : settings) scenario = scenario.with(key, value);
  return scenario;
}

/// Hands a packet of 20 flits for the next node to each interface at its start cycle, if it has
/// one.
class Starter final : public Sleeper {
 public:
  Starter(Testbench& testbench, const std::vector<Cycle>& starts)
      : testbench_(testbench), starts_(starts) {
    for (const Cycle start : starts)
      if (start > 0) testbench.domain().at(start, *this);
  }

  void due() override {
    const int nodes = static_cast<int>(starts_.size());
    for (int node = 0; node < nodes; ++node) {
      if (starts_[static_cast<std::size_t>(node)] != testbench_.domain().now()) continue;
      OutgoingMessage packet;
      packet.destination = NodeId((node + 1) % nodes);
      packet.packets = 20;
      testbench_.netlist().interface(NodeId(node)).send(std::move(packet));
      starts_[static_cast<std::size_t>(node)] = -1;
    }
  }

 private:
  Testbench& testbench_;
  std::vector<Cycle> starts_;
};

/// The log of the `transmit` wires when node i gets its packet at cycle starts[i].
std::string transmit_log(const std::vector<Cycle>& starts, std::uint64_t seed = 1,
                         const char* router = "{kind: station}") {
  const Scenario scenario =
      stations(static_cast<int>(starts.size()))
          .with("seed", std::to_string(seed))
          .with("router", router)
          .with("traffic",
                "{rate: 0 flit/node/cycle, packet: 20 flit, warmup: 0 cycle, measure: 1000 cycle}");
  SimulateOptions options;
  options.attach = [&starts](Testbench& testbench) {
    auto starter = std::make_shared<Starter>(testbench, starts);
    auto log = std::make_shared<TransmitLog>("log", testbench.domain(), medium_of(testbench));
    return [starter, log](Results& results) { results.notes.push_back(log->log()); };
  };
  const Results results = simulate(scenario, standard_catalog(), options);
  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
  return results.notes.back();
}

/// The first seed with which the stations choose these slots after their first collision.
std::uint64_t seed_with_slots(const std::vector<std::uint64_t>& slots) {
  for (std::uint64_t seed = 1;; ++seed) {
    bool match = true;
    for (std::size_t node = 0; node < slots.size(); ++node)
      match = match && Random(seed, "station backoff", node).below(2) == slots[node];
    if (match) return seed;
  }
}

}  // namespace

// An interface that gets a packet at cycle 10 sends its head at 11; the station takes it at 12 and
// begins. After a preamble of 8 cycles 20 flits follow, and the wire falls at 12 + 28 = 40.
TEST_CASE("a station alone sends its preamble and its flits", "[timed]") {
  REQUIRE(transmit_log({10, -1}) == "12 +0; 40 -0");
}

// The stations detect the collision at 14 and jam for 4 cycles. Station 0 waits for no slot, only
// for a gap of 12 cycles after 18; station 1 waits for a slot of 64 cycles after 18.
TEST_CASE("of two stations that collide, the one with the smaller random slot transmits first",
          "[timed]") {
  REQUIRE(transmit_log({10, 10}, seed_with_slots({0, 1})) ==
          "12 +0 +1; 18 -0 -1; 30 +0; 58 -0; 82 +1; 110 -1");
  REQUIRE(transmit_log({10, 10}, seed_with_slots({1, 0})) ==
          "12 +0 +1; 18 -0 -1; 30 +1; 58 -1; 82 +0; 110 -0");
}

TEST_CASE("two stations that choose the same slot collide again", "[timed]") {
  const std::string log = transmit_log({10, 10}, seed_with_slots({0, 0}));

  INFO(log);
  REQUIRE(log.find("12 +0 +1; 18 -0 -1; 30 +0 +1; 36 -0 -1; ") == 0);
}

TEST_CASE("a station does not sense another one that began a cycle before", "[timed]") {
  const std::string log = transmit_log({10, 11}, seed_with_slots({0, 1}));

  INFO(log);
  REQUIRE(log.find("12 +0; 13 +1; 19 -0 -1; ") == 0);
}

TEST_CASE("a station that senses a carrier waits for its end and a gap", "[timed]") {
  REQUIRE(transmit_log({10, 12}) == "12 +0; 40 -0; 52 +1; 80 -1");
  REQUIRE(transmit_log({10, 30}) == "12 +0; 40 -0; 52 +1; 80 -1");
  REQUIRE(transmit_log({10, 45}) == "12 +0; 40 -0; 52 +1; 80 -1");
  REQUIRE(transmit_log({10, 60}) == "12 +0; 40 -0; 62 +1; 90 -1");
}

TEST_CASE("the timing of the medium is set by parameters", "[timed]") {
  const char* const other =
      "{kind: station, preamble: 3 cycle, gap: 2 cycle, jam: 1 cycle, "
      "slot: 10 cycle}";
  REQUIRE(transmit_log({10, 10}, seed_with_slots({0, 1}), other) ==
          "12 +0 +1; 15 -0 -1; 17 +0; 40 -0; 42 +1; 65 -1");
}

TEST_CASE("one frame at a time crosses the medium, and none is lost", "[timed]") {
  const int seed = GENERATE(1, 2, 3);
  SimulateOptions options;
  options.attach = [](Testbench& testbench) {
    auto watch = std::make_shared<OneAtATime>(testbench);
    return [watch](Results& results) { results.add("overlaps", watch->overlaps, ""); };
  };

  const Results results =
      simulate(rush(6, {{"seed", std::to_string(seed)}}), standard_catalog(), options);

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.value("overlaps") == 0);
  REQUIRE(results.value("medium.frames") == 6 * 5 * 2);
  REQUIRE(results.value("packets") == 6 * 5 * 2);
  REQUIRE(results.value("medium.collisions") > 0);
}

TEST_CASE("stations behave the same under both schedulings and build orders", "[timed]") {
  const char* const node = GENERATE("{ports: 1, send_overhead: 20 cycle}", "{ports: 3}",
                                    "{ports: 1, ejection: held, receive_overhead: 300 cycle}");
  const Results first = simulate(rush(5, {{"node", node}}));
  const Results plain = simulate(rush(5, {{"node", node}, {"clock.scheduling", "per_module"}}));
  const Results reversed = simulate(rush(5, {{"node", node}, {"build_order", "reversed"}}));

  INFO(first.message << plain.message << reversed.message);
  REQUIRE(first.outcome == Outcome::complete);
  REQUIRE(plain.fingerprint == first.fingerprint);
  REQUIRE(reversed.fingerprint == first.fingerprint);
  REQUIRE(plain.value("medium.busy") == first.value("medium.busy"));
  REQUIRE(reversed.value("medium.collisions") == first.value("medium.collisions"));
}

TEST_CASE("a message from a node to itself does not use the medium", "[timed]") {
  const std::vector<Shot> shots = {{10, NodeId(0), NodeId(0), 5},
                                   {10, NodeId(0), NodeId(1), 20},
                                   {12, NodeId(0), NodeId(0), 7},
                                   {40, NodeId(1), NodeId(1), 1}};

  const Results results = shoot(stations(3), shots);

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.value("medium.frames") == 1);
  REQUIRE(results.value("packets") == 4);
  const auto created = column(results.table("packets"), "created");
  const auto ejected = column(results.table("packets"), "ejected");
  const auto source = column(results.table("packets"), "source");
  // The head is injected in the next cycle and takes a cycle each on the injection and the ejection
  // channel; 4 flits follow it.
  REQUIRE(source[0] == 0);
  REQUIRE(ejected[0] - created[0] == 1 + 1 + 1 + 4);
}

TEST_CASE("packets from a node to itself do not depend on scheduling or build order", "[timed]") {
  const Scenario load =
      stations(4, {{"traffic",
                    "{rate: 0.1 flit/node/cycle, pattern: {kind: uniform, self: true}, "
                    "packet: 20 flit, warmup: 0 cycle, measure: 4000 cycle}"}});
  const Results first = simulate(load);
  const Results plain = simulate(load.with("clock.scheduling", "per_module"));
  const Results reversed = simulate(load.with("build_order", "reversed"));

  INFO(first.message << plain.message << reversed.message);
  REQUIRE(first.outcome == Outcome::complete);
  REQUIRE(first.value("medium.frames") < first.value("packets"));
  REQUIRE(plain.fingerprint == first.fingerprint);
  REQUIRE(reversed.fingerprint == first.fingerprint);
}

TEST_CASE("a multicast takes one frame for each of its packets", "[timed]") {
  const int nodes = GENERATE(2, 5, 9);
  const auto broadcast = [](int among, const char* algorithm) {
    return simulate(stations(among, {{"packet_format", "{longest: 40 flit, header: 4 flit}"},
                                     {"node", "{send_overhead: 30 cycle}"},
                                     {"operation", "{kind: broadcast, root: 1, message: 100 B}"},
                                     {"algorithm.kind", algorithm},
                                     {"observe", "[{kind: steps}]"}}));
  };
  const Results to_one = broadcast(2, "separate");

  const Results to_all = broadcast(nodes, "hardware_multicast");

  INFO(to_all.message);
  REQUIRE(to_all.outcome == Outcome::complete);
  REQUIRE(to_all.value("medium.frames") == 3);
  REQUIRE(to_all.value("packets") == 3 * (nodes - 1));
  REQUIRE(to_all.value("medium.busy") == to_one.value("medium.busy"));
  REQUIRE(to_all.value("collective.max") == to_one.value("collective.max"));
  REQUIRE(to_all.value("collective.mean") == to_one.value("collective.max"));
  const std::int64_t crossings = 3 * 4 + 100;  // flits: three headers and the data
  REQUIRE(to_all.value("transits") == static_cast<double>(crossings * (1 + 2 * (nodes - 1))));
}

TEST_CASE("multicast frames collide, wait for buffer space and reach each node once", "[timed]") {
  const char* const node = GENERATE("{ports: 1, send_overhead: 20 cycle}", "{ports: 3}",
                                    "{ports: 1, ejection: held, receive_overhead: 300 cycle}");
  const auto run = [&](const std::pair<std::string, std::string>& setting) {
    return simulate(stations(5, {{"packet_format", "{longest: 40 flit, header: 4 flit}"},
                                 {"node", node},
                                 {"operation", "{kind: all_gather, message: 100 B}"},
                                 {"algorithm.kind", "hardware_multicast"},
                                 {"observe", "[{kind: flit_log}]"},
                                 setting}));
  };
  const Results first = run({"seed", "1"});
  const Results plain = run({"clock.scheduling", "per_module"});
  const Results reversed = run({"build_order", "reversed"});

  INFO(first.message << plain.message << reversed.message);
  REQUIRE(first.outcome == Outcome::complete);
  REQUIRE(first.value("medium.frames") == 5 * 3);
  REQUIRE(first.value("medium.collisions") > 0);
  REQUIRE(plain.fingerprint == first.fingerprint);
  REQUIRE(reversed.fingerprint == first.fingerprint);
  REQUIRE(reversed.value("medium.collisions") == first.value("medium.collisions"));
}

TEST_CASE("late credits only delay stations", "[timed]") {
  const Results late = simulate(rush(4, {{"channel.credit_delay", "40 cycle"}}));
  const Results plain =
      simulate(rush(4, {{"channel.credit_delay", "40 cycle"}, {"clock.scheduling", "per_module"}}));

  INFO(late.message);
  REQUIRE(late.outcome == Outcome::complete);
  REQUIRE(late.fingerprint == plain.fingerprint);
}

TEST_CASE("a frame that collides too often ends the run", "[timed]") {
  const Results results = simulate(rush(4, {{"router.attempts", "1"}}));

  REQUIRE(results.outcome == Outcome::livelock);
  REQUIRE(results.message.find("collided 1 time; router.attempts allows no more") !=
          std::string::npos);
}

TEST_CASE(
    "a frame that collides too often ends the run alike under every scheduling and build order",
    "[timed]") {
  const int attempts = GENERATE(1, 2, 3);
  const Scenario load = rush(4, {{"router.attempts", std::to_string(attempts)}});
  REQUIRE(simulate(load).outcome == Outcome::livelock);
  REQUIRE(difference_between_orders(load) == "");
}

TEST_CASE("idle stations cost no simulation time", "[timed]") {
  const Results results = simulate(
      rush(3, {{"node.send_overhead", "1000000000 cycle"}, {"stop.limit", "100000000000 cycle"}}));

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.cycles > 2'000'000'000);
}

}  // namespace shared_medium_test
