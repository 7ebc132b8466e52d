// modules/channel/ready_sender.cpp: see ready_sender.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/channel/ready_sender.hpp"

#include "modules/signals/bits.hpp"

namespace flitwave {

ReadySender::ReadySender(int vcs, int capacity)
    : capacity_(capacity),
      queues_(static_cast<std::size_t>(vcs)),
      entries_(static_cast<std::size_t>(vcs * capacity)),
      taken_(vcs - 1) {}

int ReadySender::size() const {
  int total = 0;
  for (const Queue& queue : queues_) total += queue.count;
  return total;
}

void ReadySender::push(Flit flit, Cycle from) {
  const int vc = flit.vc();
  Queue& queue = queues_[static_cast<std::size_t>(vc)];
  const int position = (queue.first + queue.count) % capacity_;
  entries_[static_cast<std::size_t>(vc * capacity_ + position)] = {flit, from};
  ++queue.count;
  waiting_ |= std::uint64_t{1} << vc;
}

bool ReadySender::complete(std::uint64_t ready, Cycle now) {
  if (offered_ < 0 || (ready >> offered_ & 1) == 0) return false;
  Queue& queue = queues_[static_cast<std::size_t>(offered_)];
  queue.first = (queue.first + 1) % capacity_;
  if (--queue.count == 0) waiting_ &= ~(std::uint64_t{1} << offered_);
  taken_ = offered_;
  taken_at_ = now;
  offered_ = -1;
  return true;
}

bool ReadySender::choose(std::uint64_t ready, Cycle now) {
  std::uint64_t due = 0;
  for_each_bit(waiting_, [&](int vc) {
    if (entry(vc).second <= now) due |= std::uint64_t{1} << vc;
  });
  offered_ = -1;
  if (due == 0) return false;
  std::uint64_t sure = due & ready;
  if (taken_at_ == now) sure &= ~(std::uint64_t{1} << taken_);
  const std::uint64_t pool = sure != 0 ? sure : due;
  offered_ = first_beyond(pool, taken_);  // round robin
  return true;
}

}  // namespace flitwave
