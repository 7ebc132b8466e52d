// testbenches/run/testbench/request_times.hpp: how long requests waited for their replies.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>

#include "modules/processor/request_program.hpp"
#include "testbenches/job/observer.hpp"
#include "testbenches/job/results/statistics.hpp"

namespace flitwave {

/// The round trips of the requests that were made in the window.
class RequestTimes final : public RequestLog {
 public:
  /// `one_answered` is called when a request of the window has its reply.
  RequestTimes(const Window& window, std::function<void()> one_answered)
      : window_(window),
        one_answered_(std::move(one_answered)),
        batches_(window.begin, window.end) {}

  void answered(Cycle created, Cycle done) override;

  /// Requests of the window that have their reply.
  std::int64_t answered() const { return times_.count(); }

  /// Adds the round trips, and the rate of replies.
  void report(const RunSummary& run, const Topology& topology, Results& results) const;

 private:
  Window window_;
  std::function<void()> one_answered_;
  Sample times_;
  BatchMeans batches_;
  std::int64_t replies_ = 0;  // that arrived in the window
};

}  // namespace flitwave
