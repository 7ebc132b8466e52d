// testbenches/tests/timed/waves/wave_trigger_test.cpp: an event triggers the window of a wave.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <regex>
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
void require_trigger(const std::string& trigger, Event is_event) {
  const Recorded whole = record(job("{}"));
  const Recorded part = record(job(windowed(trigger)));
  REQUIRE(part.results.outcome == Outcome::complete);
  CHECK(part.results.fingerprint == whole.results.fingerprint);
  const Vcd wave = whole.wave();
  const std::int64_t event = first_time(wave, [&](const std::string& scope, std::int64_t time) {
    return is_event(wave, scope, time);
  });
  require_around(part.wave(), wave, event);
  CHECK(part.view.find("trigger\n") != std::string::npos);
  CHECK(record(job(windowed(trigger), "per_module")).text == part.text);
}

}  // namespace

TEST_CASE("the first flit of a packet triggers a wave, with a window before and one after",
          "[timed]") {
  require_trigger("{packet: 2_1#7}",
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

namespace {

/// When the first recorded channel has been in a blocked state for `longest`; without one the end.
std::int64_t first_blocked_channel(const Vcd& wave, Cycle longest) {
  const auto is_blocked = [](const std::string& state) {
    return state == "1" || state == "10" || state == "11";
  };
  const std::int64_t since = first_time(wave, [&](const std::string& scope, std::int64_t time) {
    if (wave.signals.count(scope + "state") == 0) return false;
    const VcdSignal& state = wave.signal(scope + "state");
    for (Cycle i = 0; i <= longest; ++i)
      if (!is_blocked(state.at(time + i * period))) return false;
    return true;
  });
  return since < 0 ? wave.end : since + longest * period;
}

/// When heads are on the recorded channels that leave routers. Key: router and packet, such as
/// "1_0 s3_1#17".
std::map<std::string, std::int64_t> departures(const Vcd& wave) {
  static const std::regex leaves(R"(\.(?:channel|ejection)_([0-9]+_[0-9]+)[^.]*\.packet$)");
  std::map<std::string, std::int64_t> times;
  for (const auto& [name, packet] : wave.signals) {
    std::smatch found;
    if (!std::regex_search(name, found, leaves)) continue;
    for (const VcdSignal::Change& change : packet.changes)
      times.emplace(found.str(1) + " " + change.value, change.time);
  }
  return times;
}

/// When the first head has waited for a recorded channel for `longest`, by the stalls that routers
/// report when heads leave. Needs: routers of one cycle.
std::int64_t first_blocked_head(const Vcd& wave, const Table& stalls, Cycle longest) {
  std::map<std::string, Cycle> heads;  // as in `departures`
  for (const std::vector<std::string>& row : stalls.rows)
    heads[row.at(3) + " s" + row.at(0) + "#" + row.at(1)] += std::stoll(row.at(6));
  const std::map<std::string, std::int64_t> left = departures(wave);
  std::int64_t first = wave.end;
  for (const auto& [head, cycles] : heads)
    if (const auto found = left.find(head); found != left.end() && cycles > longest)
      first = std::min(first, found->second + (longest - cycles) * period);
  return first;
}

/// A wave with a trigger on what is blocked, and what should have triggered it.
struct BlockedTrigger {
  Vcd whole;
  Vcd part;
  std::int64_t channel;  ///< `first_blocked_channel`
  std::int64_t head;     ///< `first_blocked_head`
};

/// Both schedulings must record the same.
BlockedTrigger record_blocked(const Scenario& blocked, Cycle longest, const std::string& select) {
  const auto job_with = [&](const std::string& wave, const std::string& scheduling) {
    return blocked.with("wave", wave)
        .with("wave.select", "[" + select + "]")
        .with("clock.scheduling", scheduling)
        .with("observe", "[{kind: contention, packets: true}]");
  };
  const std::string trigger = windowed("{blocked: " + std::to_string(longest) + " cycle}");
  const Recorded whole = record(job_with("{}", "batched"));
  const Recorded part = record(job_with(trigger, "batched"));
  CHECK(part.results.fingerprint == whole.results.fingerprint);
  CHECK(part.view.find("trigger\n") != std::string::npos);
  CHECK(record(job_with(trigger, "per_module")).text == part.text);
  const Vcd wave = whole.wave();
  return {wave, part.wave(), first_blocked_channel(wave, longest),
          first_blocked_head(wave, whole.results.table("blocked_packets"), longest)};
}

/// Much traffic, whose stalls are all in the table of contention.
Scenario heavy_traffic(const char* vcs = "1", const char* packet = "4 flit") {
  return job("{}")
      .with("channel.vcs", vcs)
      .with("traffic.packet", packet)
      .with("traffic.rate", "0.4 flit/node/cycle")
      .with("traffic.warmup", "0 cycle")
      .with("traffic.measure", "2000 cycle");
}

void require_trigger_by_head(const Scenario& blocked, Cycle longest, const std::string& select) {
  CAPTURE(longest, select);
  const BlockedTrigger run = record_blocked(blocked, longest, select);
  CHECK(run.head < run.channel);
  require_around(run.part, run.whole, run.head);
}

}  // namespace

TEST_CASE("a head that waits for a channel for long triggers a wave", "[timed]") {
  require_trigger_by_head(heavy_traffic(), 5, "\"*\"");
  require_trigger_by_head(heavy_traffic(), 12, "\"*\"");
  require_trigger_by_head(heavy_traffic(), 12, "channel_1_*");
}

TEST_CASE("among virtual channels a head that waits for long triggers a wave", "[timed]") {
  require_trigger_by_head(heavy_traffic("2"), 5, "\"*\"");
  require_trigger_by_head(heavy_traffic("2"), 12, "\"*\"");
}

TEST_CASE("a head that waits for long behind packets of one flit triggers a wave", "[timed]") {
  const Scenario blocked = heavy_traffic("1", "1 flit")
                               .with("router.arbitration", "fixed")
                               .with("traffic.rate", "0.5 flit/node/cycle");
  require_trigger_by_head(blocked, 16, "\"*\"");
  require_trigger_by_head(blocked, 20, "\"*\"");
}

TEST_CASE("a head that waits for the second channel of its copies triggers a wave", "[timed]") {
  const Scenario blocked = Scenario::parse(R"(
scenario: copies
topology: {kind: mesh, shape: [6, 6]}
channel: {width: 2 B, vcs: 2, buffer: 8 flit}
routing: {kind: label_order}
router: {kind: path_multicast, preset: single_cycle}
packet_format: {address: 1 B}
operation: {kind: multicasts, count: 6, placement: distinct, destinations: 12, message: 200 B}
algorithm: {kind: dual_path}
)");
  require_trigger_by_head(blocked, 300, "\"*\"");
  // Packet 3_2#6 has a channel to 1_0 and waits for one to the node 2_0, where it leaves a copy.
  require_trigger_by_head(blocked, 150, "channel_2_0_to_1_0, \"ejection_2_0*\"");
}

TEST_CASE("a channel that is blocked for long triggers a wave", "[timed]") {
  for (const char* select : {"channel_0_0_to_1_0", "channel_0_2_to_1_2"}) {
    const BlockedTrigger run = record_blocked(heavy_traffic(), 5, select);
    CHECK(run.channel <= run.head);
    require_around(run.part, run.whole, run.channel);
  }
}

TEST_CASE("a head behind a packet that moves triggers a wave", "[timed]") {
  // Packet 1_0#0 comes to the front of its buffer in cycle 23 and waits for 47 cycles, as the table
  // of contention says. No channel is blocked for that long.
  const auto run = [](const std::string& limit) {
    return record(Scenario::load("configs/scenarios/blocked_worm.yaml")
                      .with("wave.trigger.blocked", limit)
                      .with("wave.window", "2 cycle"));
  };
  const Recorded part = run("46 cycle");
  const std::vector<std::vector<std::string>>& rows = part.results.table("contention").rows;
  CHECK(rows.at(0) == std::vector<std::string>{"1_0", "0", "47", "0"});
  CHECK(part.wave().end == (23 + 46 + 2) * period);
  CHECK(run("47 cycle").text == "");
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
