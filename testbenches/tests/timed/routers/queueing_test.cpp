// testbenches/tests/timed/routers/queueing_test.cpp: waits for channels against queueing theory,
// and Little's law.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "routers/input_queued/closed_form.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace queueing_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// All nodes except the last two send to the last one.
class ToLast final : public TrafficPattern {
 public:
  explicit ToLast(const Topology& topology) : nodes_(topology.nodes()) {}
  NodeId destination(NodeId source, Random&) const override {
    return source.value() + 2 < nodes_ ? NodeId(nodes_ - 1) : NodeId();
  }

 private:
  int nodes_;
};

Catalog with_to_last() {
  struct Params {};
  Catalog catalog = standard_catalog();
  catalog.traffic.add("to_last", {"all to the last node", ""}, Schema<Params>{},
                      [](const Params&, const Topology& topology) {
                        return std::unique_ptr<TrafficPattern>(std::make_unique<ToLast>(topology));
                      });
  return catalog;
}

/// Two nodes that send to each other; each injection channel is a separate queue.
Scenario pair_of_nodes(double load, int flits, Cycle cycles) {
  return uniform_traffic(
      {{"topology.shape", "[2, 1]"},
       {"channel.buffer", "8 flit"},
       {"traffic", fmt::format("{{pattern: neighbor, rate: {} flit/node/cycle, packet: {} flit, "
                               "measure: {} cycle}}",
                               load, flits, cycles)},
       {"observe", "[{kind: latency}]"}});
}

/// `sources` nodes send single flits through another node to the last one.
Scenario star(double load, int sources, Cycle cycles) {
  std::string channels;
  for (int i = 0; i <= sources + 1; ++i)
    if (i != sources) channels += fmt::format("[{}, {}], ", i, sources);
  return Scenario::parse("scenario: star")
      .with("topology", "{kind: custom, channels: [" + channels + "]}")
      .with("topology.nodes", std::to_string(sources + 2))
      .with("channel", "{vcs: 1, buffer: 64 flit}")
      .with("router", "{kind: wormhole, preset: single_cycle}")
      .with("traffic", fmt::format("{{pattern: to_last, rate: {} flit/node/cycle, packet: 1 flit, "
                                   "measure: {} cycle}}",
                                   load / sources, cycles))
      .with("observe", "[{kind: latency}]");
}

/// The mean wait of packets in a run.
double mean_wait(const Scenario& scenario, int hops, int flits) {
  const Catalog catalog = with_to_last();
  const Job job = Job::read(scenario, catalog);
  const Plan plan = Plan::make(job);
  const Results results = simulate(job, plan, {});
  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.value("saturated") == 0);
  return results.value("latency.mean") -
         static_cast<double>(plan.closed_form->packet_latency(hops, flits));
}

double wait_of_channel(double load, int flits) {
  const double p = load / flits;
  return p * flits * (flits - 1) / (2 * (1 - p * flits));
}

double wait_of_merging(double load, int sources) {
  return (sources - 1.0) / sources * load / (2 * (1 - load));
}

}  // namespace

// The mean wait over 100,000 cycles varies by 2 to 4 % between seeds; the long runs below are
// within 2 %.
constexpr double of_short_runs = 0.08;

TEST_CASE("packets of L flits wait p L (L - 1) / (2 (1 - p L)) cycles for a channel", "[timed]") {
  const auto [load, flits] = GENERATE(table<double, int>({{0.3, 4}, {0.5, 8}, {0.8, 4}}));

  REQUIRE(mean_wait(pair_of_nodes(load, flits, 100000), 1, flits) ==
          Approx(wait_of_channel(load, flits)).epsilon(of_short_runs));
}

TEST_CASE("N merging sources of single flits wait (N - 1) / N * rho / (2 (1 - rho)) cycles",
          "[timed]") {
  const auto [load, sources] = GENERATE(table<double, int>({{0.3, 4}, {0.5, 2}, {0.8, 3}}));

  REQUIRE(mean_wait(star(load, sources, 100000), 2, 1) ==
          Approx(wait_of_merging(load, sources)).epsilon(of_short_runs));
}

TEST_CASE("waits for a channel agree with queueing theory within 2 %", "[timed][long]") {
  const double load = GENERATE(0.3, 0.5, 0.8);
  const int flits = GENERATE(2, 4, 16);

  REQUIRE(mean_wait(pair_of_nodes(load, flits, flits * 1000000), 1, flits) ==
          Approx(wait_of_channel(load, flits)).epsilon(0.02));
}

TEST_CASE("waits of merging sources agree with queueing theory within 2 %", "[timed][long]") {
  const double load = GENERATE(0.3, 0.5, 0.8);
  const int sources = GENERATE(2, 3, 6);

  REQUIRE(mean_wait(star(load, sources, 4000000), 2, 1) ==
          Approx(wait_of_merging(load, sources)).epsilon(0.02));
}

TEST_CASE(
    "the 95 % interval of a simulated channel contains the true mean in 90 to 99 % of 300 runs",
    "[timed][long]") {
  const double load = GENERATE(0.3, 0.5, 0.8);
  constexpr int flits = 4;
  const Scenario network = pair_of_nodes(load, flits, 50000);
  const Plan plan = Plan::make(Job::read(network, standard_catalog()));
  const double known = wait_of_channel(load, flits) +
                       static_cast<double>(plan.closed_form->packet_latency(1, flits));

  int contained = 0;
  for (int seed = 1; seed <= 300; ++seed) {
    const Results results = simulate(network.with("seed", std::to_string(seed)));
    REQUIRE(results.outcome == Outcome::complete);
    contained +=
        std::abs(results.value("latency.mean") - known) <= results.value("latency.ci95") ? 1 : 0;
  }

  INFO("load " << load << ": " << contained << " of 300 intervals");
  CHECK(contained >= 270);
  CHECK(contained <= 297);
}

namespace {

/// Counts packets on the wires, from the head on an injection channel to the tail's ejection.
class WireCount final : public TransitListener {
 public:
  WireCount(const std::vector<ChannelSite>& channels) : channels_(channels) {}

  void on_transits(Cycle cycle, const std::vector<Transit>& transits) override {
    for (const Transit& transit : transits) {
      const ChannelSite::Kind kind = channels_[static_cast<std::size_t>(transit.channel)].kind;
      if (kind == ChannelSite::Kind::injection && transit.flit.head()) change_[cycle] += 1;
      if (kind == ChannelSite::Kind::ejection && transit.flit.tail()) change_[cycle + 1] -= 1;
    }
  }
  /// Packets in the network, summed over all cycles.
  double sum() const {
    double sum = 0;
    std::int64_t inside = 0;
    Cycle since = 0;
    for (const auto& [cycle, by] : change_) {
      sum += static_cast<double>(inside * (cycle - since));
      inside += by;
      since = cycle;
    }
    return sum;
  }

 private:
  const std::vector<ChannelSite>& channels_;
  std::map<Cycle, std::int64_t> change_;
};

}  // namespace

TEST_CASE("the mean number of packets in a network is throughput times mean time", "[timed]") {
  const int number = GENERATE(range(0, 12));
  Random random(17, "little", static_cast<std::uint64_t>(number));
  const auto one_of = [&random](const std::vector<std::string>& choices) {
    return choices[random.below(choices.size())];
  };
  const Scenario scenario = uniform_traffic(
      {{"topology.shape", one_of({"[4, 4]", "[3, 5]", "[8, 1]"})},
       {"channel.vcs", one_of({"1", "2", "4"})},
       {"traffic.injection", one_of({"bernoulli", "periodic", "{kind: bursty, burst: 30 cycle}"})},
       {"traffic.pattern",
        one_of({"uniform", "neighbor", "{kind: hotspot, nodes: [1], share: 0.2}"})},
       {"traffic.rate", one_of({"0.05", "0.2", "0.5"}) + " flit/node/cycle"},
       {"traffic.packet", one_of({"1", "3", "7"}) + " flit"},
       {"traffic.warmup", "0 cycle"},
       {"seed", std::to_string(number + 1)},
       {"observe", "[{kind: latency, packets: true}]"}});
  SimulateOptions options;
  options.attach = [](Testbench& testbench) {
    auto count = std::make_shared<WireCount>(testbench.netlist().channels());
    testbench.listen(ChannelSite::Kind::injection, *count);
    testbench.listen(ChannelSite::Kind::ejection, *count);
    return [count](Results& results) { results.add("on_wires", count->sum(), ""); };
  };

  const Results results = simulate(scenario, standard_catalog(), options);

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
  const double cycles = static_cast<double>(results.cycles);
  REQUIRE(results.value("packets.in_network") * cycles == Approx(results.value("on_wires")));
  // The table has the packets of the window only; if the run continued after it, they are a lower
  // bound.
  const auto injected = column(results.table("packets"), "injected");
  const auto ejected = column(results.table("packets"), "ejected");
  double times = 0;
  for (std::size_t i = 0; i < injected.size(); ++i) times += ejected[i] - injected[i];
  REQUIRE(times <= results.value("on_wires"));
  if (static_cast<double>(injected.size()) == results.value("packets"))
    REQUIRE(times == Approx(results.value("on_wires")));
}

}  // namespace queueing_test
