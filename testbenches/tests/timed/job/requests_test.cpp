// testbenches/tests/timed/job/requests_test.cpp: closed-loop load: requests, replies and a window.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "routers/input_queued/closed_form.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"
#include "testbenches/tests/unit/configs/config_error_of.hpp"

namespace requests_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

Scenario closed_loop(const std::vector<std::pair<std::string, std::string>>& settings = {}) {
  Scenario scenario = Scenario::parse(R"(
scenario: closed_loop
topology: {kind: mesh, shape: [4, 4]}
channel: {vcs: 2, buffer: 4 flit}
router: {kind: wormhole, preset: single_cycle}
requests: {window: 4, request: 1 flit, reply: 4 flit, warmup: 200 cycle, measure: 2000 cycle}
observe: [{kind: latency}]
watchdog: {interval: 100 cycle}
)");
  for (const auto& [key, value] : settings) scenario = scenario.with(key, value);
  return scenario;
}

/// An interface that holds one request, and virtual channels that all messages share.
Scenario narrow() {
  return closed_loop({{"requests.reply_queue", "1"},
                      {"requests.window", "16"},
                      {"requests.request", "4 flit"},
                      {"channel", "{vcs: 2, buffer: 2 flit}"}});
}

}  // namespace

TEST_CASE("a round trip alone takes two closed forms, the service and one cycle at the processor",
          "[timed]") {
  const int service = GENERATE(0, 1, 25);
  const Scenario scenario =
      closed_loop({{"topology", "{kind: mesh, shape: [2]}"},
                   {"requests.pattern", "{kind: hotspot, nodes: [1], share: 1}"},
                   {"requests.window", "1"},
                   {"channel.buffer", "16 flit"},
                   {"requests.service", fmt::format("{} cycle", service)}});
  const Catalog catalog = standard_catalog();
  const Job job = Job::read(scenario, catalog);
  const Plan plan = Plan::make(job);

  const Results results = simulate(job, plan, {});

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
  const Cycle both_messages =
      plan.closed_form->packet_latency(1, 1) + plan.closed_form->packet_latency(1, 4);
  // The processor receives a message one cycle after its last flit; service hides this cycle.
  const Cycle delay = service > 0 ? 0 : 1;
  REQUIRE(results.value("round_trip.p50") == static_cast<double>(both_messages + service + delay));
}

TEST_CASE("all requests are replied to, and a wider window issues more of them", "[timed]") {
  double rate = 0;
  double time = 0;
  for (const char* window : {"1", "2", "8"}) {
    const Results results = simulate(closed_loop({{"requests.window", window}}));

    INFO("window " << window << ": " << results.message);
    REQUIRE(results.outcome == Outcome::complete);
    REQUIRE(results.value("saturated") == 0);
    REQUIRE(results.value("requests.rate") > rate);
    REQUIRE(results.value("round_trip.mean") > time);
    rate = results.value("requests.rate");
    time = results.value("round_trip.mean");
  }
}

TEST_CASE("a node has a full window of open requests: rate times round trip", "[timed]") {
  const Results results = simulate(closed_loop({{"requests.measure", "10000 cycle"}}));

  // The processor receives a reply one cycle after its last flit, then issues the next request.
  REQUIRE(results.value("requests.rate") * (results.value("round_trip.mean") + 1) ==
          Approx(4).epsilon(0.002));
}

TEST_CASE("requests and replies with their own virtual channels never share one", "[timed]") {
  const auto vcs = GENERATE(2, 4, 5);
  SimulateOptions options;
  class Shares final : public TransitListener {
   public:
    Shares(const PacketPool& packets, int vcs) : packets_(packets), vcs_(vcs) {}
    void on_transits(Cycle, const std::vector<Transit>& transits) override {
      for (const Transit& transit : transits) {
        const int own = packets_.packet(transit.flit).header.message_class;
        ((transit.flit.vc() < vcs_of_class(0, 2, vcs_).count ? 0 : 1) == own ? right : wrong) += 1;
      }
    }
    int right = 0;
    int wrong = 0;

   private:
    const PacketPool& packets_;
    int vcs_;
  };
  options.attach = [vcs](Testbench& testbench) {
    auto shares = std::make_shared<Shares>(testbench.packets(), vcs);
    for (const auto kind :
         {ChannelSite::Kind::network, ChannelSite::Kind::injection, ChannelSite::Kind::ejection})
      testbench.listen(kind, *shares);
    return [shares](Results& results) {
      results.add("right", shares->right, "");
      results.add("wrong", shares->wrong, "");
    };
  };

  const Results results = simulate(
      closed_loop({{"requests.message_classes", "2"}, {"channel.vcs", std::to_string(vcs)}}),
      standard_catalog(), options);

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.value("right") > 10000);
  REQUIRE(results.value("wrong") == 0);
}

TEST_CASE("a finite interface with shared virtual channels is rejected by the deadlock check",
          "[timed]") {
  const ConfigError error =
      config_error_of([] { Plan::make(Job::read(narrow(), standard_catalog())); });

  REQUIRE(contains(error.what(), "requests.reply_queue"));
  REQUIRE(contains(error.what(), "0_0_to_1_0 -> interface of 1_0 -> 1_0_to_0_0"));
  REQUIRE(contains(error.what(), "message_classes: 2"));
}

TEST_CASE("a finite interface with shared virtual channels deadlocks, and the deadlock is detected",
          "[timed]") {
  const Results results = simulate(narrow().with("allow_deadlock", "true"));

  REQUIRE(results.outcome == Outcome::deadlock);
  REQUIRE(contains(results.message, "ejection_"));
  REQUIRE(contains(results.message, "injection_"));
  REQUIRE(results.cycles < 2000);
}

TEST_CASE("message classes or unlimited reply queues free the same load from deadlock", "[timed]") {
  const auto [key, value] = GENERATE(table<std::string, std::string>(
      {{"requests.message_classes", "2"}, {"requests.reply_queue", "0"}}));
  const auto handshake = GENERATE(as<std::string>{}, "credit", "ready_valid");

  const Results results = simulate(narrow().with(key, value).with("channel.handshake", handshake));

  INFO(key << " " << handshake << ": " << results.message);
  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.value("saturated") == 0);
  REQUIRE(results.value("requests.answered") > 1000);
}

TEST_CASE("an interface holds no more requests than its limit", "[timed]") {
  // Two nodes serve each other slowly: each has space for two requests, so it serves 2 in 100
  // cycles.
  const Results results = simulate(closed_loop({{"topology.shape", "[2]"},
                                                {"requests.window", "8"},
                                                {"requests.message_classes", "2"},
                                                {"requests.reply_queue", "2"},
                                                {"requests.service", "100 cycle"},
                                                {"requests.measure", "20000 cycle"},
                                                {"observe", "[]"}}));

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.value("requests.rate") < 2.0 / 100);
  REQUIRE(results.value("requests.rate") > 2.0 / 110);
}

TEST_CASE("messages of a collective do not occupy an interface's request slots", "[timed]") {
  const Results results =
      simulate(closed_loop({{"topology.shape", "[3]"},
                            {"operation", "{kind: reduce_scatter, message: 1 B}"},
                            {"requests.message_classes", "2"},
                            {"requests.reply_queue", "1"}}));

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.value("requests.answered") > 100);
}

TEST_CASE("a warning is printed when requests may block a collective's sends forever", "[timed]") {
  const Scenario scenario = closed_loop({{"node.receive_overhead", "6 cycle"},
                                         {"operation", "{kind: scatter, root: 0, message: 3 B}"}});
  const auto warns = [](const Scenario& of) {
    const auto warnings = Plan::make(Job::read(of, standard_catalog())).warnings;
    return std::any_of(warnings.begin(), warnings.end(), [](const std::string& warning) {
      return contains(warning, "requests may delay the collective without end");
    });
  };
  CHECK(warns(scenario));
  CHECK_FALSE(warns(scenario.with("stop.limit", "9000 cycle")));
  CHECK_FALSE(warns(scenario.with("node.overhead", "overlapped")));
}

TEST_CASE("wave files of closed loops end at the same time under both schedulings", "[timed]") {
  const Scenario scenario = closed_loop({{"topology", "{kind: ring, nodes: 2}"},
                                         {"requests", "{measure: 183 cycle, warmup: 0 cycle}"},
                                         {"wave", "{select: [channel_*]}"}});
  const auto file_of = [](const Scenario& of) {
    const test::ScratchFolder folder;
    SimulateOptions options;
    options.wave_path = folder.path("wave.vcd");
    const Results results = simulate(of, standard_catalog(), options);
    REQUIRE(results.outcome == Outcome::complete);
    return std::pair(results.cycles, folder.read("wave.vcd"));
  };
  const auto [cycles, batched] = file_of(scenario);

  CHECK(batched.size() > 1000);
  CHECK(batched == file_of(scenario.with("clock.scheduling", "per_module")).second);
  const std::string end = batched.substr(batched.rfind('#'));
  CHECK(end.substr(0, end.find('\n')) == fmt::format("#{}", cycles * 1000));
}

TEST_CASE("a closed loop has the same transits under both schedulings and build orders",
          "[timed]") {
  const Scenario scenario =
      closed_loop({{"requests.message_classes", "2"}, {"requests.reply_queue", "1"}});

  REQUIRE(simulate(scenario).fingerprint ==
          simulate(scenario.with("clock.scheduling", "per_module")).fingerprint);
  REQUIRE(simulate(scenario).fingerprint ==
          simulate(scenario.with("build_order", "reversed")).fingerprint);
}

}  // namespace requests_test
