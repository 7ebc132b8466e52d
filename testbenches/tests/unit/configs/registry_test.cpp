// testbenches/tests/unit/configs/registry_test.cpp: kinds by name.
// SPDX-License-Identifier: Apache-2.0
#include "configs/registry.hpp"

#include <string>
#include <vector>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/configs/config_error_of.hpp"

namespace flitwave::registry_test {
namespace {

struct Box {
  std::vector<int> shape;
};
struct Nothing {};

using Volumes = Registry<int(int)>;

int box(const Box& box, int scale) {
  int volume = scale;
  for (const int extent : box.shape) {
    if (extent < 1) throw ConfigError("volume.shape", "an extent is below 1", "write 1 or more");
    volume *= extent;
  }
  if (volume > 1000) throw ConfigError("shape[9]", "too large");
  return volume;
}

Volumes volumes() {
  Volumes volumes("volume");
  volumes.add("box", {"a box", "Euclid"}, Schema<Box>{}.required("shape", &Box::shape, "extents"),
              box);
  volumes.add("point", {"no extent", ""}, Schema<Nothing>{}, [](const Nothing&, int) { return 0; });
  return volumes;
}

ConfigNode section(const std::string& text) {
  return ConfigNode::parse("seed: 1\nvolume: " + text + "\n", "job.yaml").at("volume");
}

ConfigError rejection(const std::string& text) {
  return config_error_of([&] { volumes().bind(section(text)).build(1); });
}

TEST_CASE("a kind is bound to its section first and built later", "[unit]") {
  const auto bound = volumes().bind(section("{kind: box, shape: [2, 3]}"));

  REQUIRE(bound.kind() == "box");
  REQUIRE(bound.parameters() == Printed{{"shape", "[2, 3]"}});
  REQUIRE(bound.section().path() == "volume");
  REQUIRE(bound.build(1) == 6);
  REQUIRE(bound.build(7) == 42);
}

TEST_CASE("a registry lists its kinds by name", "[unit]") {
  REQUIRE(volumes().names() == std::vector<std::string>{"box", "point"});
  REQUIRE(volumes().contains("box"));
  REQUIRE_FALSE(volumes().contains("ball"));
  REQUIRE(volumes().info("box").about.source == "Euclid");
  REQUIRE(volumes().info("box").parameters[0].name == "shape");
}

TEST_CASE("a section without a kind is rejected with the known kinds", "[unit]") {
  const ConfigError error = rejection("{shape: [2]}");

  REQUIRE(std::string(error.what()) ==
          "job.yaml:2:1: volume: the volume has no `kind`; known kinds: box or point");
  REQUIRE(contains(rejection("").problem(), "has no `kind`"));
  REQUIRE(contains(rejection("[box]").remedy(), "write e.g. {kind: box}"));
  REQUIRE(rejection("{kind: [box]}").key() == "volume.kind");
}

TEST_CASE("a kind may be written as its name alone, at the same position", "[unit]") {
  const auto bound = volumes().bind(section("point"));
  REQUIRE(bound.kind() == "point");
  REQUIRE(bound.section().path() == "volume");
  REQUIRE(std::string(rejection("bxo").what()) ==
          "job.yaml:2:1: volume.kind: unknown volume `bxo`; did you mean `box`? "
          "known here: box, point");
  // A missing key belongs to the section, in either notation of its kind.
  REQUIRE(rejection("box").problem() == "the key `shape` is missing");
  REQUIRE(rejection("box").key() == "volume");
  REQUIRE(rejection("box").place().line == 2);
  REQUIRE(rejection("{kind: box}").key() == rejection("box").key());
}

TEST_CASE("an unknown kind is rejected with the nearest one and the list", "[unit]") {
  REQUIRE(std::string(rejection("{kind: bxo, shape: [2]}").what()) ==
          "job.yaml:2:10: volume.kind: unknown volume `bxo`; did you mean `box`? "
          "known here: box, point");
}

TEST_CASE("an error while building is located at the key that it names", "[unit]") {
  const ConfigError error = rejection("{kind: box,\n  shape: [2, 0]}");

  REQUIRE(std::string(error.what()) ==
          "job.yaml:3:3: volume.shape: an extent is below 1; write 1 or more");
  const ConfigError inner = rejection("{kind: box,\n  shape: [99, 99]}");
  REQUIRE(inner.key() == "volume.shape[9]");
  REQUIRE(inner.place().line == 3);
}

TEST_CASE("an error is located by its key, else by its section", "[unit]") {
  const ConfigNode volume = section("{kind: box,\n  shape: [2, 0]}");
  const auto line = [&](const std::string& key) {
    return detail::located(ConfigError(key, "wrong"), volume).place().line;
  };
  const auto key = [&](const std::string& name) {
    return detail::located(ConfigError(name, "wrong"), volume).key();
  };

  REQUIRE(line("volume.shape[1]") == 3);
  REQUIRE(line("shape") == 3);
  REQUIRE(line("volume.colour") == 2);
  REQUIRE(line("volume") == 2);
  REQUIRE(line("") == 2);
  REQUIRE(key("volume.shape") == "volume.shape");
  REQUIRE(key("shape") == "volume.shape");
  REQUIRE(key("volumes") == "volume.volumes");
  REQUIRE(key("") == "volume");
  const ConfigError placed(Place{"other.yaml", 7, 1}, "shape", "wrong");
  REQUIRE(detail::located(placed, volume).place().file == "other.yaml");
  REQUIRE(detail::located(placed, volume).key() == "shape");
}

}  // namespace
}  // namespace flitwave::registry_test
