// testbenches/job/job.hpp: a scenario read section by section, every default filled in.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "configs/scenario.hpp"
#include "modules/network/netlist.hpp"
#include "modules/packet/packet_format.hpp"
#include "modules/processor/processor_node.hpp"
#include "testbenches/job/catalog.hpp"
#include "testbenches/job/fault_params.hpp"
#include "testbenches/job/load_params.hpp"
#include "testbenches/job/run_params.hpp"
#include "testbenches/job/transaction_params.hpp"

namespace flitwave {

/// What a metric should be.
struct Expectation {
  std::string metric;
  double least = 0;
  double greatest = 0;
  Place place;
};

/// One job, typed. Nothing is built yet, but every section has been checked by itself.
struct Job {
  std::string name;
  JobParams top;
  ClockParams clock;
  Bound<Topology()> topology;
  std::optional<FaultParams> faults;
  Bound<std::unique_ptr<RoutingFunction>(const Topology&)> routing;
  ChannelParams channel;
  Bound<RouterModel()> router;
  struct RouterOverride {
    std::vector<ConfigNode> nodes;
    Bound<RouterModel()> router;
  };
  std::vector<RouterOverride> router_overrides;
  PacketFormatParams packet_format;
  NodeParams node;
  /// An entry of `node.at`: devices at some nodes.
  struct NodeDevices {
    ConfigNode written;
    std::vector<ConfigNode> nodes;
    Nodes::BoundKind kind;
  };
  std::vector<NodeDevices> devices;
  std::optional<TransactionParams> transactions;  ///< Present if there are devices.
  std::optional<Bound<Demand(const Topology&, Random&)>> operation;
  std::optional<Bound<Schedule(const Demand&, const CollectiveContext&)>> algorithm;
  /// What `algorithm` is compared with, demand by demand.
  std::optional<Bound<Schedule(const Demand&, const CollectiveContext&)>> compare;
  std::optional<TrafficParams> traffic;
  std::optional<Bound<std::unique_ptr<TrafficPattern>(const Topology&)>> pattern;
  std::optional<Bound<std::unique_ptr<InjectionProcess>(const OfferedLoad&)>> injection;
  std::optional<TraceParams> trace;
  std::optional<RequestParams> requests;  ///< If present, `pattern` is their pattern.
  /// Of the load that is not a collective, if there is one; the end of a trace is filled in.
  std::optional<MeasurementParams> measurement;
  Evaluations::BoundKind evaluation;
  std::vector<Observers::BoundKind> observers;
  std::optional<WaveParams> wave;
  StopParams stop;
  WatchdogParams watchdog;
  std::vector<Expectation> expectations;
  ConfigNode written;  ///< The job as the user wrote it.

  /// Throws: ConfigError, located, for the first setting that is wrong.
  static Job read(const Scenario& scenario, const Catalog& catalog);

  /// 2: requests and replies have virtual channels of their own.
  int message_classes() const {
    return requests ? requests->message_classes : transactions ? transactions->message_classes : 1;
  }
  /// Whether its network is simulated.
  bool is_clocked() const { return evaluation.traits().clocked; }

  /// The job with every default filled in; reading it yields an equal job.
  ConfigNode resolved() const;
};

/// An error of a setting, at its position in the job or at that of the nearest section written.
ConfigError error_at(const Job& job, const std::string& path, std::string problem,
                     std::string remedy = "");

/// The name of a job or an experiment, which is also the name of the folder of its results.
/// Throws: ConfigError at its position when it is not a valid name of a folder.
std::string read_name(const ConfigNode& node);

}  // namespace flitwave
