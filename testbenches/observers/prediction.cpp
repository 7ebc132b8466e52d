// testbenches/observers/prediction.cpp: see prediction.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/observers/prediction.hpp"

#include "testbenches/job/results/microseconds.hpp"

namespace flitwave {

namespace {

double bytes_of(const Schedule& schedule) {
  return static_cast<double>(schedule.demand().deliveries.front().size.count);
}

/// The sums over the path. Unit: cycle, except for counts
struct PathSums {
  double sends = 0;
  double receives = 0;
  Cycle combining = 0;
  Cycle heads = 0;
  Cycle serialisation = 0;
  Cycle blocked = 0;
  Cycle ports = 0;
};

/// The network's part of a link. `counted`: the formula counts the message's length.
void add_network(const CriticalLink& link, bool counted, PathSums& sums) {
  const Cycle queued = link.network.waited(Part::source_queue);
  const Cycle blocked = link.network.waited() - queued;
  const Cycle serialisation = link.network.zero_load(Part::serialisation);
  const Cycle rest = link.network.total() - queued - blocked - serialisation;
  const bool sent = link.until == CriticalLink::Until::sent;
  sums.blocked += blocked;
  (counted ? sums.serialisation : sums.ports) += serialisation;
  (sent ? sums.ports : sums.heads) += rest;
  sums.ports += queued;
}

/// A transfer that waits until an earlier message is sent waits for its length, as far as the
/// formula counts more messages one after the other than arrive on the path, and otherwise for the
/// port.
PathSums add_up(const Schedule& schedule, const PredictedMachine& machine,
                const std::vector<CriticalLink>& path) {
  const auto share = [&](const CriticalLink& link) {
    return static_cast<double>(schedule.transfer(link.transfer).size.count) / bytes_of(schedule);
  };
  PathSums sums;
  double left = schedule.formula()->terms.messages;
  for (const CriticalLink& link : path)
    if (link.until == CriticalLink::Until::received) left -= share(link);
  for (const CriticalLink& link : path) {
    sums.blocked += link.node_busy;
    if (link.sends) {
      sums.sends += 1;
      sums.heads += link.send_overhead - machine.send;  // until the interface accepts it
    }
    if (link.receives) {
      sums.receives += 1;
      sums.combining += link.receive_overhead - machine.receive;
    }
    const bool sent = link.until == CriticalLink::Until::sent;
    const bool counted = !sent || left > 0.99 * share(link);
    if (sent && counted) left -= share(link);
    add_network(link, counted, sums);
  }
  return sums;
}

}  // namespace

void report_formula(const Schedule& schedule, const PredictedMachine& machine, Results& results) {
  const TauPoint point = schedule.formula()->terms.point(machine.cost);
  results.add("model.startup_us", point.startup, "us");
  results.add("model.per_byte_us", point.per_byte, "us");
  if (point.startup > 0) results.add("model.tau", point.tau(), "1/B");
  results.add("model.max_us", point.at(bytes_of(schedule)), "us");
}

void report_prediction(const Schedule& schedule, const PredictedMachine& machine,
                       Results& results) {
  if (!schedule.formula()) return;
  report_formula(schedule, machine, results);
  if (!results.has("collective.max_us")) return;
  const double simulated = results.value("collective.max_us");
  const double error = simulated - results.value("model.max_us");
  results.add("model.error_us", error, "us");
  results.add("model.error", 100 * error / simulated, "%");
}

std::vector<std::pair<std::string, double>> PredictionError::named() const {
  return {{"overheads", overheads}, {"combining", combining}, {"rounding", rounding},
          {"hops", hops},           {"length", length},       {"blocked", blocked},
          {"ports", ports}};
}

PredictionError explain(const Schedule& schedule, const PredictedMachine& machine,
                        const std::vector<CriticalLink>& path) {
  const PathSums sums = add_up(schedule, machine, path);
  const Terms& terms = schedule.formula()->terms;
  const AlphaBetaGamma& cost = machine.cost;
  const auto time = [&](Cycle cycles) { return microseconds(cycles * machine.period.picoseconds); };
  PredictionError error;
  error.overheads =
      (sums.sends - terms.sends) * cost.alpha + (sums.receives - terms.receives) * cost.gamma;
  error.rounding = sums.sends * (time(machine.send) - cost.alpha) +
                   sums.receives * (time(machine.receive) - cost.gamma);
  error.combining = time(sums.combining);
  error.hops = time(sums.heads) - terms.hops * cost.beta;
  error.length = time(sums.serialisation) - terms.messages * bytes_of(schedule) * cost.beta;
  error.blocked = time(sums.blocked);
  error.ports = time(sums.ports);
  return error;
}

}  // namespace flitwave
