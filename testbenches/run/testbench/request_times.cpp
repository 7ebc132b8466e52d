// testbenches/run/testbench/request_times.cpp: see request_times.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/run/testbench/request_times.hpp"

#include <algorithm>

namespace flitwave {

void RequestTimes::answered(Cycle created, Cycle done) {
  if (window_.holds(done)) ++replies_;
  if (!window_.holds(created)) return;
  times_.add(done - created);
  batches_.add(created, done - created);
  one_answered_();
}

void RequestTimes::report(const RunSummary& run, const Topology& topology, Results& results) const {
  results.add("requests.answered", static_cast<double>(times_.count()), "request");
  const Cycle cycles = std::min(run.cycles, window_.end) - window_.begin;
  if (cycles > 0)
    results.add("requests.rate",
                static_cast<double>(replies_) / static_cast<double>(cycles) / topology.nodes(),
                "request/node/cycle");
  if (times_.count() == 0 || run.saturated) return;
  flitwave::report(times_, "round_trip", results);
  flitwave::report(batches_, "round_trip", results);
}

}  // namespace flitwave
