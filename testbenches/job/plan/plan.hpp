// testbenches/job/plan/plan.hpp: what can be decided about a job without a clock.
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

/// Called with what is being done, how much of it is done, and of how many parts; of 0 where that
/// is not known.
using PlanProgress = std::function<void(const char* what, std::int64_t done, std::int64_t total)>;

/// Everything of a job that is pure: graph, routes, schedule, and their check.
struct Plan {
  /// Above so many nodes `run` leaves the dependency check to `check`; above a quarter of them
  /// where it takes long.
  static constexpr int checked_nodes = 4096;
  /// Of dependencies among channels; `skip` it when topology and routing have passed it before.
  enum class Check { when_small, always, skip };

  std::unique_ptr<Topology> topology;  ///< With the job's faults.
  std::optional<double> valid_faults;  ///< Of the sets of random faults, if they are counted.
  std::unique_ptr<RoutingFunction> routing;
  ChannelParams channel;  ///< The job's, completed by what the routers need.
  RouterModel router;
  std::vector<RouterModel> override_models;
  std::vector<int> model_of_node;      ///< Per node: index into override_models, -1: `router`.
  std::optional<RelayedCube> relayed;  ///< Where all routers relay messages with lists.
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
  /// How requests and replies may wait for each other, whatever `dependencies` says of either.
  std::optional<std::string> protocol_cycle;
  /// Whether nodes send or receive, so that two may wait for each other, whatever `dependencies`
  /// says.
  bool half_duplex = false;
  /// Whether every router lets heads take the escapes on which `dependencies` relies.
  bool serves_escapes = true;
  std::vector<std::string> warnings;

  /// What results say beside their numbers: the warnings, and what the algorithm chose.
  std::vector<std::string> notes() const {
    std::vector<std::string> all = warnings;
    if (schedule && !schedule->remark().empty()) all.push_back("algorithm: " + schedule->remark());
    return all;
  }

  const RouterModel& model(NodeId node) const {
    const int number = model_of_node[node.index()];
    return number < 0 ? router : override_models[index(number)];
  }

  /// Whether there is something for an observer to observe.
  bool concerns(const ObserverTraits& observer) const {
    return !observer.only_of_formula || (schedule && schedule->formula());
  }

  /// Throws: ConfigError, located, when parts of the job do not fit each other: too few virtual
  ///   channels, an algorithm that does not serve the operation, a routing that may deadlock
  ///   without `allow_deadlock`.
  /// `progress`, if there is one, is called before whatever takes long on a large network.
  static Plan make(const Job& job, Check check = Check::when_small,
                   const PlanProgress& progress = {});
};

}  // namespace flitwave
