// testbenches/tests/timed/job/job_parts_test.cpp: each part of a job has its own statistics.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/run/expectations.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"
#include "testbenches/tests/unit/configs/config_error_of.hpp"

namespace job_parts_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

Scenario broadcast_beside(const std::string& rate) {
  return broadcast_beside_traffic()
      .with("observe", "[{kind: latency, packets: true}]")
      .with("traffic.rate", rate + " flit/node/cycle");
}

}  // namespace

TEST_CASE(
    "a collective under background traffic has its own latencies, and traffic accepts what it "
    "offers",
    "[timed]") {
  const Results both = simulate(broadcast_beside("0.05"));
  const Results alone = simulate(broadcast_beside("0.05").without("traffic"));
  const Results traffic =
      simulate(broadcast_beside("0.05").without("operation").without("algorithm"));

  REQUIRE(both.outcome == Outcome::complete);
  CHECK_FALSE(both.has("latency.mean"));
  CHECK_FALSE(both.has("throughput.accepted"));
  CHECK(both.value("latency.collective.packets") == alone.value("latency.packets"));
  CHECK(both.value("latency.collective.mean") > alone.value("latency.mean"));
  CHECK(both.value("latency.background.packets") == traffic.value("latency.packets"));
  CHECK(both.value("latency.background.mean") > traffic.value("latency.mean"));
  CHECK(both.value("throughput.background.offered") == traffic.value("throughput.offered"));
  CHECK(both.value("throughput.background.accepted") ==
        Approx(both.value("throughput.background.offered")).epsilon(0.01));
  CHECK_FALSE(both.has("throughput.collective.accepted"));
}

TEST_CASE("packets are distinguished by the part of the job that they belong to", "[timed]") {
  const Results both = simulate(broadcast_beside("0.05"));
  const Table& packets = both.table("packets");
  double collective = 0;
  double background = 0;
  for (std::size_t row = 0; row < packets.rows.size(); ++row) {
    const double flits = packets.number(row, "flits", "packets");
    const double took =
        packets.number(row, "ejected", "packets") - packets.number(row, "created", "packets");
    (flits > 2 ? collective : background) += took;
  }

  CHECK(both.value("latency.collective.mean") * both.value("latency.collective.packets") ==
        Approx(collective));
  CHECK(both.value("latency.background.mean") * both.value("latency.background.packets") ==
        Approx(background));
}

TEST_CASE("requests and replies have their own rates and latencies", "[timed]") {
  const Results results = simulate(Scenario::parse(R"(
scenario: request_reply
topology: {kind: mesh, shape: [4, 4]}
router: {kind: wormhole, preset: single_cycle}
channel: {vcs: 2, buffer: 4 flit}
requests: {window: 1, request: 1 flit, reply: 6 flit, message_classes: 2, warmup: 200 cycle,
           measure: 4000 cycle}
observe: [{kind: latency}]
)"));

  REQUIRE(results.outcome == Outcome::complete);
  // A reply for each request, and five flits more for it.
  CHECK(results.value("throughput.replies.offered") ==
        Approx(6 * results.value("throughput.requests.offered")).epsilon(0.01));
  CHECK(results.value("latency.replies.mean") > results.value("latency.requests.mean") + 4);
  CHECK_FALSE(results.has("latency.mean"));
}

TEST_CASE("an expectation of a metric that several parts report lists the metrics of these parts",
          "[timed]") {
  Results results = simulate(broadcast_beside("0.05"));
  Expectation expectation;
  expectation.metric = "latency.mean";

  const std::vector<Judgement> judgements = judge({expectation}, results);

  CHECK_FALSE(judgements.front().holds());
  CHECK(contains(results.message, "latency.collective.mean or latency.background.mean"));
}

}  // namespace job_parts_test
