// testbenches/tests/timed/experiments/claims_test.cpp: claims on the numbers of an experiment.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/findings/claims.hpp"

#include "testbenches/experiments/findings/experiment_tables.hpp"
#include "testbenches/tests/catch.hpp"

namespace claims_test {

using namespace flitwave;

namespace {

Finding finding(int number, const std::string& kind, const std::string& message, int root,
                double time) {
  Finding made;
  made.number = number;
  made.settings = {{"algorithm.kind", ConfigNode::scalar(kind)},
                   {"operation.message", ConfigNode::scalar(message)},
                   {"operation.root", ConfigNode::scalar(std::to_string(root))}};
  made.job = "{clock: {period: 1 ns}, algorithm: {kind: " + kind + "}}";
  made.results.add("time", time, "us");
  return made;
}

/// edn: 10 (8 and 12) and 20, separate: 30 and 80.
Findings findings() {
  return Findings({finding(0, "edn", "1 KiB", 0, 8), finding(1, "edn", "1 KiB", 1, 12),
                   finding(2, "edn", "2 KiB", 0, 20), finding(3, "separate", "1 KiB", 0, 30),
                   finding(4, "separate", "2 KiB", 0, 80)});
}

std::vector<Verdict> verdicts(const std::string& expect, const Findings& found = findings()) {
  std::vector<Verdict> judged;
  for (const Claim& claim : read_claims(ConfigNode::parse(expect, "expect.yaml")))
    judged.push_back(judge(claim, found));
  return judged;
}

bool holds(const std::string& claim) { return verdicts("[" + claim + "]").at(0).holds; }

}  // namespace

TEST_CASE("a claim compares the mean over the points that it selects", "[timed]") {
  const std::string edn = "{value: time, of: {algorithm.kind: edn, operation.message: 1 KiB}, ";

  REQUIRE(holds(edn + "equals: 10}"));
  REQUIRE(holds(edn + "average: max, equals: 12}"));
  REQUIRE(holds(edn + "average: min, equals: 8}"));
  REQUIRE(holds(edn + "between: [10, 11]}"));
  REQUIRE_FALSE(holds(edn + "between: [11, 12]}"));
  REQUIRE(holds(edn + "less_than: 10.5}"));
  REQUIRE_FALSE(holds(edn + "less_than: 10}"));
  REQUIRE_FALSE(holds(edn + "more_than: 10}"));
}

TEST_CASE("a setting in another unit selects the same points", "[timed]") {
  REQUIRE(holds("{value: time, of: {algorithm.kind: edn, operation.message: 1024 B}, equals: 10}"));
  REQUIRE(same_setting(ConfigNode::scalar("0.45 us"), ConfigNode::scalar("450 ns")));
  REQUIRE_FALSE(same_setting(ConfigNode::scalar("4 flit"), ConfigNode::scalar("4 cycle")));
  REQUIRE_FALSE(same_setting(ConfigNode::scalar("edn"), ConfigNode::scalar("separate")));
}

TEST_CASE("the second number of a claim has the claim's settings unless it names others",
          "[timed]") {
  REQUIRE(
      holds("{value: time, of: {algorithm.kind: edn, operation.message: 2 KiB}, "
            "less_than: {of: {algorithm.kind: separate}}}"));
  REQUIRE_FALSE(
      holds("{value: time, of: {algorithm.kind: edn, operation.message: 2 KiB}, "
            "less_than: {of: {operation.message: 1 KiB}}}"));
}

TEST_CASE("a claim may be on a difference or a ratio", "[timed]") {
  const std::string separate =
      "{value: time, of: {algorithm.kind: separate, operation.message: 2 KiB}, ";

  REQUIRE(holds(separate + "minus: {of: {algorithm.kind: edn}}, equals: 60}"));
  REQUIRE(holds(separate + "relative_to: {of: {algorithm.kind: edn}}, equals: 4}"));
  REQUIRE(holds(separate +
                "minus: {of: {algorithm.kind: edn}}, more_than: {of: {operation.message: 1 KiB}, "
                "minus: {of: {algorithm.kind: edn}}}}"));
}

TEST_CASE("a claim may refer to the line of times over message lengths", "[timed]") {
  // 10 at 1024 B, 20 at 2048 B: a start-up of 0, and 10 / 1024 per byte.
  const std::string edn = "{value: time, of: {algorithm.kind: edn}, ";
  const std::string separate = "{value: time, of: {algorithm.kind: separate}, ";

  REQUIRE(holds(edn + "line: startup, between: [-0.0001, 0.0001]}"));
  REQUIRE(holds(edn + "line: per_byte, between: [0.00976562, 0.00976563]}"));
  REQUIRE(holds(edn + "line: startup, average: max, between: [3.9999, 4.0001]}"));  // 12, 20
  REQUIRE(holds(separate + "line: startup, between: [-20.001, -19.999]}"));
  REQUIRE_FALSE(verdicts("[" + separate + "line: tau, less_than: 1}]").at(0).judged);
  REQUIRE(holds(separate + "line: per_byte, relative_to: {of: {algorithm.kind: edn}}, equals: 5}"));
  REQUIRE_FALSE(holds(edn + "line: per_byte, more_than: {of: {algorithm.kind: separate}}}"));
  const auto judged = verdicts("[" + edn + "line: tau, less_than: 1}]");
  REQUIRE(judged.at(0).claim ==
          "tau of the line of time of algorithm.kind: edn, over operation.message, operation.root");
}

TEST_CASE("a claim on a line through one length only is left open", "[timed]") {
  const auto judged = verdicts(
      "[{value: time, line: tau, of: {algorithm.kind: edn, operation.message: 1 KiB}, equals: 1}]");

  REQUIRE_FALSE(judged.at(0).judged);
}

TEST_CASE("a claim may state what the source claims instead", "[timed]") {
  const auto judged = verdicts(
      "[{about: edn takes ten, contradicts: it takes nine, value: time, "
      "of: {algorithm.kind: edn, operation.message: 1 KiB}, equals: 10}]");

  REQUIRE(judged.at(0).contradicts == "it takes nine");
  REQUIRE(verdicts_text(judged).find("against: it takes nine") != std::string::npos);
}

TEST_CASE("a claim has its own origin, or that of the experiment", "[timed]") {
  const ConfigNode expect = ConfigNode::parse(
      "[{value: time, equals: 10}, {value: time, equals: 9, origin: ours}]", "expect");
  const std::vector<Claim> claims = read_claims(expect, ClaimOrigin::printed);

  REQUIRE(claims.at(0).origin == ClaimOrigin::printed);
  REQUIRE(claims.at(1).origin == ClaimOrigin::ours);
  REQUIRE(read_claims(expect).at(0).origin == ClaimOrigin::unstated);
}

TEST_CASE("`for` makes one claim for each of its values", "[timed]") {
  const auto judged = verdicts(
      "[{about: edn is fast, value: time, for: {operation.message: [1 KiB, 2 KiB]}, "
      "of: {algorithm.kind: edn}, less_than: 15}]");

  REQUIRE(judged.size() == 2);
  REQUIRE(judged[0].holds);
  REQUIRE_FALSE(judged[1].holds);
  const std::string text = verdicts_text(judged);
  REQUIRE(text.find("edn is fast") != std::string::npos);
  REQUIRE(text.find("MISSED") != std::string::npos);
  REQUIRE(text.find("20, expected less than 15") != std::string::npos);
}

TEST_CASE("`for` without a value is rejected: it would claim nothing", "[timed]") {
  const std::string expect =
      "[{value: time, for: {operation.message: []}, of: {algorithm.kind: edn}, less_than: 15}]";

  REQUIRE_THROWS_WITH(verdicts(expect), Catch::Matchers::Contains("the list of values is empty"));
}

TEST_CASE("a verdict names the values of `for` to which its claim applies", "[timed]") {
  const auto judged = verdicts(
      "[{value: time, for: {operation.message: [1 KiB]}, of: {algorithm.kind: edn}, equals: 10}, "
      "{value: time, of: {operation.message: 1 KiB}, more_than: 10}]");

  REQUIRE(judged[0].each == "operation.message: 1 KiB");
  REQUIRE(judged[1].each.empty());
}

TEST_CASE("a quotient by zero does not hold", "[timed]") {
  const std::string one = "value: time, of: {operation.message: 1 KiB, algorithm.kind: edn}, ";
  const std::string zero = "relative_to: {minus: {}}";
  const auto claim = GENERATE_COPY(one + zero + ", more_than: 1",                  // infinite
                                   one + "minus: {}, " + zero + ", less_than: 1",  // no number
                                   one + "less_than: {" + zero + "}");
  const Verdict verdict = verdicts("[{" + claim + "}]").at(0);

  REQUIRE_FALSE(verdict.holds);
  REQUIRE(verdict.judged);
  REQUIRE((verdict.found + verdict.expected).find("a quotient by zero") != std::string::npos);
}

TEST_CASE("a verdict states which numbers are subtracted, divided and compared", "[timed]") {
  const auto texts = [](const std::string& claim) {
    const Verdict verdict = verdicts("[{value: time, " + claim + "}]").at(0);
    return std::vector<std::string>{verdict.claim, verdict.expected};
  };
  using Texts = std::vector<std::string>;

  REQUIRE(texts("of: {algorithm.kind: edn}, minus: {of: {operation.message: 1 KiB}}, equals: 0") ==
          Texts{"time of algorithm.kind: edn less that of operation.message: 1 KiB, over "
                "operation.message, operation.root",
                "0"});
  REQUIRE(
      texts("average: max, minus: {average: min}, of: {algorithm.kind: edn}, "
            "less_than: {average: max, minus: {average: min}, of: {algorithm.kind: separate}}") ==
      Texts{"greatest time of algorithm.kind: edn less least time, over operation.message, "
            "operation.root",
            "less than 50 (that of algorithm.kind: separate)"});
  REQUIRE(texts("of: {algorithm.kind: edn}, "
                "less_than: {average: max, minus: {average: min}}") ==
          Texts{"time of algorithm.kind: edn, over operation.message, operation.root",
                "less than 12 (greatest time less least time)"});
  REQUIRE(
      texts(
          "average: max, relative_to: {average: mean}, of: {algorithm.kind: edn}, equals: 1")[0] ==
      "greatest time of algorithm.kind: edn divided by mean time, over operation.message, "
      "operation.root");
  REQUIRE(texts("of: {algorithm.kind: separate}, minus: {of: {operation.message: 1 KiB}}, "
                "relative_to: {minus: {of: {operation.message: 1 KiB}}}, equals: 1")[0] ==
          "(time of algorithm.kind: separate less that of operation.message: 1 KiB) divided by "
          "(time less that of operation.message: 1 KiB), over operation.message");
}

TEST_CASE("a claim on a failed point is left open", "[timed]") {
  std::vector<Finding> points = findings().points();
  points[1].results.outcome = Outcome::crashed;

  const Verdict verdict =
      verdicts(
          "[{value: time, of: {algorithm.kind: edn, operation.message: 1 KiB}, less_than: 99}]",
          Findings(points))
          .at(0);
  REQUIRE_FALSE(verdict.judged);
  REQUIRE_FALSE(verdict.holds);
}

TEST_CASE("a finding is read back from its file unchanged", "[timed]") {
  Finding written = finding(7, "edn", "2 KiB", 3, 1.0 / 3);
  written.results.fingerprint = 0xabcdef;
  written.settings[2].value = ConfigNode::parse("[1, 2]", "root");

  const Finding read = Finding::from_json(written.to_json());
  REQUIRE(read.number == 7);
  REQUIRE(read.settings == written.settings);
  REQUIRE(read.job == written.job);
  REQUIRE(read.results.value("time") == written.results.value("time"));
  REQUIRE(read.results.fingerprint == 0xabcdef);
  REQUIRE_THROWS_AS(Finding::from_json("{}"), SystemFailure);
}

TEST_CASE("numbers are printed with four digits or more, never with an exponent", "[timed]") {
  REQUIRE(four_digits(1234567.8) == "1234568");
  REQUIRE(four_digits(1148.25) == "1148");
  REQUIRE(four_digits(12.3456) == "12.35");
  REQUIRE(four_digits(4) == "4");
  REQUIRE(four_digits(0.000123456) == "0.0001235");
  REQUIRE(four_digits(0) == "0");
}

}  // namespace claims_test
