// testbenches/tests/timed/manual/manual_test.cpp: look-ups in the manual.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/manual/manual.hpp"

#include "testbenches/tests/catch.hpp"

namespace manual_test {

using namespace flitwave;

namespace {

struct NoParams {};

std::string rejection(const std::vector<ManualRoom>& rooms, const std::string& name) {
  try {
    describe(rooms, name);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a name in two sections of the manual is rejected and both are listed", "[timed]") {
  Catalog catalog = standard_catalog();
  catalog.routings.add(
      "mesh", {"of the same name", ""}, Schema<NoParams>{},
      [](const NoParams&, const Topology&) { return std::unique_ptr<RoutingFunction>(); });
  const std::vector<ManualRoom> rooms = manual(catalog);

  REQUIRE(rejection(rooms, "mesh") ==
          "`mesh` is in several parts of a job; write topology.mesh or routing.mesh");
  REQUIRE(describe(rooms, "routing.mesh").find("routing.mesh: of the same name") == 0);
  REQUIRE(describe(rooms, "topology.mesh").find("topology.mesh: grid") == 0);
}

TEST_CASE("a section with kinds shows its settings and its kinds", "[timed]") {
  const std::string text = describe(manual(standard_catalog()), "traffic");

  REQUIRE(text.find("job.traffic: open-loop load") == 0);
  REQUIRE(text.find("\n  warmup: number of cycles, >= 0 cycle, default 1000 cycle\n") !=
          std::string::npos);
  REQUIRE(text.find("\n  uniform         every destination is equally likely\n") !=
          std::string::npos);
}

TEST_CASE("the settings of a section in a section follow it", "[timed]") {
  const std::vector<ManualRoom> rooms = manual(standard_catalog());
  const std::string wave = describe(rooms, "wave");
  const std::string device = describe(rooms, "node.tlm");

  const std::size_t trigger = wave.find("\n  trigger: section, optional\n");
  REQUIRE(trigger != std::string::npos);
  for (const char* key : {"packet", "nodes", "blocked"})
    CHECK(wave.find(std::string("\n      ") + key + ": ") > trigger);
  CHECK(wave.find("\n      blocked: number of cycles") != std::string::npos);
  for (const char* key : {"program", "style", "quantum", "outstanding", "size", "wait"}) {
    CAPTURE(key);
    CHECK(device.find(std::string("\n      ") + key + ": ") != std::string::npos);
  }
}

TEST_CASE("every section of the manual has entries with descriptions", "[timed]") {
  for (const ManualRoom& room : manual(standard_catalog())) {
    REQUIRE_FALSE(room.sentence.empty());
    REQUIRE_FALSE(room.entries.empty());
    for (const KindInfo& entry : room.entries) {
      REQUIRE_FALSE(entry.about.summary.empty());
      for (const ParameterInfo& parameter : entry.parameters)
        REQUIRE_FALSE(parameter.sentence.empty());
    }
  }
}

TEST_CASE("an example of a kind is a section of that kind and is shown as written", "[timed]") {
  const Catalog catalog = standard_catalog();
  const auto check = [&](const auto& registry) {
    for (const std::string& kind : registry.names())
      for (const std::string& example : registry.info(kind).about.examples) {
        CAPTURE(example);
        const ConfigNode job = ConfigNode::parse("section: " + example + "\n", "job.yaml");
        CHECK(registry.bind(job.at("section")).kind() == kind);
      }
  };
  check(catalog.topologies);
  check(catalog.routings);
  check(catalog.routers);
  check(catalog.operations);
  check(catalog.collectives);
  check(catalog.traffic);
  check(catalog.injections);
  check(catalog.observers);
  check(catalog.evaluations);

  REQUIRE(describe(manual(catalog), "hypercube")
              .find("\nexample: {kind: hypercube, dimensions: 6}\n") != std::string::npos);
}

TEST_CASE("an unknown name without a similar one is rejected without a suggestion", "[timed]") {
  REQUIRE(rejection(manual(standard_catalog()), "zebra") ==
          "there is no kind or section `zebra`; `flitwave list` shows them all");
}

}  // namespace manual_test
