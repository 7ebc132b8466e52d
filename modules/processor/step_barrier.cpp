// modules/processor/step_barrier.cpp: see step_barrier.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/processor/step_barrier.hpp"

namespace flitwave {

StepBarrier::StepBarrier(const Schedule& schedule, Cycle cost)
    : schedule_(schedule),
      cost_(cost),
      left_(static_cast<std::size_t>(schedule.stages()) + 1, 0),
      waiting_(left_.size()) {
  for (const Transfer& transfer : schedule.transfers())
    ++left_[static_cast<std::size_t>(schedule.stage_of(transfer))];
  advance();
}

void StepBarrier::await(int stage, ProcessorNode& node, int program) {
  waiting_[static_cast<std::size_t>(stage)].push_back({&node, program});
  if (stage == stage_ && begin_ > node.domain().now()) node.domain().at_last(begin_, *this);
}

void StepBarrier::ended(int transfer, Cycle now) {
  int& left = left_[static_cast<std::size_t>(schedule_.stage_of(schedule_.transfer(transfer)))];
  --left;
  if (left_[static_cast<std::size_t>(stage_)] > 0) return;
  const int over = stage_;
  advance();
  if (stage_ == over) return;
  begin_ = now + 1 + cost_;
  const std::vector<Waiting>& waiting = waiting_[static_cast<std::size_t>(stage_)];
  if (!waiting.empty()) waiting.front().node->domain().at_last(begin_, *this);
}

void StepBarrier::due() {
  std::vector<Waiting>& of_stage = waiting_[static_cast<std::size_t>(stage_)];
  if (of_stage.empty() || of_stage.front().node->domain().now() < begin_) return;
  for (const Waiting& one : std::exchange(of_stage, {})) one.node->resume(one.program);
}

void StepBarrier::advance() {
  while (stage_ + 1 < static_cast<int>(left_.size()) &&
         left_[static_cast<std::size_t>(stage_)] == 0)
    ++stage_;
}

}  // namespace flitwave
