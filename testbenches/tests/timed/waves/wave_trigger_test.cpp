// testbenches/tests/timed/waves/wave_trigger_test.cpp: an event triggers the window of a wave.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include "configs/error.hpp"
#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"
#include "testbenches/tests/timed/vcd_reader.hpp"

namespace wave_trigger_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

constexpr std::int64_t period = 1000;
constexpr Cycle window = 40;

/// Traffic whose packets block each other.
Scenario job(const std::string& wave, const std::string& scheduling = "batched") {
  return uniform_traffic({{"traffic.rate", "0.25 flit/node/cycle"},
                          {"traffic.measure", "400 cycle"},
                          {"channel", "{buffer: 2 flit}"},
                          {"clock.scheduling", scheduling},
                          {"wave", wave}});
}

struct Recorded {
  Results results;
  std::string text;  ///< Of the file; empty: there is none.
  std::string view;

  Vcd wave() const { return parse_vcd(text, "wave"); }
};

Recorded record(const Scenario& job) {
  const ScratchFolder folder;
  SimulateOptions options;
  options.wave_path = folder.path("wave.vcd");
  Recorded recorded{simulate(job, standard_catalog(), options), "", ""};
  if (folder.has("wave.vcd")) recorded.text = folder.read("wave.vcd");
  if (folder.has("wave.gtkw")) recorded.view = folder.read("wave.gtkw");
  return recorded;
}

std::string windowed(const std::string& trigger) {
  return "{window: " + std::to_string(window) + " cycle, trigger: " + trigger + "}";
}

/// The first time at which `is_event(wave, scope of a channel end, time)`.
template <class Event>
std::int64_t first_time(const Vcd& wave, Event is_event) {
  for (std::int64_t time = 0; time <= wave.end; time += period)
    for (const auto& entry : wave.signals) {
      const std::size_t dot = entry.first.rfind('.');
      if (entry.first.substr(dot) != ".valid") continue;
      if (is_event(entry.first.substr(0, dot + 1), time)) return time;
    }
  return -1;
}

/// The part must have the values of the whole wave from `window` before the event until as long
/// after it.
void require_around(const Vcd& part, const Vcd& whole, std::int64_t event) {
  REQUIRE(event > window * period);
  const std::int64_t begin = event - window * period;
  const std::int64_t end = std::min(whole.end, event + window * period);
  CHECK(part.end == end);
  CHECK(difference(part, window_of(whole, begin, end)) == "");
}

/// Records under both schedulings, and compares with the event in the whole wave.
template <class Event>
void require_trigger(const std::string& trigger, std::int64_t delay, Event is_event) {
  const Recorded whole = record(job("{}"));
  const Recorded part = record(job(windowed(trigger)));
  REQUIRE(part.results.outcome == Outcome::complete);
  CHECK(part.results.fingerprint == whole.results.fingerprint);
  const Vcd wave = whole.wave();
  const std::int64_t event = first_time(wave, [&](const std::string& scope, std::int64_t time) {
    return is_event(wave, scope, time);
  });
  require_around(part.wave(), wave, event + delay);
  CHECK(part.view.find("trigger\n") != std::string::npos);
  CHECK(record(job(windowed(trigger), "per_module")).text == part.text);
}

}  // namespace

TEST_CASE("the first flit of a packet triggers a wave, with a window before and one after",
          "[timed]") {
  require_trigger("{packet: 2_1#7}", 0,
                  [](const Vcd& wave, const std::string& scope, std::int64_t time) {
                    return wave.signal(scope + "valid").at(time) == "1" &&
                           wave.signal(scope + "packet").at(time) == "s2_1#7";
                  });
}

TEST_CASE("the first packet of a node triggers a wave", "[timed]") {
  // Node 2_1 is number 6 of a 4x4 mesh. Others send before.
  const Recorded whole = record(job("{}"));
  const Vcd wave = whole.wave();
  const auto is_of_node = [&](const std::string& scope, std::int64_t time) {
    return wave.signal(scope + "valid").at(time) == "1" &&
           (wave.signal(scope + "source").number(time) == 6 ||
            wave.signal(scope + "destination").number(time) == 6);
  };
  const std::int64_t event = first_time(wave, is_of_node);
  const Recorded part = record(job(windowed("{nodes: [[2, 1]]}")));
  const Vcd found = part.wave();
  CHECK(part.view.find("trigger\n") != std::string::npos);
  CHECK(found.end == event + window * period);
  CHECK(record(job(windowed("{nodes: [[2, 1]]}"), "per_module")).text == part.text);
}

TEST_CASE("a channel that is blocked for long triggers a wave", "[timed]") {
  constexpr Cycle longest = 5;
  const auto is_blocked = [](const std::string& state) {
    return state == "1" || state == "10" || state == "11";
  };
  require_trigger("{blocked: 5 cycle}", longest * period,
                  [&](const Vcd& wave, const std::string& scope, std::int64_t time) {
                    if (wave.signals.count(scope + "state") == 0) return false;
                    const VcdSignal& state = wave.signal(scope + "state");
                    for (Cycle i = 0; i <= longest; ++i)
                      if (!is_blocked(state.at(time + i * period))) return false;
                    return true;
                  });
}

TEST_CASE("a trigger whose event never occurs leaves no wave and says so", "[timed]") {
  const Recorded part = record(job(windowed("{packet: 2_1#700000}")));
  REQUIRE(part.results.outcome == Outcome::complete);
  CHECK(part.text == "");
  const std::vector<std::string>& notes = part.results.notes;
  CHECK(std::count(notes.begin(), notes.end(),
                   "no wave is written: neither the event of wave.trigger nor an error occurred") ==
        1);
}

TEST_CASE("after an error a wave whose trigger has not occurred is written, too", "[timed]") {
  const Recorded part =
      record(job(windowed("{packet: 2_1#700000}")).with("stop.limit", "300 cycle"));
  REQUIRE(part.results.outcome == Outcome::limit);
  CHECK(part.text != "");
}

TEST_CASE("triggers that cannot occur are rejected", "[timed]") {
  const auto error_of = [](const std::string& wave) { return record(job(wave)).results.message; };
  const auto reject = [](const std::string& wave) {
    try {
      Job::read(job(wave), standard_catalog());
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK_THAT(reject("{window: 9 cycle, trigger: {}}"), Catch::Contains("no event is given"));
  CHECK_THAT(reject("{trigger: {packet: 0_0#1}}"), Catch::Contains("set wave.window"));
  CHECK_THAT(reject("{window: 9 cycle, states: false, trigger: {blocked: 9 cycle}}"),
             Catch::Contains("leave out wave.states"));
  CHECK_THAT(error_of(windowed("{packet: 0_0}")), Catch::Contains("write NODE#NUMBER"));
  CHECK_THAT(error_of(windowed("{packet: 9_9#1}")), Catch::Contains("e.g. 0_0#0"));
  CHECK_THAT(error_of(windowed("{packet: 0_0#1x}")), Catch::Contains("not the name of a packet"));
  CHECK_THAT(error_of(windowed("{nodes: [[9, 9]]}")), Catch::Contains("wave.trigger.nodes"));
}

}  // namespace wave_trigger_test
