// testbenches/tests/timed/job/expectations_test.cpp: expected against measured values.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/run/expectations.hpp"

#include "testbenches/tests/catch.hpp"

namespace expectations_test {

using namespace flitwave;

namespace {

Results measured(Outcome outcome = Outcome::complete) {
  Results results;
  results.outcome = outcome;
  results.add("steps", 4, "");
  results.add("latency.mean", 53.25, "cycle");
  return results;
}

Expectation expects(const std::string& metric, double least, double greatest) {
  return {metric, least, greatest, Place{"job.yaml", 7, 3}};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("an expectation holds at its value and at both ends of its range", "[timed]") {
  Results results = measured();

  const auto judgements = judge({expects("steps", 4, 4), expects("latency.mean", 53.25, 60),
                                 expects("latency.mean", 50, 53.25)},
                                results);

  REQUIRE(judgements.size() == 3);
  for (const Judgement& judgement : judgements) REQUIRE(judgement.holds());
  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.message.empty());
}

TEST_CASE("a missed expectation fails a complete run and names its line in the job", "[timed]") {
  Results results = measured();

  const auto judgements = judge({expects("latency.mean", 54, 60), expects("steps", 4, 4)}, results);

  REQUIRE_FALSE(judgements[0].holds());
  REQUIRE(judgements[1].holds());
  REQUIRE(results.outcome == Outcome::failed_expectation);
  REQUIRE(exit_code(results.outcome) == 4);
  REQUIRE(results.message ==
          "job.yaml:7:3: expect.latency.mean: expected 54 .. 60, found 53.25 cycle");
}

TEST_CASE("every missed expectation has a line in the message", "[timed]") {
  Results results = measured();

  judge({expects("steps", 5, 5), expects("latency.mean", 0, 1)}, results);

  REQUIRE(results.message ==
          "job.yaml:7:3: expect.steps: expected 5, found 4\n"
          "job.yaml:7:3: expect.latency.mean: expected 0 .. 1, found 53.25 cycle");
}

TEST_CASE("an expectation of an unknown metric is missed and lists the metrics of the run",
          "[timed]") {
  Results results = measured();

  const auto judgements = judge({expects("latency.maen", 1, 2)}, results);

  REQUIRE_FALSE(judgements[0].found);
  REQUIRE(results.outcome == Outcome::failed_expectation);
  REQUIRE(contains(results.message, "found no such metric; did you mean `latency.mean`?"));
  REQUIRE(contains(results.message, "steps, latency.mean"));
}

TEST_CASE("the expectations of a run that did not complete are not judged", "[timed]") {
  for (const Outcome outcome : {Outcome::partial, Outcome::deadlock, Outcome::model_error}) {
    Results results = measured(outcome);

    REQUIRE(judge({expects("steps", 5, 5)}, results).empty());
    REQUIRE(results.outcome == outcome);
  }
}

TEST_CASE("a run that reached stop.limit is judged and keeps its outcome", "[timed]") {
  Results results = measured(Outcome::limit);
  results.message = "not delivered";

  const auto judgements = judge({expects("steps", 5, 5)}, results);

  REQUIRE_FALSE(judgements[0].holds());
  REQUIRE(results.outcome == Outcome::limit);
  REQUIRE(results.message == "not delivered");
}

}  // namespace expectations_test
