// testbenches/tests/unit/configs/schema_test.cpp: parameters are described once.
// SPDX-License-Identifier: Apache-2.0
#include "configs/schema.hpp"

#include <string>
#include <vector>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/configs/config_error_of.hpp"

namespace flitwave::schema_test {
namespace {

struct Parameters {
  std::vector<int> order;
  int vcs = 1;
  Duration period{20'000};
  Delay overhead = Delay::of(Cycles{2});
  Rate load{0.1};
  Bytes message{1024};
  bool held = false;
};

Schema<Parameters> schema() {
  return Schema<Parameters>{}
      .required("order", &Parameters::order, "axes, first one first")
      .optional("vcs", &Parameters::vcs, "virtual channels", between(1, 64))
      .optional("period", &Parameters::period, "of the clock", between(1'000, 10'000'000))
      .optional("overhead", &Parameters::overhead, "of a send", at_least(1))
      .optional("load", &Parameters::load, "offered", between(0, 1))
      .optional("message", &Parameters::message, "size", at_least(1))
      .optional("held", &Parameters::held, "until received");
}

Parameters parse(const std::string& text) {
  return schema().parse(ConfigNode::parse("node: " + text + "\n", "job.yaml").at("node"), {"kind"});
}

ConfigError rejection(const std::string& text) {
  return config_error_of([&] { parse(text); });
}

TEST_CASE("parameters that a job leaves out keep their defaults", "[unit]") {
  const Parameters parameters = parse("{kind: x, order: [1, 0], vcs: 4}");

  REQUIRE(parameters.order == std::vector<int>{1, 0});
  REQUIRE(parameters.vcs == 4);
  REQUIRE(parameters.period == Duration{20'000});
}

TEST_CASE("an unknown key is rejected with the nearest known one", "[unit]") {
  REQUIRE(std::string(rejection("{kind: x, ordr: [1, 0]}").what()) ==
          "job.yaml:1:17: node.ordr: unknown key; did you mean `order`? "
          "known here: kind, order, vcs, period, overhead, load, message, held");
  REQUIRE(contains(rejection("{order: [], banana: 1}").remedy(), "known here: kind, order"));
  REQUIRE_FALSE(contains(rejection("{order: [], banana: 1}").remedy(), "did you mean"));
}

TEST_CASE("a missing key is reported with its type and an example", "[unit]") {
  const ConfigError error = rejection("{vcs: 2}");

  REQUIRE(error.key() == "node");
  REQUIRE(error.place().line == 1);
  REQUIRE(error.problem() == "the key `order` is missing");
  REQUIRE(error.remedy() == "add it, e.g. `order: [4, 4]` (list of integer)");
  REQUIRE(contains(rejection("").problem(), "the key `order` is missing"));
}

TEST_CASE("a section that is no map is rejected", "[unit]") {
  REQUIRE(contains(rejection("8").problem(), "expected a map of settings, found a value"));
  REQUIRE(contains(rejection("[8]").problem(), "expected a map of settings, found a list"));
}

TEST_CASE("a value out of range is rejected with the range in its own unit", "[unit]") {
  REQUIRE(std::string(rejection("{order: [], vcs: 0}").what()) ==
          "job.yaml:1:19: node.vcs: must be 1 .. 64, found 0");
  REQUIRE(rejection("{order: [], period: 0.5 ns}").problem() ==
          "must be 1 ns .. 10 us, found 0.5 ns");
  REQUIRE(rejection("{order: [], overhead: 0 cycles}").problem() ==
          "must be >= 1 cycle, found 0 cycles");
  REQUIRE(rejection("{order: [], overhead: 0 us}").problem() == "must be >= 1 ps, found 0 us");
  REQUIRE(rejection("{order: [], load: 1.5 flits/node/cycle}").problem() ==
          "must be 0 flit/node/cycle .. 1 flit/node/cycle, found 1.5 flits/node/cycle");
  REQUIRE(rejection("{order: [], message: 0 KiB}").problem() == "must be >= 1 B, found 0 KiB");
  REQUIRE(parse("{order: [], vcs: 64, load: 1 flit/node/cycle}").vcs == 64);
}

TEST_CASE("a range prints its bounds, and nothing if it has none", "[unit]") {
  REQUIRE(between(1, 64).text() == "1 .. 64");
  REQUIRE(at_least(1).text() == ">= 1");
  REQUIRE(at_least(0.25).text() == ">= 0.25");
  REQUIRE(at_least(1e12).text() == ">= 1000000000000");
  REQUIRE(Range{}.text().empty());
  REQUIRE_FALSE(Range{}.bounded());
  REQUIRE(at_least(0).bounded());
}

TEST_CASE("printed parameters are read back equal", "[unit]") {
  const Parameters before = parse("{order: [2, 0], period: 3.3 ns, overhead: 5 us, held: true}");
  std::string text;
  for (const auto& [key, value] : schema().print(before))
    text += (text.empty() ? "{" : ", ") + key + ": " + value;

  const Printed after = schema().print(parse(text + "}"));

  REQUIRE(text ==
          "{order: [2, 0], vcs: 1, period: 3.3 ns, overhead: 5 us, load: 0.1 flit/node/cycle, "
          "message: 1 KiB, held: true");
  REQUIRE(after == schema().print(before));
}

TEST_CASE("a schema describes every parameter", "[unit]") {
  const std::vector<ParameterInfo> infos = schema().describe();

  REQUIRE(infos.size() == 7);
  REQUIRE(infos[0].required);
  REQUIRE(infos[0].default_text.empty());
  REQUIRE(infos[0].type.name == "list of integer");
  REQUIRE_FALSE(infos[1].required);
  REQUIRE(infos[1].default_text == "1");
  REQUIRE(infos[1].range_text == "1 .. 64");
  REQUIRE(infos[2].default_text == "20 ns");
  REQUIRE(infos[6].sentence == "until received");
}

}  // namespace
}  // namespace flitwave::schema_test
