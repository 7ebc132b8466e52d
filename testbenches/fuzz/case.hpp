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

/// A packet of a case that has a trace.
struct Shot {
  int at = 0;  ///< Unit: cycle, from the start of the sources.
  int from = 0;
  int to = 0;
  int flits = 1;
};

/// What a case varies, small enough to be shrunk setting by setting. Words are those of a job, and
/// of Cell.
struct Case {
  std::string name;
  std::uint64_t seed = 1;

  std::string topology;                     ///< mesh, torus, ring, hypercube or custom.
  std::vector<int> shape;                   ///< Extents; ring: nodes; hypercube: dimensions.
  std::vector<bool> wraps;                  ///< Torus: per dimension.
  std::string directions = "both";          ///< Torus, ring.
  std::vector<std::pair<int, int>> joined;  ///< Custom: nodes with a channel each way.

  std::string routing = "dimension_order";
  std::string ties = "positive";
  std::string vc_rule = "remaining_wrap";
  bool reversed_order = false;  ///< Last dimension first.
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
  bool stored = false;  ///< With a bubble: packets are stored before they go on.
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
  std::vector<Shot> shots;  ///< If there are some, they are a trace that stands for the traffic.
  /// Requests that each node keeps open; 0: open-loop traffic. Requests go by the pattern.
  int window = 0;
  int request = 1;       ///< Unit: flit; replies are as long as packets.
  int service = 0;       ///< Unit: cycle
  bool classes = false;  ///< Replies have virtual channels of their own.
  int reply_queue = 0;
  bool held = false;         ///< Ejection channels.
  int receive_overhead = 0;  ///< Unit: cycle
  bool overlapped = false;   ///< Overheads.
  int measure = 200;
  int drain = 0;

  int nodes() const;
  /// Flits of its longest packet.
  int longest() const;
  bool circuits() const { return switching == "teardown" || switching == "wait"; }
  /// Packets move only where they have room as a whole.
  bool whole() const { return !circuits() && switching != "wormhole"; }
  bool rings() const { return topology == "ring" || topology == "torus"; }
};

/// Case `number` of a seed: its cell, and all else at random.
Case draw_case(std::uint64_t seed, std::int64_t number);

/// The case as a job. `trace`: the file that holds its shots, if it has some.
Scenario scenario_of(const Case& input, const std::string& trace = "fuzz.trace");
/// Throws: SystemFailure
void write_trace(const Case& input, const std::string& file);

/// The case as a job that can be run as long as this lives: its trace is a temporary file.
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
