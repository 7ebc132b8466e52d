// testbenches/tests/timed/observers/anatomy_test.cpp: the parts of latencies sum to them in any
// network.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "configs/random.hpp"
#include "routers/input_queued/closed_form.hpp"
#include "testbenches/observers/time_parts.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace anatomy_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

const std::string watched = "[{kind: latency, packets: true}, {kind: anatomy, packets: true}]";
const std::string unwatched = "[{kind: latency, packets: true}]";

const std::vector<std::string> part_names = [] {
  std::vector<std::string> names = names_of(Part{});
  names.pop_back();  // router
  return names;
}();

/// Returns: how many packets have parts, or shares of zero load in them, that do not sum to the
/// latency.
int wrong_sums(const Table& table) {
  const auto created = column(table, "created");
  const auto ejected = column(table, "ejected");
  std::vector<double> left(created.size());
  int wrong = 0;
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = ejected[i] - created[i];
  for (const std::string& name : part_names) {
    const auto cycles = column(table, name);
    const auto share = column(table, name + "_zero_load");
    for (std::size_t i = 0; i < left.size(); ++i) {
      left[i] -= cycles[i];
      wrong += share[i] >= 0 && share[i] <= cycles[i] ? 0 : 1;
    }
  }
  return wrong + static_cast<int>(left.size() - static_cast<std::size_t>(
                                                    std::count(left.begin(), left.end(), 0.0)));
}

/// Whether both tables list the same packets with the same times.
bool same_packets(const Table& packets, const Table& anatomy) {
  if (packets.rows.size() != anatomy.rows.size()) return false;
  for (std::size_t i = 0; i < packets.rows.size(); ++i) {
    const auto& a = packets.rows[i];
    const auto& b = anatomy.rows[i];
    if (a[0] != b[0] || a[1] != b[1] || a[2] != b[2] || a[4] != b[4] || a[7] != b[5]) return false;
  }
  return true;
}

struct RandomNetwork {
  std::string switching;
  std::string handshake = "credit";
  int vcs = 1;
  int flits = 1;
  Scenario scenario = uniform_traffic();
};

/// A random network with one kind of switching under load, with random stages and channels.
RandomNetwork random_network(int number) {
  Random random(7, "anatomy test", static_cast<std::uint64_t>(number));
  const auto roll = [&random](int least, int greatest) {
    return least + static_cast<int>(random.below(static_cast<std::uint64_t>(greatest - least + 1)));
  };
  const auto any = [&](const std::vector<std::string>& words) {
    return words[static_cast<std::size_t>(roll(0, static_cast<int>(words.size()) - 1))];
  };
  RandomNetwork network;
  network.switching = names_of(Switching{})[static_cast<std::size_t>(number % 4)];
  const bool circuit = network.switching == "circuit";
  const bool whole = network.switching != "wormhole";
  network.vcs = circuit ? 1 : roll(1, 4);
  network.flits = circuit ? roll(2, 9) : roll(1, 8);
  network.handshake = circuit ? "acknowledge" : any({"credit", "ready_valid"});
  const bool credit = network.handshake == "credit";
  const int latency = network.handshake == "ready_valid" && whole ? 1 : roll(1, 3);
  std::string router = fmt::format(
      "kind: {}, route_delay: {} cycle, switch_delay: {} cycle, traversal_delay: {} cycle",
      network.switching, roll(0, 3), roll(1, 3), roll(0, 2));
  if (circuit) {
    router += ", busy: " + any({"wait", "teardown"});
  } else {
    router += fmt::format(", vc_delay: {} cycle, arbitration: {}", roll(1, 3),
                          any({"round_robin", "first_come", "oldest_packet", "random"}));
    if (roll(0, 1) == 1)
      router += fmt::format(", stages: clocked, allocator: {}, iterations: {}, speculative: {}",
                            any({"separable_input_first", "separable_output_first", "islip"}),
                            roll(1, 2), any({"true", "false"}));
    if (credit && roll(0, 2) == 0) router += ", vc_reallocation: atomic";
  }
  const int depth = whole ? roll(network.flits, 2 * network.flits) : roll(1, 6);
  network.scenario = uniform_traffic(
      {{"topology", any({"{kind: mesh, shape: [4, 3]}", "{kind: hypercube, dimensions: 3}"})},
       {"seed", std::to_string(number)},
       {"router", "{" + router + "}"},
       {"channel",
        fmt::format("{{vcs: {}, {}handshake: {}, latency: {} cycle, credit_delay: {} cycle}}",
                    network.vcs, circuit ? "" : fmt::format("buffer: {} flit, ", depth),
                    network.handshake, latency, credit ? roll(0, 2) : 0)},
       {"node.ports", circuit ? "1" : any({"1", "2", "all"})},
       {"traffic", fmt::format("{{rate: {} flit/node/cycle, packet: {} flit, warmup: 0 cycle, "
                               "measure: 300 cycle, drain: 100000 cycle}}",
                               circuit ? 0.05 : 0.1 * roll(1, 8), network.flits)}});
  if (!circuit) return network;
  network.vcs = roll(1, 3);
  network.scenario = network.scenario.with("channel.vcs", std::to_string(network.vcs));
  return network;
}

}  // namespace

TEST_CASE("in random networks the parts of every packet sum to its latency", "[timed][anatomy]") {
  int packets = 0;
  int waits = 0;
  for (int number = 0; number < (instrumented ? 16 : 80); ++number) {
    const RandomNetwork network = random_network(number);
    INFO("case " << number << ", " << network.switching << ", " << network.handshake);

    const Results results = simulate(network.scenario.with("observe", watched));
    const Results alone = simulate(network.scenario.with("observe", unwatched));

    INFO(results.message);
    REQUIRE(results.outcome == Outcome::complete);
    const Table& anatomy = results.table("anatomy_packets");
    REQUIRE(wrong_sums(anatomy) == 0);
    REQUIRE(same_packets(results.table("packets"), anatomy));
    REQUIRE(results.fingerprint == alone.fingerprint);
    REQUIRE(results.cycles == alone.cycles);
    packets += static_cast<int>(anatomy.rows.size());
    for (const double cycles : column(anatomy, "vc_allocation_wait")) waits += cycles > 20 ? 1 : 0;
    // Flits keep their order in a packet: serialisation counts nothing else.
    const auto serialisation = column(anatomy, "serialisation");
    const double rest = std::max(0, network.flits - (network.switching == "circuit" ? 2 : 1));
    for (const double cycles : serialisation)
      REQUIRE((network.switching == "store_and_forward" ? cycles >= 2 * rest : cycles == rest));
  }
  REQUIRE(packets > (instrumented ? 500 : 5000));
  REQUIRE(waits > (instrumented ? 50 : 500));
}

TEST_CASE("the parts do not depend on the scheduling", "[timed][anatomy]") {
  for (int number = 0; number < (instrumented ? 3 : 12); ++number) {
    const Scenario scenario = random_network(number).scenario.with("observe", watched);

    const Results batched = simulate(scenario);
    const Results plain = simulate(scenario.with("clock.scheduling", "per_module"));

    INFO(plain.message);
    REQUIRE(batched.table("anatomy_packets").rows.size() > 20);
    REQUIRE(batched.table("anatomy_packets").rows == plain.table("anatomy_packets").rows);
  }
}

TEST_CASE("means are over the packets of the table, and their sum is the mean latency",
          "[timed][anatomy]") {
  const Results results = simulate(uniform_traffic({{"observe", watched}}));

  double sum = 0;
  for (const std::string& name : part_names) {
    const auto cycles = column(results.table("anatomy_packets"), name);
    double total = 0;
    for (const double of_packet : cycles) total += of_packet;
    REQUIRE(results.value("anatomy." + name) ==
            Approx(total / static_cast<double>(cycles.size())).margin(1e-9));
    sum += results.value("anatomy." + name);
  }
  REQUIRE(results.value("anatomy.packets") == results.value("latency.packets"));
  REQUIRE(sum == Approx(results.value("latency.mean")));
}

TEST_CASE("beyond saturation no mean parts are reported", "[timed][anatomy]") {
  const Results results =
      simulate(uniform_traffic({{"traffic.rate", "0.9 flit/node/cycle"}, {"observe", watched}}));

  REQUIRE(results.value("saturated") == 1);
  REQUIRE_FALSE(results.has("anatomy.link"));
  REQUIRE(wrong_sums(results.table("anatomy_packets")) == 0);
}

namespace {

/// Adds a cycle to one field of a router's passages.
class WrongPassages final : public PassageListener {
 public:
  WrongPassages(PassageListener& truth, Cycle Passage::*field) : truth_(truth), field_(field) {}
  void on_stall(const Stall& stall) override { truth_.on_stall(stall); }
  void on_passage(const Passage& passage) override {
    Passage changed = passage;
    changed.*field_ += 1;
    truth_.on_passage(changed);
  }

 private:
  PassageListener& truth_;
  Cycle Passage::*field_;
};

struct NoParams {};

/// The catalogue with `silent`, a wormhole router that reports nothing, and `wrong`, one that
/// reports wrong passages.
Catalog strange_routers(Cycle Passage::*field = nullptr) {
  Catalog catalog = standard_catalog();
  const auto wormhole = [] {
    return Job::read(uniform_traffic(), standard_catalog()).router.build();
  };
  catalog.routers.add("silent", {"for tests", ""}, Schema<NoParams>{}, [wormhole](const NoParams&) {
    RouterModel model = wormhole();
    model.supports.reports_passages = false;
    model.timing.reset();
    model.build = [build = model.build](const char* name, const RouterSite& site) {
      RouterSite silent = site;
      silent.listener = nullptr;
      return build(name, silent);
    };
    return model;
  });
  catalog.routers.add(
      "wrong", {"for tests", ""}, Schema<NoParams>{}, [wormhole, field](const NoParams&) {
        RouterModel model = wormhole();
        model.build = [build = model.build, field](const char* name, const RouterSite& site) {
          static std::vector<std::unique_ptr<WrongPassages>> wrong_listeners;
          RouterSite changed = site;
          if (site.listener) {
            wrong_listeners.push_back(std::make_unique<WrongPassages>(*site.listener, field));
            changed.listener = wrong_listeners.back().get();
          }
          return build(name, changed);
        };
        return model;
      });
  return catalog;
}

}  // namespace

TEST_CASE("the waits of a router that reports no passages are one part", "[timed][anatomy]") {
  const Scenario reporting =
      uniform_traffic({{"traffic.rate", "0.3 flit/node/cycle"}, {"observe", watched}});
  const Scenario some = reporting.with("router.at", "[{nodes: [[1, 1], [2, 2]], kind: silent}]");
  const Scenario all = reporting.with("router", "{kind: silent}");

  const Results known = simulate(reporting);
  const Results mixed = simulate(some, strange_routers());
  const Results unknown = simulate(all, strange_routers());

  INFO(mixed.message << unknown.message);
  REQUIRE_FALSE(known.has("anatomy.router"));
  REQUIRE(known.fingerprint == unknown.fingerprint);
  const double inside = known.value("anatomy.vc_allocation_wait") +
                        known.value("anatomy.switch_wait") + known.value("anatomy.credit_wait");
  REQUIRE(inside > 1);
  REQUIRE(unknown.value("anatomy.router") + unknown.value("anatomy.ejection") ==
          Approx(inside + known.value("anatomy.ejection")));
  REQUIRE(unknown.value("anatomy.vc_allocation_wait") == 0);
  REQUIRE(unknown.value("anatomy.link") == known.value("anatomy.link"));
  REQUIRE(mixed.value("anatomy.router") > 0);
  REQUIRE(mixed.value("anatomy.router") < unknown.value("anatomy.router"));
}

TEST_CASE("a router that reports a cycle too much is detected", "[timed][anatomy]") {
  const auto field = GENERATE(&Passage::arrived, &Passage::front, &Passage::left, &Passage::vc_wait,
                              &Passage::route_wait, &Passage::switch_wait, &Passage::room_wait);
  const Scenario scenario =
      uniform_traffic({{"router.at", "[{nodes: [[1, 1]], kind: wrong}]"}, {"observe", watched}});

  const Results results = simulate(scenario, strange_routers(field));

  REQUIRE(results.outcome == Outcome::model_error);
  REQUIRE_THAT(results.message, Catch::Contains("anatomy: a router reported"));
}

}  // namespace anatomy_test
