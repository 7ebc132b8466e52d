// testbenches/source_queues.cpp: see source_queues.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/source_queues.hpp"

#include <algorithm>
#include <cmath>

namespace flitwave {

SourceQueues::SourceQueues(Netlist& netlist, ClockDomain& domain, const Window& window)
    : netlist_(netlist),
      domain_(domain),
      window_(window),
      step_(std::max<Cycle>(1, (window.end - window.begin) / looks)),
      seen_(static_cast<std::size_t>(netlist.topology().nodes())) {
  domain_.at(window_.begin + step_, *this);
}

void SourceQueues::due() {
  const double look = taken_++;
  for (int i = 0; i < netlist_.topology().nodes(); ++i) {
    const auto flits = static_cast<double>(netlist_.interface(NodeId(i)).flits_queued());
    seen_[static_cast<std::size_t>(i)].sum += flits;
    seen_[static_cast<std::size_t>(i)].by_look += look * flits;
  }
  const Cycle next = domain_.now() + step_;
  if (taken_ < looks && next <= window_.end) domain_.at(next, *this);
}

/// The slope of the line with the least squares of distances.
double SourceQueues::growth_per_look(const Seen& seen) const {
  const double n = taken_;
  if (taken_ < 2) return 0;
  return (seen.by_look - seen.sum * (n - 1) / 2) * 12 / (n * (n * n - 1));
}

NodeId SourceQueues::growing(const TrafficControl& traffic, double dispersion) const {
  if (traffic.tagged == 0) return {};
  double offered = 0;
  for (const std::int64_t flits : traffic.offered) offered += static_cast<double>(flits);
  const double length = offered / static_cast<double>(traffic.tagged);
  NodeId worst;
  double most = 0;
  for (std::size_t node = 0; node < seen_.size(); ++node) {
    const auto own = static_cast<double>(traffic.offered[node]);
    const double chance = 3 * std::sqrt(dispersion * length * own);
    const double beyond = growth_per_look(seen_[node]) * taken_ - std::max(0.02 * own, chance);
    if (beyond <= most) continue;
    most = beyond;
    worst = NodeId(static_cast<int>(node));
  }
  return worst;
}

void SourceQueues::report(Results& results) const {
  Seen all;
  for (const Seen& seen : seen_) {
    all.sum += seen.sum;
    all.by_look += seen.by_look;
  }
  const auto nodes = static_cast<double>(seen_.size());
  results.add("source_queue.mean", all.sum / std::max(1, taken_) / nodes, "flit/node");
  results.add("source_queue.growth", growth_per_look(all) / static_cast<double>(step_) / nodes,
              "flit/node/cycle");
}

}  // namespace flitwave
