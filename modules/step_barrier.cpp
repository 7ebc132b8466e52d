// modules/step_barrier.cpp: see step_barrier.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/modules/step_barrier.hpp"

namespace flitwave {

StepBarrier::StepBarrier(const Schedule& schedule, Cycle cost)
    : schedule_(schedule),
      cost_(cost),
      left_(static_cast<std::size_t>(schedule.steps()) + 1, 0),
      waiting_(left_.size()) {
  for (const Transfer& transfer : schedule.transfers())
    ++left_[static_cast<std::size_t>(transfer.step)];
  advance();
}

void StepBarrier::await(int step, ProcessorNode& node, int program) {
  waiting_[static_cast<std::size_t>(step)].push_back({&node, program});
  if (step == step_ && begin_ > node.domain().now()) node.domain().at_last(begin_, *this);
}

void StepBarrier::ended(int transfer, Cycle now) {
  int& left = left_[static_cast<std::size_t>(schedule_.transfer(transfer).step)];
  --left;
  if (left_[static_cast<std::size_t>(step_)] > 0) return;
  const int over = step_;
  advance();
  if (step_ == over) return;
  begin_ = now + 1 + cost_;
  const std::vector<Waiting>& waiting = waiting_[static_cast<std::size_t>(step_)];
  if (!waiting.empty()) waiting.front().node->domain().at_last(begin_, *this);
}

void StepBarrier::due() {
  std::vector<Waiting>& of_step = waiting_[static_cast<std::size_t>(step_)];
  if (of_step.empty() || of_step.front().node->domain().now() < begin_) return;
  for (const Waiting& one : std::exchange(of_step, {})) one.node->resume(one.program);
}

void StepBarrier::advance() {
  while (step_ < schedule_.steps() && left_[static_cast<std::size_t>(step_)] == 0) ++step_;
}

}  // namespace flitwave
