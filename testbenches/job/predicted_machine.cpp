// testbenches/job/predicted_machine.cpp: see predicted_machine.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/predicted_machine.hpp"

#include "testbenches/job/job.hpp"
#include "testbenches/job/results/microseconds.hpp"

namespace flitwave {

PredictedMachine PredictedMachine::of(const Job& job) {
  const Duration period = job.clock.period;
  const NodeParams& node = job.node;
  return {{microseconds(node.send_overhead.exact_picoseconds(period)),
           microseconds(period.picoseconds) / static_cast<double>(job.channel.width.count),
           microseconds(node.receive_overhead.exact_picoseconds(period))},
          period,
          node.send_overhead.rounded(period),
          node.receive_overhead.rounded(period)};
}

}  // namespace flitwave
