// testbenches/tests/timed/waves/wave_limit_test.cpp: the size of a wave's file is bounded.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/timed/jobs.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"
#include "testbenches/tests/timed/vcd_reader.hpp"

namespace wave_limit_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

constexpr std::int64_t period = 1000;

struct Recorded {
  Results results;
  std::int64_t size = 0;  // of the file. Unit: byte
  Vcd wave;

  bool is_cut() const {
    return std::any_of(results.notes.begin(), results.notes.end(), [](const std::string& note) {
      return note.find("the wave is cut: wave.limit, ") != std::string::npos;
    });
  }
  std::int64_t begin() const { return wave.signals.begin()->second.changes.front().time; }
};

/// Traffic until cycle 900. `wave`: its settings but the format.
Recorded record(const std::string& format, const std::string& wave) {
  const ScratchFolder folder;
  SimulateOptions options;
  options.wave_path = folder.path("wave." + format);
  Recorded recorded;
  recorded.results =
      simulate(uniform_traffic({{"traffic.rate", "0.3 flit/node/cycle"},
                                {"stop.limit", "900 cycle"},
                                {"wave", fmt::format("{{format: {}{}}}", format, wave)}}),
               standard_catalog(), options);
  REQUIRE(recorded.results.outcome == Outcome::limit);
  recorded.size = static_cast<std::int64_t>(std::filesystem::file_size(options.wave_path));
  if (format == "fst") {
    INFO("The program fst2vcd is in the package gtkwave.");
    const std::string read = "fst2vcd -f " + options.wave_path + " -o " + folder.path("wave.vcd");
    REQUIRE(std::system(read.c_str()) == 0);
  }
  recorded.wave = read_vcd(folder.path("wave.vcd"));
  return recorded;
}

/// Why a part does not have the values of `whole` in its time, but for the last one: in the time at
/// which a file of text is full nothing is written. Empty if it has.
std::string difference_within(const Vcd& part, const Vcd& whole, std::int64_t begin) {
  const std::int64_t end = part.end - 1;
  return difference(window_of(part, begin, end), window_of(whole, begin, end));
}

const std::vector<std::string> formats = {"vcd", "fst"};

}  // namespace

TEST_CASE("a file of a wave is at most as large as its limit, and uses it", "[timed][waves]") {
  for (const std::string& format : formats) {
    const Recorded whole = record(format, "");
    REQUIRE_FALSE(whole.is_cut());
    REQUIRE(whole.size > 140 * 1024);
    for (const int kilobytes : {80, 100, 120}) {
      CAPTURE(format, kilobytes);
      const Recorded part = record(format, fmt::format(", limit: {} KiB", kilobytes));
      CHECK(part.is_cut());
      CHECK(part.size <= kilobytes * 1024);
      if (format == "vcd") CHECK(part.size > (kilobytes - 2) * 1024);
      CHECK(part.wave.end < whole.wave.end);
      CHECK(part.wave.end > 20 * period);
      CHECK(difference_within(part.wave, whole.wave, part.begin()) == "");
    }
    const Recorded uncut = record(format, ", limit: 100 MiB");
    CHECK_FALSE(uncut.is_cut());
    CHECK(uncut.size == whole.size);
  }
}

TEST_CASE("GTKWave reads blocks of FST in which the first signal does not change",
          "[timed][waves]") {
  const std::string wave = ", clock: false, states: false";
  const Recorded whole = record("vcd", wave);
  for (int kilobytes = 60; kilobytes < 120; kilobytes += instrumented ? 10 : 2) {
    CAPTURE(kilobytes);
    const Recorded part = record("fst", fmt::format("{}, limit: {} KiB", wave, kilobytes));
    CHECK(part.is_cut());
    CHECK(part.size <= kilobytes * 1024);
    CHECK(difference_within(part.wave, whole.wave, part.begin()) == "");
  }
}

TEST_CASE("of a window beyond the limit the end of the run is kept", "[timed][waves]") {
  for (const std::string& format : formats) {
    CAPTURE(format);
    const Recorded whole = record(format, "");
    const Recorded part = record(format, ", window: 800 cycle, limit: 100 KiB");
    CHECK(part.is_cut());
    CHECK(part.size <= 100 * 1024);
    CHECK(part.wave.end == whole.wave.end);
    CHECK(part.begin() > 100 * period);
    CHECK(part.begin() < 880 * period);
    CHECK(difference_within(part.wave, whole.wave, part.begin()) == "");
    CHECK_FALSE(record(format, ", window: 5 cycle, limit: 100 KiB").is_cut());
  }
}

TEST_CASE("of a window beyond the limit the event of the trigger is kept", "[timed][waves]") {
  const auto triggered = [](const std::string& format, int window, int kilobytes) {
    return record(format, fmt::format(", window: {} cycle, limit: {} KiB, trigger: {{packet: "
                                      "1_1#30}}",
                                      window, kilobytes));
  };
  for (const std::string& format : formats) {
    const Recorded whole = record(format, "");
    const Recorded near = triggered(format, 1, 256);
    REQUIRE_FALSE(near.is_cut());
    const std::int64_t event = near.begin() + period;
    REQUIRE(event > 400 * period);
    REQUIRE(event < 700 * period);
    for (const int window : {60, 300}) {
      CAPTURE(format, window);
      const Recorded part = triggered(format, window, 75);
      CHECK(part.is_cut());
      CHECK(part.size <= 75 * 1024);
      CHECK(part.begin() <= event);
      CHECK(part.begin() > event - window * period);
      CHECK(part.wave.end > event);
      CHECK(difference_within(part.wave, whole.wave, part.begin()) == "");
    }
  }
}

}  // namespace wave_limit_test
