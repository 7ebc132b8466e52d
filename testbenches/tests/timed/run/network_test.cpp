// testbenches/tests/timed/run/network_test.cpp: networks as modules of a user's own simulation.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/run/network.hpp"

#include <cstring>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "configs/error.hpp"
#include "testbenches/run/expectations.hpp"
#include "testbenches/run/result_files.hpp"
#include "testbenches/run/run_variants.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"
#include "testbenches/tests/timed/small_network.hpp"
#include "testbenches/tests/timed/vcd_reader.hpp"

namespace network_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// For bodies in child processes, whose text is the test's result.
void require(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what);
}

void require_equal(const Results& found, const Results& expected) {
  const std::string text = difference(found, expected);
  require(text.empty(), text);
}

Scenario traffic() {
  return uniform_traffic({{"traffic.rate", "0.3 flit/node/cycle"},
                          {"observe", "[{kind: latency, packets: true}, {kind: channel_load}]"}});
}

Scenario broadcast() {
  return Scenario::parse(R"(
scenario: broadcast
clock: {period: 3 ns, scheduling: per_module}
topology: {kind: torus, shape: [4, 3]}
channel: {vcs: 2}
operation: {kind: broadcast, root: 5, message: 40 B}
algorithm: {kind: separate}
observe: [{kind: latency, packets: true}]
expect: {collective.max: 1}
)");
}

/// Counts the edges of a clock of its own, and stops the simulation when both networks have ended.
class Counter final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Counter);
  Counter(const sc_core::sc_module_name& name, const Network& one, const Network& other)
      : sc_module(name), clock_("clock", 7, sc_core::SC_NS), one_(one), other_(other) {
    SC_METHOD(count);
    sensitive << clock_.posedge_event();
    dont_initialize();
    SC_THREAD(wait_for_both);
  }

  int edges = 0;

 private:
  void count() { ++edges; }
  void wait_for_both() {
    wait(one_.ended() & other_.ended());
    sc_core::sc_stop();
  }

  sc_core::sc_clock clock_;
  const Network& one_;
  const Network& other_;
};

/// Ends the simulation when all of its networks have ended; some of their clocks would run on.
class Stopper final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Stopper);
  Stopper(const sc_core::sc_module_name& name, std::vector<const Network*> networks)
      : sc_module(name), networks_(std::move(networks)) {
    SC_METHOD(stop);
    for (const Network* network : networks_) sensitive << network->ended();
    dont_initialize();
  }

 private:
  void stop() {
    for (const Network* network : networks_)
      if (!network->has_ended()) return;
    sc_core::sc_stop();
  }

  std::vector<const Network*> networks_;
};

std::string error_of(const Scenario& scenario) {
  return in_child([&] { Network network("network", scenario); });
}

}  // namespace

TEST_CASE("a network as a module has the results of its job in all schedulings and build orders",
          "[timed]") {
  for (const RunVariant& variant : compared_variants()) {
    const Scenario job = with_variant(traffic(), variant);
    const Results expected = simulate(job);
    CHECK(in_child([&] {
            Network network("network", job);
            const Stopper stopper("stopper", {&network});
            require(!network.has_ended(), "ended before the simulation");
            sc_core::sc_start();
            require(network.has_ended(), "not ended");
            require_equal(network.results(), expected);
          }) == "");
  }
}

TEST_CASE("two networks with clocks of their own run beside a module with a third clock",
          "[timed]") {
  const Results of_traffic = simulate(traffic());
  const Results of_broadcast = simulate(broadcast());
  REQUIRE(of_broadcast.outcome == Outcome::complete);

  CHECK(in_child([&] {
          Network one("one", traffic());
          Network other("other", broadcast());
          Counter counter("counter", one, other);
          sc_core::sc_start();
          require_equal(one.results(), of_traffic);
          Results judged = other.results();
          require(judged.outcome == Outcome::failed_expectation, "the expectation was not judged");
          judged.outcome = of_broadcast.outcome;
          judged.message = of_broadcast.message;
          require_equal(judged, of_broadcast);
          // The longer run ends one cycle after its last event.
          const double end = std::max(1.0 * static_cast<double>(of_traffic.cycles),
                                      3.0 * static_cast<double>(of_broadcast.cycles));
          require(counter.edges >= static_cast<int>(end / 7), "the third clock stood still");
        }) == "");
}

TEST_CASE("networks with equal clocks and loads end alike, whatever their schedulings", "[timed]") {
  const Results expected = simulate(traffic());
  CHECK(in_child([&] {
          Network one("one", traffic());
          Network other("other", traffic());
          Network plain("plain", with_variant(traffic(), {"per_module", "reversed"}));
          const Stopper stopper("stopper", {&one, &other, &plain});
          sc_core::sc_start();
          for (Network* network : {&one, &other, &plain})
            require_equal(network->results(), expected);
        }) == "");
}

TEST_CASE("a network advances as far as the caller's simulation does, and is partial until its end",
          "[timed]") {
  const Results whole = simulate(traffic());
  CHECK(in_child([&] {
          Network network("network", traffic());
          for (int i = 0; i < 20; ++i) sc_core::sc_start(10, sc_core::SC_NS);
          require(!network.has_ended(), "ended early");
          const Results& results = network.results();
          require(results.outcome == Outcome::partial, "not partial: " + results.message);
          require(results.message.find("over after cycle 199") != std::string::npos,
                  results.message);
          require(results.value("packets") > 20, "few packets");
          require(results.value("packets") < whole.value("packets"), "too many packets");
          require(network.has_ended(), "not ended by the results");
          sc_core::sc_start(100, sc_core::SC_NS);
          require(&network.results() == &results, "other results");
        }) == "");
}

namespace {

/// The results of a network after so many picoseconds, as text.
std::string cut_after(const Scenario& job, int picoseconds) {
  const std::string text = in_child([&] {
    Network network("network", job);
    if (picoseconds > 0) sc_core::sc_start(picoseconds, sc_core::SC_PS);
    throw std::runtime_error(network.results().to_json());
  });
  return text;
}

}  // namespace

TEST_CASE("the results of a simulation that is over early are the same under all schedulings",
          "[timed]") {
  const int picoseconds = GENERATE(0, 999, 1000, 1001, 150'000, 150'500, 220'000);
  const Scenario job = traffic().with("clock.reset", GENERATE("1 cycle", "8 cycle"));
  CAPTURE(picoseconds);
  const std::string expected = cut_after(job, picoseconds);
  REQUIRE_THAT(expected, Catch::Contains("\"partial\""));
  for (const RunVariant& variant : compared_variants())
    CHECK(cut_after(with_variant(job, variant), picoseconds) == expected);
}

TEST_CASE("a network that reaches its limit has its results at once, and stands still afterwards",
          "[timed]") {
  for (const RunVariant& variant : compared_variants()) {
    const Scenario job = with_variant(traffic().with("stop.limit", "300 cycle"), variant);
    const Results expected = simulate(job);
    REQUIRE(expected.outcome == Outcome::limit);
    CHECK(in_child([&] {
            Network network("network", job);
            sc_core::sc_start(1000, sc_core::SC_NS);
            require(network.has_ended(), "not ended");
            require_equal(network.results(), expected);
          }) == "");
  }
}

TEST_CASE("a network that counts deadlocks reports none as an error", "[timed]") {
  const Scenario job = deadlocked_torus("50").with("count_deadlock", "true");
  const Results expected = simulate(job);
  REQUIRE(expected.outcome == Outcome::complete);
  CHECK(in_child([&] {
          Network network("network", job);
          sc_core::sc_start(100, sc_core::SC_US);
          require_equal(network.results(), expected);
        }) == "");
}

TEST_CASE("after an error that is only displayed a network stands still", "[timed]") {
  const Scenario job = GENERATE_COPY(deadlocked_torus("50"),
                                     deadlocked_torus("50").with("clock.scheduling", "per_module"));
  const Results expected = simulate(job);
  CHECK(in_child([&] {
          sc_core::sc_report_handler::set_actions(Network::error_type, sc_core::SC_DO_NOTHING);
          Network network("network", job);
          sc_core::sc_start(100, sc_core::SC_US);
          require_equal(network.results(), expected);
        }) == "");
}

TEST_CASE("an error of a network's run is a report of SystemC, and its results name it",
          "[timed]") {
  const Scenario job = GENERATE_COPY(deadlocked_torus("50"),
                                     deadlocked_torus("50").with("clock.scheduling", "per_module"));
  const Results expected = simulate(job);
  REQUIRE(expected.outcome == Outcome::deadlock);
  CHECK(in_child([&] {
          Network network("network", job);
          std::string type;
          std::string message;
          try {
            sc_core::sc_start();
          } catch (const sc_core::sc_report& report) {
            type = report.get_msg_type();
            message = report.get_msg();
          }
          require(type == Network::error_type, "type " + type);
          require(message == expected.message, "message " + message);
          require(network.has_ended(), "not ended");
          require_equal(network.results(), expected);
        }) == "");
}

TEST_CASE("a wrong job of a network is an exception that names the line", "[timed]") {
  CHECK_THAT(error_of(traffic().with("channel.buffer", "0 flit")),
             Catch::Contains("channel.buffer"));
  CHECK_THAT(error_of(traffic().with("draws", "3")),
             Catch::Contains("draws: a network as a module runs once"));
  CHECK_THAT(
      error_of(broadcast().with("evaluation", "untimed").without("expect").without("observe")),
      Catch::Contains("evaluation: a network as a module is simulated in time"));
  CHECK_THAT(error_of(traffic().with("wave", "{select: [nowhere]}")), !Catch::Contains("wave"));
  CHECK_THAT(in_child([] {
               const ScratchFolder folder;
               Network network("network", traffic().with("wave", "{select: [nowhere]}"),
                               standard_catalog(), folder.path("results"));
             }),
             Catch::Contains("wave.select"));
}

TEST_CASE("a network writes the files of flitwave run into its folder", "[timed]") {
  const ScratchFolder folder;
  const Scenario job = broadcast().with("wave", "{}");
  RunFolder of_run(folder.path("run"));
  SimulateOptions options;
  options.wave_path = of_run.unfinished("wave.vcd");
  const Job read = Job::read(job, standard_catalog());
  Results results = simulate(read, Plan::make(read), options);
  judge(read.expectations, results);
  const std::vector<std::string> files = publish_results(read, results, of_run);
  REQUIRE(files.size() > 6);

  REQUIRE(in_child([&] {
            Network network("network", job, standard_catalog(), folder.path("network"));
            sc_core::sc_start(1, sc_core::SC_US);
            require(!folder.has("network/results.json"), "written before the end");
          }) == "");
  CHECK_FALSE(folder.has("network"));  // the run was left before its end

  REQUIRE(in_child([&] {
            Network network("network", job, standard_catalog(), folder.path("network"));
            const Stopper stopper("stopper", {&network});
            sc_core::sc_start();
            require(network.has_ended(), "not ended");
            require(folder.has("network/results.json"), "not written at the end");
          }) == "");
  for (const std::string& file : files) {
    INFO(file);
    REQUIRE(folder.has("network/" + file));
    const bool names_scopes = file.substr(0, 5) == "wave.";
    if (!names_scopes && file != "results.json")
      CHECK(folder.read("network/" + file) == folder.read("run/" + file));
  }
  const auto summary_of = [&](const std::string& run) {
    return nlohmann::json::parse(folder.read(run + "/results.json"));
  };
  CHECK(summary_of("network")["metrics"] == summary_of("run")["metrics"]);
  CHECK(summary_of("network")["fingerprint"] == summary_of("run")["fingerprint"]);
}

TEST_CASE("the results of a network that ends by an error or early are in its folder, too",
          "[timed]") {
  const ScratchFolder folder;
  const auto outcome = [&] {
    return nlohmann::json::parse(folder.read("results/results.json"))["outcome"];
  };
  REQUIRE(in_child([&] {
            Network network("network", deadlocked_torus("50"), standard_catalog(),
                            folder.path("results"));
            try {
              sc_core::sc_start();
            } catch (const sc_core::sc_report&) {
              require(folder.has("results/results.json"), "not written when the error is thrown");
            }
          }) == "");
  CHECK(outcome() == "deadlock");

  REQUIRE(in_child([&] {
            Network network("network", traffic(), standard_catalog(), folder.path("results"));
            sc_core::sc_start(200, sc_core::SC_NS);
            network.results();
            require(folder.has("results/channel_load.csv"), "not written");
          }) == "");
  CHECK(outcome() == "partial");
}

TEST_CASE("results that a network cannot write are its outcome or an exception", "[timed]") {
  const ScratchFolder folder;
  CHECK_THAT(in_child([&] {
               Network one("one", traffic(), standard_catalog(), folder.path("results"));
               Network other("other", traffic(), standard_catalog(), folder.path("./results/"));
             }),
             Catch::Contains("results; use a folder for each"));
  CHECK_THAT(
      in_child([&] { Network network("network", traffic(), standard_catalog(), "/proc/results"); }),
      Catch::Contains("cannot make the folder /proc/results"));
  CHECK(in_child([&] {
          Network network("network", traffic(), standard_catalog(), folder.path("taken"));
          std::filesystem::create_directories(folder.path("taken/results.json/inside"));
          sc_core::sc_start(1, sc_core::SC_US);
          const Results& results = network.results();
          require(results.outcome == Outcome::system_failure, "not a failure");
          require(results.message.find("taken/results.json") != std::string::npos, results.message);
        }) == "");
}

TEST_CASE("a network at transaction fidelity has the results of its job", "[timed]") {
  const Scenario job = traffic().with("fidelity", "transaction").without("observe");
  const Results expected = simulate(job);
  REQUIRE(expected.outcome == Outcome::complete);
  CHECK(in_child([&] {
          Network network("network", job);
          const Stopper stopper("stopper", {&network});
          sc_core::sc_start();
          require(network.has_ended(), "not ended");
          require_equal(network.results(), expected);
        }) == "");
}

TEST_CASE("the wave of a network equals that of its job, below its name", "[timed]") {
  const ScratchFolder folder;
  const Scenario job = traffic().with("wave", "{select: ['channel_1_1_to_*']}");
  SimulateOptions options;
  options.wave_path = folder.path("job.vcd");
  simulate(job, standard_catalog(), options);

  REQUIRE(in_child([&] {
            Network network("network", job, standard_catalog(), folder.path("network"));
            sc_core::sc_start();
            require(network.results().outcome == Outcome::complete, network.results().message);
          }) == "");

  const Vcd expected = read_vcd(folder.path("job.vcd"));
  const Vcd found = read_vcd(folder.path("network/wave.vcd"));
  REQUIRE(expected.signals.size() > 20);
  REQUIRE(found.signals.size() == expected.signals.size());
  for (const auto& [name, signal] : expected.signals) {
    INFO(name);
    REQUIRE(found.signals.count("network." + name) == 1);
    CHECK(found.signals.at("network." + name).changes == signal.changes);
  }
}

}  // namespace network_test
