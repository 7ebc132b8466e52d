// modules/processor/step_barrier.hpp: the steps, or the phases, of a schedule, one after the other.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "algorithms/schedule.hpp"
#include "modules/processor/processor_node.hpp"

namespace flitwave {

/// An ideal barrier after each stage of a schedule, which is a step or, at phased pace, a phase: no
/// transfer of a stage begins before all of the stage before are complete, and all may begin in the
/// same cycle. It models synchronisation by dedicated hardware, and sends no message.
///
/// Timing: the first stage begins at the start of the programs; each other stage begins 1 + `cost`
///   cycles after the cycle in which the receiver of the last transfer of the previous stage
///   registered its completion. Stages without transfers take no time.
/// Source: Eberhart 1996, section 2.1.4
class StepBarrier final : public Sleeper {
 public:
  /// `cost`: >= 0. Needs: a schedule with barriers
  StepBarrier(const Schedule& schedule, Cycle cost);

  /// Calls `woken` of a node's program in the cycle in which a stage begins.
  void await(int stage, ProcessorNode& node, int program);
  /// Whether the transfers of a stage may begin in cycle `now`.
  bool has_begun(int stage, Cycle now) const {
    return stage < stage_ || (stage == stage_ && now >= begin_);
  }
  /// Registers that a transfer is complete, or never will be.
  void ended(int transfer, Cycle now);

 private:
  struct Waiting {
    ProcessorNode* node;
    int program;
  };

  /// Begins the stage, after all other events of nodes in that cycle.
  void due() override;
  /// Advances to the next stage that has transfers left.
  void advance();

  const Schedule& schedule_;
  Cycle cost_;
  std::vector<int> left_;                      // transfers of each stage that are not complete
  std::vector<std::vector<Waiting>> waiting_;  // by stage
  int stage_ = 0;                              // the current stage, or the next one
  Cycle begin_ = 0;                            // first cycle of that stage
};

}  // namespace flitwave
