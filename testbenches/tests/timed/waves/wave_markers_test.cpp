// testbenches/tests/timed/waves/wave_markers_test.cpp: markers and recordings outside the run.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "configs/error.hpp"
#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"
#include "testbenches/tests/timed/vcd_reader.hpp"
#include "testbenches/waves/files/fst_file.hpp"

namespace wave_markers_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

constexpr std::int64_t period = 1000;

/// Traffic whose packets block each other.
Scenario job(const std::string& wave) {
  return uniform_traffic({{"traffic.rate", "0.25 flit/node/cycle"},
                          {"traffic.measure", "400 cycle"},
                          {"channel", "{buffer: 2 flit}"},
                          {"wave", wave}});
}

/// A torus whose packets wait for each other.
Scenario deadlock(const std::string& wave) { return deadlocked_torus("100").with("wave", wave); }

struct Marker {
  std::string name;
  std::int64_t time;
};

struct Recorded {
  Results results;
  bool has_files = false;
  std::vector<Marker> markers;
  std::int64_t begin = -1;  ///< The first time at which a value is known.
  std::int64_t end = -1;
};

/// The markers of a save file for GTKWave.
std::vector<Marker> markers_of(const std::string& view) {
  std::istringstream lines(view);
  std::vector<std::int64_t> times;
  std::vector<Marker> markers;
  for (std::string line; std::getline(lines, line);) {
    if (line.front() == '*') {
      std::istringstream words(line.substr(1));
      double zoom = 0;
      std::int64_t cursor = 0;
      words >> zoom >> cursor;
      for (std::int64_t time = 0; words >> time;)
        if (time != -1) times.push_back(time);
    }
    const std::string named = "[markername] ";
    if (line.compare(0, named.size(), named) == 0)
      markers.push_back({line.substr(named.size() + 1), times.at(markers.size())});
  }
  REQUIRE(markers.size() == times.size());
  return markers;
}

Recorded record(const Scenario& job, const std::string& name = "wave.vcd") {
  const ScratchFolder folder;
  SimulateOptions options;
  options.wave_path = folder.path(name);
  Recorded recorded;
  recorded.results = simulate(job, standard_catalog(), options);
  recorded.has_files = std::distance(std::filesystem::directory_iterator(folder.path("")),
                                     std::filesystem::directory_iterator()) > 0;
  if (!folder.has("wave.vcd")) return recorded;
  const Vcd wave = read_vcd(options.wave_path);
  recorded.markers = markers_of(folder.read("wave.gtkw"));
  recorded.end = wave.end;
  for (const auto& entry : wave.signals)
    for (const VcdSignal::Change& change : entry.second.changes)
      if (change.value.find('x') == std::string::npos &&
          (recorded.begin < 0 || change.time < recorded.begin))
        recorded.begin = change.time;
  return recorded;
}

/// Requires that all markers are within the wave. Returns: how many have this name.
std::int64_t require_within(const Recorded& recorded, const std::string& name) {
  for (const Marker& marker : recorded.markers) {
    INFO(marker.name);
    CHECK(marker.time >= recorded.begin);
    CHECK(marker.time <= recorded.end);
  }
  return std::count_if(recorded.markers.begin(), recorded.markers.end(),
                       [&](const Marker& marker) { return marker.name == name; });
}

bool notes(const Results& results, const std::string& note) {
  return std::find(results.notes.begin(), results.notes.end(), note) != results.notes.end();
}

}  // namespace

TEST_CASE("a view has markers only at times that its wave has", "[timed][waves]") {
  const Recorded whole = record(job("{}"));
  REQUIRE(whole.markers.size() == 2);
  CHECK(require_within(whole, "first flit") == 1);
  CHECK(require_within(whole, "longest stall begins") == 1);
  const std::int64_t stall = whole.markers[1].time;
  const auto cycles = [](std::int64_t time) { return std::to_string(time / period) + " cycle"; };
  REQUIRE(stall > 40 * period);

  const Recorded before = record(job("{until: " + cycles(stall - 30 * period) + "}"));
  CHECK(require_within(before, "first flit") == 1);
  const Recorded after = record(job("{from: " + cycles(stall + period) + "}"));
  CHECK(after.begin > stall);
  CHECK(require_within(after, "first flit") == 1);
  CHECK(require_within(after, "longest stall begins") == 0);
  const Recorded full =
      record(job("{limit: 40 KiB, select: [\"channel_0_0_to_1_0\", \"channel_1_0_to_2_0\"]}"));
  REQUIRE(full.end < whole.end);
  require_within(full, "first flit");
  const Recorded triggered = record(job("{window: 40 cycle, trigger: {blocked: 5 cycle}}"));
  CHECK(require_within(triggered, "trigger") == 1);
}

TEST_CASE("a view of the end of a run has no marker at its beginning", "[timed][waves]") {
  const Recorded last = record(job("{window: 40 cycle}").with("stop.limit", "300 cycle"));
  REQUIRE(last.results.outcome == Outcome::limit);
  REQUIRE(last.begin > 200 * period);
  CHECK(require_within(last, "first flit") == 0);
}

TEST_CASE("the marker of a deadlock is in the wave if that lasts until then", "[timed][waves]") {
  const Recorded whole = record(deadlock("{}"));
  INFO(whole.results.message);
  REQUIRE(whole.results.outcome == Outcome::deadlock);
  CHECK(require_within(whole, "deadlock") == 1);
  const Recorded before = record(deadlock("{until: 30 cycle}"));
  CHECK(before.results.outcome == Outcome::deadlock);
  CHECK(require_within(before, "deadlock") == 0);
  CHECK(require_within(before, "first flit") == 1);
}

TEST_CASE("a recording that begins after the end of the run leaves no files and says so",
          "[timed][waves]") {
  const std::string format = GENERATE("vcd", "fst");
  try {
    if (format == "fst") require_fst();
  } catch (const ConfigError&) {
    return;  // this program cannot write it
  }
  const Recorded late =
      record(job("{format: " + format + ", from: 100000 cycle}"), "wave." + format);
  CHECK(late.results.outcome == Outcome::complete);
  CHECK_FALSE(late.has_files);
  CHECK(notes(late.results, "no wave is written: the run ended before wave.from, 100000 cycle"));

  const Recorded in_time =
      record(job("{format: " + format + ", from: 100 cycle}"), "wave." + format);
  CHECK(in_time.has_files);
  CHECK(in_time.results.notes.empty());
}

}  // namespace wave_markers_test
