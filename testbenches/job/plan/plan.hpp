// testbenches/job/plan/plan.hpp: the parts of a job that can be built and checked without a clock.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/cube_multicast/relay/relayed_cube.hpp"
#include "algorithms/deadlock/deadlock.hpp"
#include "algorithms/trace.hpp"
#include "algorithms/untimed/untimed.hpp"
#include "routers/input_queued/closed_form.hpp"
#include "testbenches/job/job.hpp"
#include "testbenches/job/plan/judged_schedule.hpp"
#include "testbenches/job/plan/offered_bound.hpp"

namespace flitwave {

/// Called with the current activity, the number of its parts that are done, and their total; 0
/// where the total is not known.
using PlanProgress = std::function<void(const char* what, std::int64_t done, std::int64_t total)>;

/// All pure parts of a job: graph, routes, schedule, and their checks.
struct Plan {
  /// Above this number of nodes `run` leaves the dependency check to `check`; above a quarter of
  /// it where the check takes long.
  static constexpr int checked_nodes = 4096;
  /// The check of dependencies among channels; `skip` it when topology and routing have passed it
  /// before.
  enum class Check { when_small, always, skip };

  std::unique_ptr<Topology> topology;  ///< With the job's faults.
  std::optional<double> valid_faults;  ///< Of the sets of random faults, if they are counted.
  std::unique_ptr<RoutingFunction> routing;
  ChannelParams channel;  ///< The parameters of the job, completed by the needs of the routers.
  RouterModel router;
  std::vector<RouterModel> override_models;
  std::vector<int> model_of_node;    ///< Per node: index into override_models, -1: `router`.
  std::vector<int> devices_of_node;  ///< Per node: index into Job::devices, -1: none.
  AddressMap address_map;
  std::optional<RelayedCube> relayed;  ///< Where all routers relay messages with destination lists.
  std::optional<PacketFormat> format;
  std::optional<Schedule> schedule;
  std::optional<Untimed> untimed;          ///< The schedule judged on the graph.
  std::optional<JudgedSchedule> compared;  ///< The same demand by the algorithm of `compare`.
  std::unique_ptr<TrafficPattern> pattern;
  std::unique_ptr<InjectionProcess> injection;
  std::optional<OfferedBound> offered_bound;  ///< Of `traffic`, where it is quick to compute.
  std::optional<Trace> trace;
  std::optional<ClosedForm> closed_form;  ///< When all routers share one pipeline.
  std::optional<DependencyReport> dependencies;
  /// A cycle in which requests and replies wait for each other; not part of `dependencies`.
  std::optional<std::string> protocol_cycle;
  /// Whether nodes cannot send and receive at the same time, so that two nodes may wait for each
  /// other; not part of `dependencies`.
  bool half_duplex = false;
  /// Whether every router lets heads take the escapes on which `dependencies` relies.
  bool serves_escapes = true;
  std::vector<std::string> warnings;

  /// The notes of the results: the warnings and the remark of the algorithm.
  std::vector<std::string> notes() const {
    std::vector<std::string> all = warnings;
    if (schedule && !schedule->remark().empty()) all.push_back("algorithm: " + schedule->remark());
    return all;
  }

  const RouterModel& model(NodeId node) const {
    const int number = model_of_node[node.index()];
    return number < 0 ? router : override_models[index(number)];
  }

  /// Whether an observer has something to observe.
  bool concerns(const ObserverTraits& observer) const {
    return !observer.only_of_formula || (schedule && schedule->formula());
  }

  /// Throws: ConfigError, located, when parts of the job do not match: too few virtual
  ///   channels, an algorithm that does not serve the operation, a routing that may deadlock
  ///   without `allow_deadlock`.
  /// `progress`, if there is one, is called before each activity that takes long on a large
  /// network.
  static Plan make(const Job& job, Check check = Check::when_small,
                   const PlanProgress& progress = {});
};

}  // namespace flitwave
