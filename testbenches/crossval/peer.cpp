// testbenches/crossval/peer.cpp: see peer.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/crossval/peer.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "testbenches/job/plan/plan.hpp"

namespace flitwave::crossval {

// The peer's channels have a register at the sender, so flits and credits take one cycle more from
// the switch to the next buffer than delays and link specify. The peer's sources count credits two
// cycles after their arrival.
Scenario Peer::job() const {
  constexpr int register_of_sender = 1;
  return Scenario::parse("scenario: peer")
      .with("routing", "{kind: dimension_order, ties: random, vc_rule: at_ring_entry}")
      .with("channel",
            fmt::format("{{latency: {} cycle, vcs: {}, buffer: {} flit, credit_delay: {} cycle}}",
                        link, vcs, buffer, credit_delay + register_of_sender))
      .with("router",
            fmt::format(
                "{{kind: wormhole, stages: clocked, allocator: {}, iterations: 1, speculative: {}, "
                "vc_reallocation: non_atomic, arbitration: round_robin, route_delay: {} cycle, "
                "vc_delay: {} cycle, switch_delay: {} cycle, traversal_delay: {} cycle}}",
                allocator, speculative, routing_delay, vc_alloc_delay, sw_alloc_delay,
                st_delay + register_of_sender))
      .with("node", "{credit_delay: 2 cycle, injection_vc: with_room}");
}

Cycle Peer::zero_load(int routers, std::int64_t flits) const {
  const int allocation =
      speculative ? std::max(vc_alloc_delay, sw_alloc_delay) : vc_alloc_delay + sw_alloc_delay;
  const int round_trip = 1 + sw_alloc_delay + st_delay + link + link + credit_delay;
  const Cycle missing = std::max(0, round_trip - buffer);
  return 2 + routers * (routing_delay + allocation + st_delay) + (routers - 1) * link + 1 +
         (flits - 1) + (flits - 1) / buffer * missing;
}

Scenario Row::job() const {
  return peer.job()
      .with("topology", topology)
      .with("traffic", fmt::format("{{pattern: {{kind: {}, self: true}}, packet: {} flit, "
                                   "rate: 0.1 flit/node/cycle}}",
                                   pattern, packet))
      .with("observe", "[{kind: latency}]");
}

Scenario LineRow::job() const {
  return peer.job()
      .with("topology", "{kind: mesh, shape: [8]}")
      .with("traffic", fmt::format("{{pattern: neighbor, packet: {} flit, rate: 1 flit/node/cycle, "
                                   "warmup: 2000 cycle, measure: 8000 cycle, drain: 0 cycle}}",
                                   packet))
      .with("observe", "[{kind: latency}]");
}

namespace {

Peer with(int vcs, int buffer) {
  Peer peer;
  peer.vcs = vcs;
  peer.buffer = buffer;
  return peer;
}

}  // namespace

const std::vector<Row>& rows() {
  static const std::string mesh = "{kind: mesh, shape: [8, 8]}";
  static const std::string torus = "{kind: torus, shape: [8, 8]}";
  static const std::string cube = "{kind: hypercube, dimensions: 6}";
  const auto none = std::nullopt;
  static const std::vector<Row> all{
      {"8x8 mesh, 1-flit packets, 1 VC x 4 flits, uniform",
       "mesh_1vc",
       mesh,
       "uniform",
       1,
       with(1, 4),
       6.19,
       26.77,
       {28.9, none, none, none},
       0.158,
       0.168},
      {"8x8 mesh, 1-flit, 2 VC x 8, uniform",
       "mesh_2vc",
       mesh,
       "uniform",
       1,
       with(2, 8),
       6.19,
       26.75,
       {27.3, 27.9, 29.9, none},
       0.388,
       0.384},
      {"8x8 mesh, 4-flit, 2 VC x 4, uniform",
       "mesh_4flit",
       mesh,
       "uniform",
       4,
       with(2, 4),
       6.32,
       30.32,
       {31.3, 34.2, 43.2, none},
       0.311,
       0.327},
      {"8x8 mesh, 1-flit, 4 VC x 8, transpose",
       "transpose",
       mesh,
       "transpose",
       1,
       with(4, 8),
       6.36,
       27.46,
       {27.4, none, none, none},
       0.143,
       0.344},
      {"8x8 torus, 1-flit, 4 VC x 8, uniform",
       "torus",
       torus,
       "uniform",
       1,
       with(4, 8),
       4.98,
       21.90,
       {22.1, 22.5, 22.9, 23.9},
       0.617,
       0.525},
      {"6-cube (2-ary 6-mesh), 1-flit, 4 VC x 8, uniform",
       "cube",
       cube,
       "uniform",
       1,
       with(4, 8),
       4.03,
       18.11,
       {18.1, 18.2, 18.4, 18.6},
       0.923,
       0.935},
  };
  return all;
}

std::string OtherRun::name() const {
  return fmt::format("{0}x{0} mesh, {1}-flit, {2} VC x {3}, {4}", width, packet, peer.vcs,
                     peer.buffer, peer.speculative ? "speculative" : "routing stage");
}

Scenario OtherRun::job() const {
  return peer.job()
      .with("topology", fmt::format("{{kind: mesh, shape: [{0}, {0}]}}", width))
      .with("traffic", fmt::format("{{pattern: {{kind: uniform, self: true}}, packet: {} flit, "
                                   "rate: {} flit/node/cycle}}",
                                   packet, rate))
      .with("observe", "[{kind: latency}]");
}

const std::vector<OtherRun>& other_runs() {
  const auto islip = [](int vcs, int buffer, bool speculative) {
    Peer peer = with(vcs, buffer);
    peer.allocator = "islip";
    peer.credit_delay = 0;
    peer.speculative = speculative;
    peer.routing_delay = speculative ? 0 : 1;
    return peer;
  };
  static const std::vector<OtherRun> all{
      {8, 4, 0.05, islip(1, 4, true), 24.62},  {8, 4, 0.1, islip(1, 4, true), 25.96},
      {8, 4, 0.2, islip(1, 4, true), 44.74},   {8, 4, 0.05, islip(1, 4, false), 38.10},
      {8, 4, 0.1, islip(1, 4, false), 41.57},  {8, 4, 0.1, islip(1, 8, false), 39.53},
      {8, 4, 0.2, islip(1, 8, false), 55.14},  {8, 8, 0.1, islip(1, 8, false), 44.51},
      {8, 4, 0.1, islip(4, 4, false), 37.62},  {8, 4, 0.2, islip(4, 4, false), 40.05},
      {8, 8, 0.2, islip(4, 8, false), 48.29},  {16, 4, 0.05, islip(1, 4, true), 41.98},
      {16, 4, 0.1, islip(1, 4, true), 53.70},  {16, 4, 0.05, islip(1, 4, false), 68.43},
      {16, 4, 0.1, islip(1, 8, false), 77.01}, {16, 4, 0.1, islip(4, 4, false), 66.31},
  };
  return all;
}

const std::vector<LineRow>& line_rows() {
  static const std::vector<LineRow> all{
      {"1 VC x 4, 1-flit packets", 1, with(1, 4), 0.5},
      {"1 VC x 2, 1-flit packets", 1, with(1, 2), 2.0 / 7},
      {"1 VC x 8, 4-flit packets", 4, with(1, 8), 0.8},
      {"2 VC x 4, 1-flit packets", 1, with(2, 4), 1},
  };
  return all;
}

double mean_routers(const Row& row) {
  const Job job = Job::read(row.job(), standard_catalog());
  const Plan plan = Plan::make(job, Plan::Check::skip);
  double sum = 0;
  for (int source = 0; source < plan.topology->nodes(); ++source) {
    const std::vector<double> shares = plan.pattern->shares(NodeId(source));
    for (int destination = 0; destination < plan.topology->nodes(); ++destination) {
      const Header header{NodeId(source), NodeId(destination), 0, 0};
      const auto hops = static_cast<double>(path(*plan.routing, *plan.topology, header).size());
      sum += shares[static_cast<std::size_t>(destination)] * (hops + 1);
    }
  }
  return sum / plan.topology->nodes();
}

}  // namespace flitwave::crossval
