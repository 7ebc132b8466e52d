// testbenches/fuzz/case.hpp: a random network under random load.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "configs/scenario.hpp"
#include "testbenches/fuzz/cell.hpp"

namespace flitwave::fuzz {

/// A packet of a case with a trace.
struct Shot {
  int at = 0;  ///< Unit: cycle, from the start of the sources.
  int from = 0;
  int to = 0;
  int flits = 1;
};

/// The varied settings, few enough to be shrunk one by one. Values are the words of a job and of
/// Cell.
struct Case {
  std::string name;
  std::uint64_t seed = 1;

  std::string topology;                     ///< mesh, torus, ring, hypercube or custom.
  std::vector<int> shape;                   ///< Extents; ring: nodes; hypercube: dimensions.
  std::vector<bool> wraps;                  ///< Torus: per dimension.
  std::string directions = "both";          ///< Torus, ring.
  std::vector<std::pair<int, int>> joined;  ///< Custom: nodes with a channel in each direction.

  std::string routing = "dimension_order";
  std::string ties = "positive";
  std::string vc_rule = "remaining_wrap";
  bool reversed_order = false;  ///< Last dimension is corrected first.
  bool random_ties = false;     ///< Of shortest paths.

  std::string handshake = "credit";
  int latency = 1;
  int vcs = 1;
  int depth = 4;
  int credit_delay = 0;     ///< Of routers. Unit: cycle
  int interface_delay = 0;  ///< Of credits at interfaces. Unit: cycle

  std::string switching = "wormhole";
  std::vector<int> delays{0, 0, 0, 0};  ///< Route, virtual channel, switch, traversal.
  std::string stages = "merged";
  std::string allocator = "separable_input_first";
  int iterations = 1;
  bool speculative = false;
  std::string arbitration = "round_robin";
  bool atomic = false;
  bool stored = false;  ///< With a bubble: packets are stored before they are forwarded.
  int backoff = 8;
  int longest_backoff = 1024;
  int attempts = 1000;
  int ports = 1;  ///< 0: all.
  bool injects_with_room = false;

  std::string pattern = "uniform";
  bool to_self = false;
  int hot = 0;  ///< The node of a hotspot.
  std::string injection = "bernoulli";
  int burst = 20;  ///< Mean length. Unit: cycle
  int rate = 50;   ///< Unit: percent of a flit per node and cycle.
  int length = 4;
  std::vector<Shot> shots;  ///< A trace that replaces the traffic; empty: none.
  /// Open requests of each node; 0: open-loop traffic. The pattern determines their destinations.
  int window = 0;
  int request = 1;       ///< Unit: flit; replies are as long as packets.
  int service = 0;       ///< Unit: cycle
  bool classes = false;  ///< Replies have their own virtual channels.
  int reply_queue = 0;
  bool held = false;         ///< Ejection channels are held.
  int receive_overhead = 0;  ///< Unit: cycle
  bool overlapped = false;   ///< Overheads overlap.
  int measure = 200;
  int drain = 0;

  int nodes() const;
  /// Flits of the longest packet.
  int longest() const;
  bool circuits() const { return switching == "teardown" || switching == "wait"; }
  /// Packets advance only with space for all their flits.
  bool whole() const { return !circuits() && switching != "wormhole"; }
  bool rings() const { return topology == "ring" || topology == "torus"; }
};

/// Case `number` of a seed: its cell, with all other settings at random.
Case draw_case(std::uint64_t seed, std::int64_t number);

/// The case as a job. `trace`: the file for its shots, if it has any.
Scenario scenario_of(const Case& input, const std::string& trace = "fuzz.trace");
/// Throws: SystemFailure
void write_trace(const Case& input, const std::string& file);

/// The case as a job that can be run during the lifetime of this object: its trace is a temporary
/// file.
class RunnableCase {
 public:
  /// Throws: SystemFailure
  explicit RunnableCase(const Case& input);
  ~RunnableCase();
  RunnableCase(const RunnableCase&) = delete;
  RunnableCase& operator=(const RunnableCase&) = delete;

  Scenario scenario() const { return scenario_of(input_, trace_); }

 private:
  const Case& input_;
  std::string trace_;  // empty: none
};

}  // namespace flitwave::fuzz
