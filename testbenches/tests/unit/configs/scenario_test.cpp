// testbenches/tests/unit/configs/scenario_test.cpp: jobs and changes of jobs.
// SPDX-License-Identifier: Apache-2.0
#include "configs/scenario.hpp"

#include <string>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/configs/config_error_of.hpp"

namespace flitwave::scenario_test {
namespace {

const char* const job = "scenario: demo\ntopology: {kind: mesh, shape: [4, 4]}\n";

TEST_CASE("a setting of a job is changed by YAML text", "[unit]") {
  const Scenario scenario = Scenario::parse(job);

  const Scenario larger = scenario.with("topology.shape", "[16, 16]").with("seed", "7");

  REQUIRE(larger.tree().to_yaml() ==
          "scenario: demo\ntopology: {kind: mesh, shape: [16, 16]}\nseed: 7\n");
  REQUIRE(larger.without("seed").without("topology.shape").tree().to_yaml() ==
          "scenario: demo\ntopology: {kind: mesh}\n");
  REQUIRE(scenario.tree() == Scenario::parse(job).tree());
}

TEST_CASE("an override that is not valid YAML is reported at its origin and key", "[unit]") {
  const Scenario scenario = Scenario::parse(job);
  const auto rejection = [&](const char* value) {
    return config_error_of([&] { (void)scenario.with("topology.shape", value, "--set"); });
  };

  REQUIRE(std::string(rejection("[16, @]").what())
              .find("--set:1:6: topology.shape: no value can start") == 0);
  REQUIRE(rejection("{a: 1, a: 2}").key() == "topology.shape.a");
  REQUIRE(contains(rejection("").what(), "--set:1:1: topology.shape: the text is empty"));
}

TEST_CASE("an override that the job does not allow is reported at the position in the job",
          "[unit]") {
  const Scenario scenario = Scenario::parse(job, "demo.yaml");

  const ConfigError error = config_error_of([&] { (void)scenario.with("scenario.name", "x"); });

  REQUIRE(error.place().file == "demo.yaml");
  REQUIRE(error.key() == "scenario");
}

TEST_CASE("an override with too deep nesting is rejected at once", "[unit]") {
  const Scenario shallow = Scenario::parse("scenario: deep\n");
  const auto keys = [](int levels, const std::string& key) {
    std::string path = key;
    for (int i = 1; i < levels; ++i) path += "." + key;
    return path;
  };
  const auto rejection = [&](const std::string& path) {
    return config_error_of([&] { (void)shallow.with(path, "1"); }).problem();
  };
  REQUIRE(rejection(keys(65, "a")) == "a path of 129 letters");
  REQUIRE(rejection(keys(30000, "a")) == "a path of 59999 letters");
  REQUIRE(rejection(keys(10, std::string(60, 'b'))) == "a path of 609 letters");
  REQUIRE(shallow.with(keys(64, "a"), "1").tree().find_path(keys(64, "a"))->text() == "1");
}

TEST_CASE("a value of an override keeps its origin", "[unit]") {
  const Scenario scenario =
      Scenario::parse(job, "demo.yaml").with("topology.kind", "ring", "--set");

  REQUIRE(scenario.tree().find_path("topology.kind")->place().file == "--set");
  REQUIRE(scenario.tree().find_path("topology.shape")->place().file == "demo.yaml");
}

}  // namespace
}  // namespace flitwave::scenario_test
