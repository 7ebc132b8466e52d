// testbenches/tests/timed/jobs.hpp: small jobs and drivers that timed tests share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "testbenches/run/run_variants.hpp"

namespace flitwave::test {

/// Open-loop uniform traffic on a grid: the settings are YAML, e.g. {{"topology.shape", "[4, 4]"}}.
Scenario uniform_traffic(const std::vector<std::pair<std::string, std::string>>& settings = {});

/// One packet that a test hands to an interface.
struct Shot {
  Cycle at = 1;
  NodeId from;
  NodeId to;
  std::int64_t flits = 1;
  std::vector<NodeId> copies{};  ///< To whom the network is to copy it.
};

/// Runs a job whose only traffic are the shots; `base` gives network and router. The results have
/// the table "packets", and what other observers add. It ends `after` cycles after the last shot.
/// Checks of a job that look at its packets see those of the base's `traffic.packet`.
Results shoot(const Scenario& base, const std::vector<Shot>& shots, Cycle after = 1000,
              const std::string& other_observers = "");

/// The same under per_module scheduling, and in the reversed build order.
std::string difference_between_orders(const Scenario& job);

/// A broadcast of messages of 64 flits from node 0 of a 4x4 mesh, beside uniform traffic of packets
/// of 2 flits whose rate is to be set.
Scenario broadcast_beside_traffic();

/// A column of a table as numbers.
std::vector<double> column(const Table& table, const std::string& name);

}  // namespace flitwave::test
