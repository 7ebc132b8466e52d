// testbenches/tests/timed/waves/kernel_trace_test.cpp: waves equal SystemC's own traces.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tests/timed/kernel_trace.hpp"

#include <string>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace kernel_trace_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// Uniform traffic for 200 cycles. `topology`, `channel`: YAML.
Scenario traffic(const std::string& topology, const std::string& channel) {
  return uniform_traffic({{"topology", topology},
                          {"channel", channel},
                          {"traffic.rate", "0.2 flit/node/cycle"},
                          {"traffic.warmup", "20 cycle"},
                          {"traffic.measure", "180 cycle"},
                          {"wave", "{}"}});
}

Scenario circuits(const std::string& channel) {
  return traffic("{kind: mesh, shape: [4, 3]}", channel)
      .with("router",
            "{kind: circuit, busy: teardown, route_delay: 1 cycle, switch_delay: 0 cycle, "
            "traversal_delay: 1 cycle, backoff: 4 cycle}")
      .with("traffic.rate", "0.05 flit/node/cycle");
}

Scenario shipped(const std::string& name, const std::string& wave) {
  return Scenario::load("configs/scenarios/" + name + ".yaml").without("expect").with("wave", wave);
}

void require_as_traced(const Scenario& job, std::size_t changes) {
  const TracedRun run = trace_beside_wave(job);
  INFO(run.results.message);
  CHECK(run.difference == "");
  CHECK(run.changes > changes);
  CHECK(run.transits > 0);
}

}  // namespace

TEST_CASE("a wave of a mesh with credits has the values of SystemC's trace at their times",
          "[timed]") {
  const TracedRun run =
      trace_beside_wave(traffic("{kind: mesh, shape: [4, 3]}", "{vcs: 1, buffer: 1 flit}"));
  CHECK(run.difference == "");
  CHECK(run.changes > 5'000);
  CHECK(run.transits > 0);
  CHECK(run.waits > 100);
  CHECK(run.owners > 100);
  CHECK(run.owners_of_copies == 0);
}

TEST_CASE("a wave of a torus with four virtual channels equals the trace", "[timed]") {
  require_as_traced(traffic("{kind: torus, shape: [4, 4]}", "{vcs: 4}"), 5'000);
}

TEST_CASE("a wave of a hypercube whose channels take three cycles equals the trace at both ends",
          "[timed]") {
  require_as_traced(
      traffic("{kind: hypercube, dimensions: 3}", "{vcs: 4, latency: 3 cycle, buffer: 8 flit}"),
      5'000);
}

TEST_CASE("a wave of ready_valid channels equals the trace", "[timed]") {
  require_as_traced(traffic("{kind: mesh, shape: [3, 3]}", "{vcs: 1, handshake: ready_valid}"),
                    3'000);
}

TEST_CASE("a wave of register slices with four ready wires each equals the trace", "[timed]") {
  require_as_traced(traffic("{kind: torus, shape: [3, 3]}",
                            "{vcs: 4, latency: 2 cycle, buffer: 2 flit, handshake: ready_valid}"),
                    5'000);
}

TEST_CASE("a wave of circuits equals the trace", "[timed]") {
  require_as_traced(circuits("{handshake: acknowledge}"), 2'000);
}

TEST_CASE("a wave of circuits in four time slots equals the trace", "[timed]") {
  require_as_traced(circuits("{handshake: acknowledge, vcs: 4, latency: 2 cycle}"), 2'000);
}

TEST_CASE("a wave of a multicast by worms equals the trace", "[timed]") {
  require_as_traced(shipped("dual_path_mesh_6x6", "{}"), 2'000);
}

TEST_CASE("a wave of messages that routers copy equals the trace, also on wires within a router",
          "[timed]") {
  const TracedRun run = trace_beside_wave(
      shipped("multicast_cube_5", "{routers: [6, 4]}").with("router.detail", "blocks"));

  INFO(run.results.message);
  CHECK(run.difference == "");
  CHECK(run.changes > 3'000);
  CHECK(run.inner_wires > 500);
  CHECK(run.transits > 300);
}

TEST_CASE("a wave of requests over channels that take two cycles equals the trace", "[timed]") {
  require_as_traced(shipped("prototype_cube_3", "{}").with("channel.latency", "2 cycle"), 500);
}

}  // namespace kernel_trace_test
