// testbenches/prediction.cpp: see prediction.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/prediction.hpp"

#include "flitwave/testbenches/microseconds.hpp"

namespace flitwave {

namespace {

double bytes_of(const Schedule& schedule) {
  return static_cast<double>(schedule.demand().deliveries.front().size.count);
}

/// What the path has of everything. Unit: cycle, but for counts
struct PathSums {
  double sends = 0;
  double receives = 0;
  Cycle combining = 0;
  Cycle heads = 0;
  Cycle serialisation = 0;
  Cycle blocked = 0;
  Cycle ports = 0;
};

PathSums add_up(const PredictedMachine& machine, const std::vector<CriticalLink>& path) {
  PathSums sums;
  for (const CriticalLink& link : path) {
    if (link.sends) {
      sums.sends += 1;
      sums.heads += link.send_overhead - machine.send;  // until the interface takes it
    }
    if (link.receives) {
      sums.receives += 1;
      sums.combining += link.receive_overhead - machine.receive;
    }
    const Cycle serialisation = link.network.zero_load(Part::serialisation);
    const Cycle queued = link.network.waited(Part::source_queue);
    const Cycle blocked = link.network.waited() - queued;
    sums.serialisation += serialisation;
    sums.blocked += blocked;
    // Who waits until an earlier message is sent waits for the port, but for its length.
    const bool sent = link.until == CriticalLink::Until::sent;
    sums.ports += sent ? link.network.total() - serialisation - blocked : queued;
    if (!sent) sums.heads += link.network.total() - link.network.waited() - serialisation;
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
  const PathSums sums = add_up(machine, path);
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
