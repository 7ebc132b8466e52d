// testbenches/crossval/peer.hpp: configurations of BookSim2 and their results.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "configs/scenario.hpp"
#include "modules/channel/channel.hpp"
#include "topologies/topology.hpp"

namespace flitwave::crossval {

/// A configuration of BookSim2's input-queued router, with BookSim2's names; all other settings are
/// in docs/validation.md.
struct Peer {
  int vcs = 1;
  int buffer = 4;  ///< vc_buf_size
  int routing_delay = 0;
  int vc_alloc_delay = 1;
  int sw_alloc_delay = 1;
  int st_delay = 1;  ///< st_prepare_delay + st_final_delay
  int credit_delay = 1;
  int link = 1;  ///< Latency of channels between routers.
  bool speculative = false;
  std::string allocator = "separable_input_first";

  /// The equivalent router in our job, without topology and traffic.
  Scenario job() const;

  /// Zero-load latency of a packet of `flits` through `routers`, alone in the network.
  Cycle zero_load(int routers, std::int64_t flits) const;
};

/// A row of the table of latencies.
struct Row {
  std::string name;
  std::string file;      ///< The experiment in configs/experiments/crossval, without .yaml.
  std::string topology;  ///< As in a job.
  std::string pattern;
  int packet;
  Peer peer;
  double mean_routers;  ///< H, to which the peer's mean zero-load latency refers
  double zero_load;
  std::vector<std::optional<double>> latency;  ///< At 0.1, 0.2, 0.3, 0.4; empty beyond saturation
  double saturation;
  double throughput;  ///< Accepted when 1.0 is offered.

  Scenario job() const;
};
const std::vector<Row>& rows();

/// A run of another configuration: iSLIP allocators with one iteration, no credit delay, on a
/// square mesh under uniform traffic.
struct OtherRun {
  int width;
  int packet;
  double rate;
  Peer peer;
  double latency;

  std::string name() const;
  Scenario job() const;
};
const std::vector<OtherRun>& other_runs();

/// A row of accepted rates on a line of eight nodes, each of which sends to the next.
struct LineRow {
  std::string name;
  int packet;
  Peer peer;
  double accepted;

  Scenario job() const;
};
const std::vector<LineRow>& line_rows();

/// The exact mean number of routers on the routes of a row's packets.
double mean_routers(const Row& row);

}  // namespace flitwave::crossval
