// testbenches/tests/timed/jobs.hpp: small jobs and drivers shared by timed tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "testbenches/run/run_variants.hpp"

namespace flitwave::test {

/// Open-loop uniform traffic on a grid; settings are YAML, e.g. {{"topology.shape", "[4, 4]"}}.
Scenario uniform_traffic(const std::vector<std::pair<std::string, std::string>>& settings = {});
/// A torus without classes of virtual channels, whose packets wait for each other: a deadlock,
/// which the watchdog looks for every `interval` cycles.
Scenario deadlocked_torus(const std::string& interval);

/// One packet that a test sends through an interface.
struct Shot {
  Cycle at = 1;
  NodeId from;
  NodeId to;
  std::int64_t flits = 1;
  std::vector<NodeId> copies{};  ///< Further destinations, for which the network copies the packet.
};

/// Runs a job whose only traffic is the shots; `base` gives network and router. The results have
/// the table "packets" and the tables of the other observers. The run ends `after` cycles after the
/// last shot. Checks that depend on packet lengths use `traffic.packet` of `base`.
Results shoot(const Scenario& base, const std::vector<Shot>& shots, Cycle after = 1000,
              const std::string& other_observers = "", const Catalog& catalog = standard_catalog());
/// The number of packets that did not take the expected time. Unit: cycle. Needs: the table of
/// packets, whose rows are sorted as the shots are, by source and number
int packets_off(const Results& results, const std::vector<Shot>& shots,
                const std::function<Cycle(const Shot&)>& expected);
/// Messages round a ring of four nodes, each to the opposite node, without a rule that prevents a
/// deadlock.
Scenario ring_of_four();

/// The variants with which tests compare a job's run: all; with sanitizers only that which differs
/// from the usual one in scheduling and build order.
std::vector<RunVariant> compared_variants();

/// Runs the shots under per_module scheduling and in the reversed build order.
std::string difference_between_orders(const Scenario& job);

/// A broadcast of messages of 64 flits from node 0 of a 4x4 mesh, under uniform traffic of packets
/// of 2 flits; the caller sets the rate of the traffic.
Scenario broadcast_beside_traffic();

/// A column of a table as numbers.
std::vector<double> column(const Table& table, const std::string& name);

}  // namespace flitwave::test
