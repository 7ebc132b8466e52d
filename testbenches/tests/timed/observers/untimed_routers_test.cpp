// testbenches/tests/timed/observers/untimed_routers_test.cpp: what is measured and predicted of
// routers that declare no timing.
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"
#include "testbenches/tests/timed/opaque_router.hpp"

namespace untimed_routers_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

const char* const watched = "[{kind: anatomy, packets: true}, {kind: latency, packets: true}]";

bool has_column(const Table& table, const std::string& name) {
  for (const std::string& column : table.columns)
    if (column == name) return true;
  return false;
}

}  // namespace

TEST_CASE("the waits in opaque routers without timing are one figure of a packet's anatomy",
          "[timed][anatomy]") {
  const std::string routers = GENERATE(
      as<std::string>{}, "{kind: opaque}",
      "{kind: wormhole, preset: single_cycle, at: [{nodes: [[1, 1], [2, 1]], kind: opaque}]}");
  const Scenario job = uniform_traffic({{"router", routers},
                                        {"traffic.rate", "0.2 flit/node/cycle"},
                                        {"channel", "{buffer: 3 flit}"},
                                        {"observe", watched}});
  const Results results = simulate(job, with_opaque_routers());

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
  CHECK(results.value("anatomy.router") > 0);
  const Table& table = results.table("anatomy_packets");
  REQUIRE(table.rows.size() > 100);
  REQUIRE(has_column(table, "router"));
  const auto created = column(table, "created");
  const auto ejected = column(table, "ejected");
  std::vector<double> latency;
  for (std::size_t i = 0; i < created.size(); ++i) latency.push_back(ejected[i] - created[i]);
  std::vector<double> sum(latency.size(), 0);
  for (const char* part :
       {"source_queue", "injection", "route_wait", "vc_allocation_wait", "switch_wait",
        "credit_wait", "router", "link", "serialisation", "ejection"}) {
    const auto values = column(table, part);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += values[i];
  }
  CHECK(sum == latency);
  if (routers == "{kind: opaque}") {
    CHECK(results.value("anatomy.route_wait") == 0);
    CHECK(results.value("anatomy.vc_allocation_wait") == 0);
    CHECK(results.value("anatomy.switch_wait") == 0);
    CHECK(results.value("anatomy.credit_wait") == 0);
  }
  CHECK(difference_between(job, compared_variants(), with_opaque_routers()) == "");
}

TEST_CASE("a collective through routers without timing is explained, without a closed form",
          "[timed][anatomy]") {
  const Scenario timed = Scenario::parse(
      "scenario: t\ntopology: {kind: mesh, shape: [4, 4]}\n"
      "router: {kind: wormhole, preset: single_cycle}\nchannel: {buffer: 4 flit}\n"
      "node: {send_overhead: 20 ns, receive_overhead: 10 ns}\n"
      "operation: {kind: broadcast, root: [0, 0], message: 64 B}\n"
      "algorithm: {kind: recursive_doubling}\n"
      "observe: [{kind: anatomy}, {kind: phases}, {kind: step_times}, {kind: prediction}]\n");
  const Scenario job = timed.with("router", "{kind: opaque}");
  const Results results = simulate(job, with_opaque_routers());
  const Results known = simulate(timed);

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(known.outcome == Outcome::complete);
  // Packets that do not meet take one cycle for each channel in both.
  CHECK(results.value("collective.max") == known.value("collective.max"));
  double causes = 0;
  for (const char* cause :
       {"overheads", "combining", "rounding", "hops", "length", "blocked", "ports"})
    causes += results.value(std::string("model.error.") + cause);
  CHECK(causes == Approx(results.value("model.error_us")).margin(1e-9));
  CHECK(Plan::make(Job::read(timed, standard_catalog())).closed_form.has_value());
  CHECK_FALSE(Plan::make(Job::read(job, with_opaque_routers())).closed_form.has_value());
}

}  // namespace untimed_routers_test
