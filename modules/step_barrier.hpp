// modules/step_barrier.hpp: the steps of a schedule, one after the other.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "flitwave/algorithms/schedule.hpp"
#include "flitwave/modules/processor_node.hpp"

namespace flitwave {

/// An ideal barrier after each step of a schedule: no transfer of a step begins before all of the
/// step before are complete, and all may begin in the same cycle. It stands for synchronisation by
/// hardware of its own, and sends no message.
///
/// Timing: a step begins at the programs' start, or `cost` cycles after the cycle that follows the
///   one in which the last transfer of the step before was known to be complete at its receiver.
///   Steps without transfers take no time.
/// Source: Eberhart 1996, section 2.1.4
class StepBarrier final : public Sleeper {
 public:
  /// `cost`: >= 0
  StepBarrier(const Schedule& schedule, Cycle cost);

  /// Calls `woken` of a node's program in the cycle in which a step begins.
  void await(int step, ProcessorNode& node, int program);
  /// Whether the transfers of a step may begin in cycle `now`.
  bool has_begun(int step, Cycle now) const {
    return step < step_ || (step == step_ && now >= begin_);
  }
  /// A transfer is complete, or never will be.
  void ended(int transfer, Cycle now);

 private:
  struct Waiting {
    ProcessorNode* node;
    int program;
  };

  /// The step begins, after all that nodes do by themselves in that cycle.
  void due() override;
  /// To the next step that has transfers left.
  void advance();

  const Schedule& schedule_;
  Cycle cost_;
  std::vector<int> left_;                      // transfers of each step that are not complete
  std::vector<std::vector<Waiting>> waiting_;  // by step
  int step_ = 0;                               // that goes on, or begins next
  Cycle begin_ = 0;                            // of that step
};

}  // namespace flitwave
