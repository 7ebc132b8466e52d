// testbenches/tests/timed/waves/fst_test.cpp: waves in FST have the values of those in VCD.
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <string>

#include "configs/error.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"
#include "testbenches/tests/timed/vcd_reader.hpp"
#include "testbenches/waves/files/fst_file.hpp"

namespace fst_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// A broadcast beside traffic on a torus, with a wave.
Scenario recorded(const std::string& wave) {
  return broadcast_beside_traffic()
      .with("traffic.rate", "0.1 flit/node/cycle")
      .with("channel.latency", "2 cycle")
      .with("wave", wave);
}

/// Runs the job; the wave is `name` in the folder.
Results record(const Scenario& job, const ScratchFolder& folder, const std::string& name) {
  SimulateOptions options;
  options.wave_path = folder.path(name);
  const Job read = Job::read(job, standard_catalog());
  return simulate(read, Plan::make(read), options);
}

#ifdef FLITWAVE_FSTAPI

/// The wave of an FST file in the folder as VCD text.
std::string vcd_text_of(const ScratchFolder& folder, const std::string& name) {
  convert_to_vcd(folder.path(name), folder.path("converted.vcd"));
  return folder.read("converted.vcd");
}

#endif

}  // namespace

#ifdef FLITWAVE_FSTAPI

TEST_CASE("a wave in FST has the signals, times and values of one in VCD", "[timed]") {
  const std::string more =
      GENERATE("", ", select: [\"channel_*\"]", ", from: 30 cycle, until: 90 cycle");
  const ScratchFolder folder;
  const Results of_vcd = record(recorded("{format: vcd" + more + "}"), folder, "wave.vcd");
  const Results of_fst = record(recorded("{format: fst" + more + "}"), folder, "wave.fst");
  REQUIRE(of_fst.outcome == Outcome::complete);
  REQUIRE(of_fst.fingerprint == of_vcd.fingerprint);

  const Vcd expected = read_vcd(folder.path("wave.vcd"));
  const std::string text = vcd_text_of(folder, "wave.fst");
  const Vcd found = parse_vcd(text, "wave.fst");
  REQUIRE(expected.signals.size() > 100);
  CHECK(difference(found, expected) == "");
  CHECK(found.end == expected.end);
}

TEST_CASE("fst2vcd of GTKWave finds the signals, times and values of a wave in VCD", "[timed]") {
  const ScratchFolder folder;
  record(recorded("{format: vcd}"), folder, "wave.vcd");
  record(recorded("{format: fst}"), folder, "wave.fst");
  const std::string read =
      "fst2vcd -f " + folder.path("wave.fst") + " -o " + folder.path("read.vcd");
  INFO("The program fst2vcd is in the package gtkwave.");
  REQUIRE(std::system(read.c_str()) == 0);

  const Vcd expected = read_vcd(folder.path("wave.vcd"));
  const Vcd found = read_vcd(folder.path("read.vcd"));
  REQUIRE(expected.signals.size() > 100);
  CHECK(difference(found, expected) == "");
  CHECK(found.end == expected.end);
}

TEST_CASE("equal runs give equal FST files, under every scheduling", "[timed]") {
  const ScratchFolder folder;
  record(recorded("{format: fst}"), folder, "one.fst");
  record(recorded("{format: fst}").with("clock.scheduling", "per_module"), folder, "other.fst");
  CHECK(folder.read("one.fst") == folder.read("other.fst"));
  CHECK(folder.read("one.gtkw").find("\"one.fst\"") != std::string::npos);
  CHECK(folder.read("one.gtkw").find("@100002028\n^3 one.states.txt\n+{state} ") !=
        std::string::npos);
}

TEST_CASE("an FST file is smaller than a VCD file, and contains the names of nodes", "[timed]") {
  const ScratchFolder folder;
  record(recorded("{format: vcd}"), folder, "wave.vcd");
  record(recorded("{format: fst}"), folder, "wave.fst");
  CHECK(folder.read("wave.fst").size() * 2 < folder.read("wave.vcd").size());
  CHECK(vcd_text_of(folder, "wave.fst").find("3_2") != std::string::npos);
}

#else

TEST_CASE("without a writer of FST a job with such a wave names what is missing", "[timed]") {
  setenv("PATH", "/nowhere", 1);
  CHECK_THROWS_WITH(require_fst(), Catch::Contains("install the package gtkwave"));
}

#endif

TEST_CASE("the name of a wave's file has the suffix of its format", "[timed]") {
  const auto file_of = [](const std::string& wave) {
    return Job::read(recorded(wave), standard_catalog()).wave->file;
  };
  CHECK(file_of("{format: fst}") == "wave.fst");
  CHECK(file_of("{}") == "wave.vcd");
  CHECK(file_of("{format: fst, file: own.fst}") == "own.fst");
  CHECK_THROWS_AS(file_of("{format: fst, file: own.vcd}"), ConfigError);
  CHECK_THROWS_AS(file_of("{file: own.fst}"), ConfigError);
}

}  // namespace fst_test
