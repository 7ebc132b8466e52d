// testbenches/tests/timed/waves/wave_window_test.cpp: the last cycles of a wave are kept in memory
// and written when a run ends with an error.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/waves/wave_window.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <sys/resource.h>
#include <vector>

#include <fmt/format.h>

#include "configs/error.hpp"
#include "configs/random.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/timed/jobs.hpp"
#include "testbenches/tests/timed/opaque_router.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"
#include "testbenches/tests/timed/small_network.hpp"
#include "testbenches/tests/timed/vcd_reader.hpp"
#include "testbenches/waves/files/vcd_file.hpp"
#include "testbenches/waves/waves.hpp"

namespace wave_window_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

constexpr std::int64_t no_limit = std::int64_t{1} << 40;

/// The window of a wave from `begin` until its end.
Vcd from(std::int64_t begin, const Vcd& whole) { return window_of(whole, begin, whole.end); }

/// Records a small network. `window`: in cycles; 0: the whole wave.
std::string record(const SmallNetworkParams& params, Cycle window, const std::string& path,
                   Cycle cycles, bool writes = true) {
  return in_child([&] {
    SmallNetwork small(params);
    WaveParams waves;
    waves.window = Cycles{window};
    const auto recorder =
        record_waves(waves, path, small.netlist(), small.domain(), small.packets());
    small.run(cycles);
    recorder->finish(picoseconds_now());
    if (writes) recorder->write_window();
  });
}

SmallNetworkParams network_of(Handshake handshake, Scheduling scheduling, Cycle send_until) {
  SmallNetworkParams params;
  params.channel.handshake = handshake;
  params.channel.latency = Cycles{2};
  params.channel.vcs = 2;
  params.scheduling = scheduling;
  params.send_until = send_until;
  return params;
}

/// Peak memory of a run of a small network, with a window of its wave or without. `trigger`: of the
/// window, if any. Unit: KiB
long peak_of(Cycle cycles, bool with_window, const std::string& path,
             const std::optional<WaveTrigger>& trigger = std::nullopt) {
  const std::string said = in_child([&] {
    SmallNetwork small(network_of(Handshake::credit, Scheduling::batched, cycles));
    WaveParams waves;
    waves.window = Cycles{200};
    waves.trigger = trigger;
    const auto recorder =
        with_window ? record_waves(waves, path, small.netlist(), small.domain(), small.packets())
                    : nullptr;
    small.run(cycles);
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    throw SystemFailure(std::to_string(used.ru_maxrss));
  });
  return std::stol(said);
}

/// A mesh under load. Its run has more than 1000 cycles.
Scenario job_with_window() { return uniform_traffic({{"wave", "{window: 100 cycle}"}}); }

struct Ended {
  Results results;
  bool has_wave = false;
  Vcd wave;

  bool notes(const std::string& part) const {
    return std::any_of(results.notes.begin(), results.notes.end(), [&](const std::string& note) {
      return note.find(part) != std::string::npos;
    });
  }
};

Ended run(const Scenario& job) {
  const ScratchFolder folder;
  SimulateOptions options;
  options.wave_path = folder.path("wave.vcd");
  Ended ended;
  ended.results = simulate(job, with_opaque_routers(), options);
  ended.has_wave = folder.has("wave.vcd");
  if (ended.has_wave) ended.wave = read_vcd(options.wave_path);
  INFO(ended.results.message);
  REQUIRE(folder.has("wave.gtkw") == ended.has_wave);
  return ended;
}

}  // namespace

TEST_CASE("a window holds the values at its beginning and the changes after it", "[timed][waves]") {
  const int seed = GENERATE(range(0, 20));
  Random random(static_cast<std::uint64_t>(seed), "window");
  constexpr std::size_t variables = 5;
  const std::int64_t length = 1 + static_cast<std::int64_t>(random.below(60));
  std::vector<WaveVariable> list;
  for (std::size_t i = 0; i < variables; ++i) list.push_back({"top", fmt::format("v{}", i), 8});

  const ScratchFolder folder;
  WaveWindow window(variables, length);
  VcdFile whole(folder.path("whole.vcd"), no_limit, list, {}, "");
  whole.begin_step(0);
  whole.begin_values("$dumpvars");
  for (std::size_t i = 0; i < variables; ++i) {
    const std::uint64_t value = random.below(200);
    window.change(i, value);
    whole.change(i, value);
  }
  whole.end_values();
  whole.end_step();
  std::int64_t time = 0;
  for (int step = 0; step < 300; ++step) {
    time += 1 + static_cast<std::int64_t>(random.below(12));
    window.begin_step(time);
    whole.begin_step(time);
    for (std::uint64_t i = random.below(3); i > 0; --i) {
      const std::size_t variable = static_cast<std::size_t>(random.below(variables));
      const std::uint64_t value = random.below(200);
      window.change(variable, value);
      whole.change(variable, value);
    }
    whole.end_step();
  }
  const std::int64_t end = time + static_cast<std::int64_t>(random.below(20));
  window.end_at(end);
  REQUIRE(window.begin() == end - length);
  VcdFile part(folder.path("part.vcd"), no_limit, list, {}, "");
  window.write(part, window.begin());
  part.close(end);
  whole.close(end);

  const Vcd found = read_vcd(folder.path("part.vcd"));
  CHECK(found.end == end);
  CHECK(difference(found, from(end - length, read_vcd(folder.path("whole.vcd")))) == "");
}

TEST_CASE("the number of changes in a window does not grow with the run", "[timed][waves]") {
  WaveWindow window(3, 100);
  std::size_t most = 0;
  for (std::int64_t time = 1; time <= 200'000; ++time) {
    window.begin_step(time);
    for (std::size_t variable = 0; variable < 3; ++variable)
      window.change(variable, static_cast<std::uint64_t>(time));
    most = std::max(most, window.size());
  }
  CHECK(most == 100 * 3);
}

TEST_CASE("a window of a network's wave has the values of the whole wave, in both schedulings",
          "[timed][waves]") {
  const Handshake handshake = GENERATE(Handshake::credit, Handshake::ready_valid);
  const Cycle window = GENERATE(Cycle{1}, Cycle{37}, Cycle{200}, Cycle{5000});
  const ScratchFolder folder;
  constexpr Cycle cycles = 350;
  const auto network = [&](Scheduling scheduling) {
    return network_of(handshake, scheduling, 400);
  };
  CAPTURE(window);

  REQUIRE(record(network(Scheduling::batched), 0, folder.path("all.vcd"), cycles) == "");
  REQUIRE(record(network(Scheduling::batched), window, folder.path("part.vcd"), cycles) == "");
  REQUIRE(record(network(Scheduling::per_module), window, folder.path("plain.vcd"), cycles) == "");

  const Vcd all = read_vcd(folder.path("all.vcd"));
  const Vcd part = read_vcd(folder.path("part.vcd"));
  const std::int64_t begin = std::max<Cycle>(0, cycles - window) * 1000;
  CHECK(part.end == all.end);
  CHECK(part.signals.size() > 100);
  CHECK(difference(part, from(begin, all)) == "");
  CHECK(folder.read("part.vcd") == folder.read("plain.vcd"));
  CHECK(folder.has("part.gtkw"));
}

TEST_CASE("a window that is not written leaves no file", "[timed][waves]") {
  const ScratchFolder folder;
  const auto network = network_of(Handshake::credit, Scheduling::batched, 400);
  REQUIRE(record(network, 100, folder.path("wave.vcd"), 300, false) == "");
  CHECK_FALSE(folder.has("wave.vcd"));
  CHECK_FALSE(folder.has("wave.gtkw"));
  CHECK(record(network, 100, folder.path("missing/wave.vcd"), 300) ==
        "cannot write " + folder.path("missing/wave.vcd") + ": No such file or directory");
}

TEST_CASE("the memory of a recorded window does not grow with the cycles of the run",
          "[timed][waves]") {
  if (instrumented) return;
  const ScratchFolder folder;
  // Kept as a whole, the changes of the longer run would take some 200 MiB.
  for (const Cycle cycles : {Cycle{15'000}, Cycle{150'000}}) {
    const long without = peak_of(cycles, false, folder.path("wave.vcd"));
    CHECK(peak_of(cycles, true, folder.path("wave.vcd")) < without + 4096);
  }
}

TEST_CASE("the memory of a window whose trigger never occurs is the same over ten million cycles",
          "[timed][waves][long]") {
  const ScratchFolder folder;
  WaveTrigger never;
  never.blocked = Cycles{100'000};
  const long brief = peak_of(10'000, true, folder.path("wave.vcd"), never);
  CHECK(peak_of(10'000'000, true, folder.path("wave.vcd"), never) < brief + 4096);
  CHECK_FALSE(folder.has("wave.vcd"));
}

TEST_CASE("a run that ends without an error writes no window and says so", "[timed][waves]") {
  const Ended ended = run(job_with_window());
  REQUIRE(ended.results.outcome == Outcome::complete);
  CHECK_FALSE(ended.has_wave);
  CHECK(
      ended.notes("no wave is written, because the run ended without an error; wave.window "
                  "keeps its last 100 cycle"));
}

TEST_CASE("a run that ends with an error writes its window", "[timed][waves]") {
  const std::string error = GENERATE(as<std::string>{}, "deadlock", "limit", "missed", "model");
  const std::string scheduling = GENERATE(as<std::string>{}, "batched", "per_module");
  Scenario job = job_with_window();
  Outcome outcome = Outcome::complete;  // before it is judged
  if (error == "deadlock") {
    outcome = Outcome::deadlock;  // after a thousand cycles in which nothing has changed
    job = job.with("wave.window", "4000 cycle")
              .with("traffic.measure", "20000 cycle")
              .with("router",
                    "{kind: opaque, at: [{nodes: [[1, 1]], kind: opaque, fault: stops, "
                    "at: 1500}]}");
  } else if (error == "limit") {
    outcome = Outcome::limit;
    job = job.with("stop.limit", "400 cycle");
  } else if (error == "missed") {
    job = job.with("expect", "{packets: 1}");
  } else {
    outcome = Outcome::model_error;  // soon, as a flit of the only packet is missing
    job = Scenario::parse(
        "scenario: t\ntopology: {kind: mesh, shape: [3, 3]}\nchannel: {width: 4 B}\n"
        "router: {kind: wormhole, at: [{nodes: [[1, 0]], kind: opaque, fault: loses, at: 3}]}\n"
        "operation: {kind: unicast, source: [0, 0], destination: [2, 0], message: 24 B}\n"
        "algorithm: {kind: separate}\nwave: {window: 8 cycle}\n");
  }
  job = job.with("clock.scheduling", scheduling);
  CAPTURE(error, scheduling);

  const Ended ended = run(job);
  const Ended whole = run(job.without("wave").with("wave", "{}"));
  INFO(ended.results.message);
  REQUIRE(ended.results.outcome == outcome);
  REQUIRE(ended.has_wave);
  REQUIRE(whole.has_wave);
  CHECK(ended.results.fingerprint == whole.results.fingerprint);
  CHECK(ended.wave.end == whole.wave.end);
  std::int64_t begin = INT64_MAX;
  std::size_t changes = 0;
  for (const auto& [name, signal] : ended.wave.signals) {
    begin = std::min(begin, signal.changes.front().time);
    changes += signal.changes.size() - 1;
  }
  CHECK(begin > 0);
  CHECK(changes > 10);
  CHECK(difference(ended.wave, from(begin, whole.wave)) == "");
  CHECK_FALSE(ended.notes("no wave is written"));
}

}  // namespace wave_window_test
