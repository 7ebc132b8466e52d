// testbenches/tests/timed/experiments/sweep_test.cpp: how a sweep is expanded into points.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/findings/sweep.hpp"

#include <set>

#include "testbenches/job/catalog.hpp"
#include "testbenches/tests/catch.hpp"

namespace sweep_test {

using namespace flitwave;

namespace {

std::vector<Settings> points(const std::string& sweep, std::uint64_t seed = 1,
                             const std::string& base = "topology: {kind: mesh, shape: [4, 4]}") {
  static const Catalog catalog = standard_catalog();
  return expand_sweep(ConfigNode::parse(sweep, "sweep.yaml"), Scenario::parse(base), seed,
                      catalog.topologies);
}

std::string texts(const std::vector<Settings>& points) {
  std::string text;
  for (const Settings& point : points) text += settings_text(point) + "\n";
  return text;
}

/// The error with which a sweep is rejected; empty when it is accepted.
std::string error_of(const std::string& sweep) {
  try {
    points(sweep);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a sweep is the product of its lists; the first list varies slowest", "[timed]") {
  REQUIRE(texts(points("{channel.vcs: [1, 2], operation.message: [8 B, 16 B, 1 KiB]}")) ==
          "channel.vcs: 1, operation.message: 8 B\n"
          "channel.vcs: 1, operation.message: 16 B\n"
          "channel.vcs: 1, operation.message: 1 KiB\n"
          "channel.vcs: 2, operation.message: 8 B\n"
          "channel.vcs: 2, operation.message: 16 B\n"
          "channel.vcs: 2, operation.message: 1 KiB\n");
}

TEST_CASE("a sweep may vary a whole section, and later a setting inside it", "[timed]") {
  const auto found = points(
      "{algorithm: [{kind: edn}, {kind: recursive_doubling, chain: rotated}], node.ports: [3]}");

  REQUIRE(texts(found) ==
          "algorithm.kind: edn, node.ports: 3\n"
          "algorithm.kind: recursive_doubling, algorithm.chain: rotated, node.ports: 3\n");
  const Scenario job = with_settings(Scenario::parse("algorithm: {kind: separate}"), found[1]);
  REQUIRE(job.tree() == ConfigNode::parse("{algorithm: {kind: recursive_doubling, chain: rotated}, "
                                          "node: {ports: 3}}",
                                          "expected"));
}

TEST_CASE("settings that change together are one list of maps", "[timed]") {
  const std::string sweep =
      "{together: [{clock.period: 1 ns, node.ports: 1}, {clock.period: 2 ns, node.ports: 3}], "
      "channel.vcs: [1, 2]}";

  REQUIRE(texts(points(sweep)) ==
          "clock.period: 1 ns, node.ports: 1, channel.vcs: 1\n"
          "clock.period: 1 ns, node.ports: 1, channel.vcs: 2\n"
          "clock.period: 2 ns, node.ports: 3, channel.vcs: 1\n"
          "clock.period: 2 ns, node.ports: 3, channel.vcs: 2\n");
}

TEST_CASE("sampled nodes are distinct, and every algorithm gets the same ones", "[timed]") {
  const auto found =
      points("{algorithm.kind: [edn, separate], operation.root: {sample_nodes: 10}}");

  REQUIRE(found.size() == 20);
  std::set<std::string> roots;
  for (std::size_t i = 0; i < 10; ++i) {
    REQUIRE(found[i][1] == found[i + 10][1]);
    REQUIRE(found[i][1].value.items().size() == 2);
    roots.insert(settings_text({found[i][1]}));
  }
  REQUIRE(roots.size() == 10);
}

TEST_CASE("a seed determines its sample; another seed gives another sample", "[timed]") {
  const std::string sweep = "{operation.root: {sample_nodes: 8}}";

  REQUIRE(texts(points(sweep, 1)) == texts(points(sweep, 1)));
  REQUIRE(texts(points(sweep, 1)) != texts(points(sweep, 2)));
}

TEST_CASE("nodes are sampled from the topology of their point", "[timed]") {
  const auto found = points(
      "{topology: [{kind: ring, nodes: 3}, {kind: mesh, shape: [2, 2]}, "
      "{kind: custom, nodes: 2, channels: [[0, 1], [1, 0]]}], operation.root: {sample_nodes: 2}}");

  REQUIRE(found.size() == 6);
  REQUIRE(found[0][1].value.items().size() == 1);
  REQUIRE(found[2][1].value.items().size() == 2);
  REQUIRE(settings_text({found[4][1]}) == "operation.root: 0");
  REQUIRE(settings_text({found[5][1]}) == "operation.root: 1");
}

TEST_CASE("a sample of all nodes contains each once", "[timed]") {
  const auto found = points("{operation.root: {sample_nodes: 16}}");

  std::set<std::string> roots;
  for (const Settings& point : found) roots.insert(settings_text(point));
  REQUIRE(roots.size() == 16);
}

TEST_CASE("an impossible sweep is rejected at its key", "[timed]") {
  REQUIRE(says(error_of("{channel.vcs: []}"), "sweep.yaml:1:2: channel.vcs"));
  REQUIRE(says(error_of("{channel.vcs: 2}"), "list of values"));
  REQUIRE(says(error_of("{channel.vcs: [1, 2, 1]}"), "is already in the list"));
  REQUIRE(says(error_of("[1, 2]"), "map from settings"));
  REQUIRE(says(error_of("{operation.root: {sample_nodes: 17}}"), "sample 16 or fewer"));
  REQUIRE(says(error_of("{operation.root: {sample_node: 1}}"), "sample_nodes"));
  REQUIRE(
      says(error_of("{algorithm.chain: [rotated], algorithm: [{kind: edn}]}"), "would overwrite"));
  REQUIRE(says(error_of("{operation.root: {sample_nodes: 2}, topology.shape: [[4, 4]]}"),
               "put it before `operation.root`"));
  REQUIRE(says(error_of("{together: {sample_nodes: 2}}"), "must be a list of maps"));
  REQUIRE(says(error_of("{together: {clock.period: [1 ns]}}"), "must be a list of maps"));
  REQUIRE(
      says(error_of("{together: [{operation.root: {sample_nodes: 2}}]}"), "outside `together`"));
  REQUIRE(says(error_of("{together: [1, 2]}"), "maps of the same settings"));
  REQUIRE(says(error_of("{together: [{a: 1, b: 2}, {a: 2}]}"), "maps of the same settings"));
  REQUIRE(says(error_of("{together: [{a: 1}, {a: 1}]}"), "is already in the list"));
  REQUIRE(
      says(error_of("{a.b: [1], together: [{a: {b: 1}}, {a: {b: 2}}]}"), "would overwrite `a.b`"));
  std::string digits = "[0";
  for (int i = 1; i < 400; ++i) digits += ", " + std::to_string(i);
  digits += "]";
  REQUIRE(says(error_of("{channel.vcs: " + digits + ", seed: " + digits + "}"),
               "more than 100000 points"));
}

}  // namespace sweep_test
