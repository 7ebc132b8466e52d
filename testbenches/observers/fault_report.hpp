// testbenches/observers/fault_report.hpp: effects of faults on messages, as results.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "algorithms/untimed/untimed.hpp"
#include "modules/interface/fault_log.hpp"
#include "testbenches/job/plan/plan.hpp"
#include "testbenches/job/results/results.hpp"

namespace flitwave {

/// Adds faults.nodes, faults.links and faults.valid (1, or 0 where a node has several faulty
/// neighbours), for counted draws the share of valid ones, faults.valid_share, and a table `faults`
/// of faults and their onsets.
void report_faults(const Plan& plan, Results& results);

/// The note that transfers did not take place because their data did not arrive.
std::string never_sent_note(std::int64_t transfers);

/// Stores the reported events until the end of the run.
class FaultReport final : public FaultLog {
 public:
  /// The plan outlives it. Destinations that its schedule leaves out are recorded as unreachable.
  explicit FaultReport(const Plan& plan);

  /// Also records as unreachable the destinations that routers do not serve when the schedule is
  /// evaluated on the graph.
  void given_up_untimed();

  /// Records a transfer of the schedule that will not take place because a message that it needs
  /// was lost or given up in some cycle.
  void never_sent(int transfer, Cycle cycle);

  void lost(const FaultedMessage& message) override { add(Event::lost, message); }
  void unreachable(const FaultedMessage& message) override { add(Event::unreachable, message); }
  void rerouted(const FaultedMessage& message) override { add(Event::rerouted, message); }

  /// Adds what `report_faults` adds, faults.lost (messages and branches of messages),
  /// faults.lost_destinations, faults.unreachable (destinations), faults.never_sent (transfers)
  /// and, for a simulation, faults.rerouted (branches), and a table `faulted_messages` of these
  /// events by cycle.
  void report(Results& results) const;

 private:
  enum class Event { lost, unreachable, rerouted, never_sent };
  struct Entry {
    Event event;
    FaultedMessage message;
  };

  void add(Event event, const FaultedMessage& message) { entries_.push_back({event, message}); }
  std::vector<Entry> settled() const;
  Table messages(std::vector<Entry> entries) const;

  const Plan& plan_;
  std::vector<Entry> entries_;
  bool judged_ = false;  // nothing was simulated
};

}  // namespace flitwave
