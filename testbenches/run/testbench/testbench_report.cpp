// testbenches/run/testbench/testbench_report.cpp: checks the conservation of a run, and writes down
// its results.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "testbenches/job/predicted_machine.hpp"
#include "testbenches/observers/fault_report.hpp"
#include "testbenches/observers/prediction.hpp"
#include "testbenches/observers/untimed_results.hpp"
#include "testbenches/run/testbench/testbench.hpp"

namespace flitwave {

/// Nothing is lost and nothing is delivered twice.
/// Throws: ModelError
void Testbench::check_books() const {
  for (int i = 0; i < plan_.topology->nodes(); ++i) {
    const std::int64_t ejected = network_->flits_ejected(NodeId(i));
    const int ports = network_->local_ports(NodeId(i));
    if (ejected > ports * std::max<Cycle>(0, domain_->now()))
      throw ModelError(
          fmt::format("node {} accepted {} flits in {} cycles from {} ejection channels",
                      plan_.topology->label(NodeId(i)), ejected, domain_->now(), ports));
  }
  // [conserved]
  const FlitCounts flits = network_->flits();
  if (flits.injected + flits.copied != flits.ejected + flits.inside + flits.dropped)
    throw ModelError(
        fmt::format("{} flits were injected, {} are copies of them, {} ejected, {} are in the "
                    "network, and {} were removed probes",
                    flits.injected, flits.copied, flits.ejected, flits.inside, flits.dropped));
  // [conserved]
  if (outcome_ != Outcome::complete) return;
  if (!network_->at_rest() || packets_.in_network() != 0)
    throw ModelError("the run has ended, but packets or credits are missing");
  check_little();
  if (!given_up_.empty()) return;  // the data at nodes differ from the plan
  for (const CollectiveProgram* program : collective_) program->check_results(*plan_.topology);
}

/// Little's law, exactly: the number of packets in the network, counted at their arrivals and
/// departures, and their times in it, summed over all cycles and all packets.
/// Throws: ModelError
void Testbench::check_little() const {
  if (packets_.packet_cycles() == packets_.residence()) return;
  throw ModelError(
      fmt::format("the packets in the network sum to {} over all cycles, and their "
                  "times in it to {}",
                  packets_.packet_cycles(), packets_.residence()));
}

/// The end of a run within a window may precede or follow a sample of the same cycle.
bool Testbench::samples_are_whole() const {
  return load_ && (outcome_ == Outcome::complete || outcome_ == Outcome::limit);
}

RunSummary Testbench::summary() const {
  RunSummary run;
  run.all_arrived = tagged_arrived() && (!transfers_ || everything_arrived());
  run.cycles = cut_at_.value_or(domain_->now());
  if (outcome_ == Outcome::complete)
    run.cycles = std::max(fingerprint_.last() + 1, transfers_ ? transfers_->last() : 0);
  if (outcome_ == Outcome::complete && transactions_)
    run.cycles = std::max(run.cycles, domain_->cycle_at(transactions_->last()));
  run.saturated = !run.all_arrived || too_much();
  if (samples_are_whole()) run.accepted_interval = load_->accepted_interval();
  run.stopped_early = stopped_early_;
  return run;
}

void Testbench::report_circuits(Results& results) const {
  CircuitCounts all;
  for (int i = 0; i < plan_.topology->nodes(); ++i) {
    const CircuitCounts& counts = netlist_->interface(NodeId(i)).circuits();
    all.granted += counts.granted;
    all.refused += counts.refused;
    all.most_refused = std::max(all.most_refused, counts.most_refused);
    all.longest_wait = std::max(all.longest_wait, counts.longest_wait);
  }
  results.add("circuits.granted", static_cast<double>(all.granted), "");
  results.add("circuits.refused", static_cast<double>(all.refused), "");
  results.add("circuits.refused.max", static_cast<double>(all.most_refused), "");
  results.add("circuits.wait.max", static_cast<double>(all.longest_wait), "cycle");
}

void Testbench::report_load(const RunSummary& run, Results& results) const {
  if (plan_.offered_bound)
    results.add("throughput.bound", plan_.offered_bound->rate(), "flit/node/cycle");
  if (samples_are_whole()) load_->report(results);
  if (requests_) requests_->report(run, *plan_.topology, results);
  if (outcome_ != Outcome::complete || !run.saturated) return;
  if (too_much())
    results.notes.push_back("saturated: " + load_->too_much() + "; no latency is given");
  else if (!run.all_arrived)
    results.notes.push_back(fmt::format(
        "saturated: {} of {} packets of the measurement had not arrived {} cycles after it, the "
        "drain; no latency is given",
        traffic_.tagged - tagged_arrivals(), traffic_.tagged, job_.measurement->drain.count));
}

/// None unless deliveries have release times of their own, and all that faults allow are done.
std::optional<DeliveryTimes> Testbench::delivery_times() const {
  if (!transfers_ || transfers_->expected() == 0 || !transfers_over()) return {};
  if (!plan_.schedule->demand().released()) return {};
  return DeliveryTimes(plan_.schedule->demand(), *plan_.topology,
                       transfers_->completions(*plan_.schedule));
}

/// Compares the destination array with the serial assignment.
/// Throws: ModelError when they differ, every transfer is complete, and faults are not the reason.
void Testbench::report_array(Results& results) const {
  if (!memory_) {
    results.notes.push_back(fmt::format(
        "data: not compared, because there are more than {} elements", ArrayMemory::most_elements));
    return;
  }
  std::vector<int> unreached;
  for (const auto& lacking : plan_.untimed->unreached) unreached.push_back(lacking.delivery);
  const ArrayVerdict verdict = memory_->compare(unreached);
  results.add("data.elements", static_cast<double>(verdict.elements), "");
  results.add("data.right", static_cast<double>(verdict.right), "");
  const std::string text = fmt::format("data: {} of {} elements as the serial assignment",
                                       verdict.right, verdict.elements);
  if (outcome_ == Outcome::complete && given_up_.empty() && !verdict.faults.empty())
    throw ModelError(text + "; " + verdict.faults.front());
  results.lines.push_back(text);
}

Results Testbench::report() const {
  Results results;
  results.outcome = outcome_;
  results.message = message_;
  RunSummary run = summary();
  const std::optional<DeliveryTimes> deliveries = delivery_times();
  run.saturated = run.saturated || (deliveries && deliveries->saturated());
  results.cycles = run.cycles;
  results.fingerprint = fingerprint_.value();
  results.fidelity = names_of(Fidelity{})[index(job_.top.fidelity)];
  results.notes = plan_.notes();
  if (given_up_count_ > packets_.messages_lost())
    results.notes.push_back(never_sent_note(given_up_count_ - packets_.messages_lost()));
  if (job_.top.count_deadlock) {
    results.add("deadlocked", outcome_ == Outcome::deadlock ? 1 : 0, "");
    if (outcome_ == Outcome::deadlock) {
      results.outcome = Outcome::complete;
      results.notes.push_back(std::exchange(results.message, ""));
    }
  }
  results.add("transits", static_cast<double>(fingerprint_.count()), "flit");
  results.add("packets", static_cast<double>(packets_.added()), "packet");
  if (plan_.channel.handshake == Handshake::acknowledge) report_circuits(results);
  if (const SharedPart* shared = netlist_ ? netlist_->shared() : nullptr)
    for (const SharedPart::Count& count : shared->counts())
      results.add(count.name, static_cast<double>(count.value), count.unit);
  results.add("packets.in_network",
              static_cast<double>(packets_.packet_cycles()) /
                  static_cast<double>(std::max<Cycle>(1, run.cycles)),
              "packet");
  // An earlier end leaves open whether the load would have been carried.
  const bool judged = outcome_ == Outcome::complete || (samples_are_whole() && too_much());
  if (judged && (job_.measurement || deliveries))
    results.add("saturated", run.saturated ? 1 : 0, "");
  if (job_.measurement) report_load(run, results);
  if (tlm_) tlm_->report(results);
  if (faults_) faults_->report(results);
  if (transfers_)
    transfers_->report(*plan_.schedule, *plan_.topology, job_.clock.period,
                       MessageModel(job_, plan_), results);
  if (plan_.schedule && plan_.schedule->demand().moved) {
    report_array_area(plan_.schedule->demand(), results);
    report_array(results);
  }
  if (deliveries) deliveries->report(results);
  if (plan_.schedule) report_prediction(*plan_.schedule, PredictedMachine::of(job_), results);
  for (const auto& observer : observers_) observer->report(run, results);
  return results;
}

}  // namespace flitwave
