// testbenches/job/observer.hpp: listeners on channels that compute metrics.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "algorithms/untimed/untimed.hpp"
#include "configs/registry.hpp"
#include "modules/network/channel_site.hpp"
#include "modules/packet/packet_pool.hpp"
#include "modules/signals/transit.hpp"
#include "modules/transaction/packet_delivery.hpp"
#include "routers/relay/unit_probe.hpp"
#include "testbenches/job/predicted_machine.hpp"
#include "testbenches/job/results/metric_info.hpp"
#include "testbenches/job/results/results.hpp"

namespace flitwave {

struct Passage;
struct Stall;
struct TrafficControl;
class TransactionList;
class TransferTimes;

/// The cycles whose packets count: those created in begin .. end - 1.
struct Window {
  Cycle begin = 0;
  Cycle end = INT64_MAX;

  bool holds(Cycle cycle) const { return cycle >= begin && cycle < end; }
};

/// The course of a run, as far as reports need it.
struct RunSummary {
  Cycle cycles = 0;  ///< Until the last flit was ejected and the last transfer done.
  /// Whether all packets of the window have arrived. If not, the network is saturated or the run
  /// ended early, and means over the packets that have arrived would be too low.
  bool all_arrived = true;
  /// Whether the load is more than the network carries: some packets did not arrive, or the queues
  /// of sources and network grew. A mean latency would then depend on the length of the window
  /// only.
  bool saturated = false;
  /// Half the width of the 95 % interval of the flits delivered per node and cycle, if it is known.
  std::optional<double> accepted_interval;
  bool stopped_early = false;  ///< Before the end of the window that the job requests.
};

/// The run that an observer observes. All that is referred to outlives the observer.
struct ObserverSite {
  const Topology& topology;
  const RoutingFunction& routing;
  const std::vector<ChannelSite>& channels;  ///< By the channel numbers of transits.
  const PacketPool& packets;
  const Window& window;  ///< Ends sooner when the run is stopped before its end.
  Duration period;
  const Schedule* schedule = nullptr;        ///< Null when the run has none.
  const Untimed* untimed = nullptr;          ///< The schedule judged on the graph, or null.
  const TransferTimes* transfers = nullptr;  ///< Of the schedule, or null.
  const TrafficControl* traffic = nullptr;   ///< The offered load; null without sources.
  std::vector<JobPart> parts;                ///< The parts of the job that send packets.
  PredictedMachine machine;
  /// Of each node, whether its router reports passages (RouterSupport).
  std::vector<bool> reports_passages;
  std::vector<UnitSite> units{};            ///< The message handling units of all routers.
  TransactionList* transactions = nullptr;  ///< Of the devices at nodes; null without any.
};

/// Properties of a kind of observer that are known before it is built.
struct ObserverTraits {
  bool without_clock = false;    ///< An untimed evaluation reports its metrics, too.
  bool by_packet = false;        ///< Observes networks without flits, by Observer::on_delivery.
  bool stalls = false;           ///< Receives the stalls of heads, see Stall.
  bool passages = false;         ///< Receives the passages of flits through routers.
  bool routers = false;          ///< Receives the number of flits in routers and unit events.
  bool from_injection = false;   ///< Follows each packet from its injection.
  bool critical_path = false;    ///< Follows what a collective waited for back to its start.
  bool only_of_formula = false;  ///< Left out when the schedule has no formula.
  /// The metrics that it reports. Jobs and experiments may name these metrics only.
  MetricInfos metrics{};
};

/// A listener on channels and, with the traits, on the reasons for which packets wait. Plain C++.
class Observer : public TransitListener, public DeliveryListener {
 public:
  /// The kinds of channels that it observes.
  virtual std::vector<ChannelSite::Kind> channels() const = 0;
  void on_transits(Cycle, const std::vector<Transit>&) override {}
  /// At transaction fidelity, in place of transits.
  void on_delivery(const PacketDelivery&) override {}

  virtual void on_stall(const Stall&) {}
  virtual void on_passage(const Passage&) {}

  /// Called at the end of a cycle in which a router accepted flits, with the number in its buffers.
  virtual void on_held(NodeId /*router*/, std::int64_t /*flits*/) {}
  virtual void on_unit_entry(const UnitEntry&) {}
  virtual void on_selection(const UnitSelection&) {}

  /// Adds its metrics, tables and lines.
  virtual void report(const RunSummary& run, Results& results) const = 0;
};

/// Kinds of observer: parameters, site -> Observer.
using Observers = Registry<std::unique_ptr<Observer>(const ObserverSite&), ObserverTraits>;

}  // namespace flitwave
