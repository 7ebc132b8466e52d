// modules/signals/ready_wires.cpp: see ready_wires.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/signals/ready_wires.hpp"

#include <algorithm>

#include "modules/signals/bits.hpp"
#include "modules/signals/link_wires.hpp"

namespace flitwave {

ReadyWires::ReadyWires(CommitQueue& queue, int vcs)
    : vcs_(vcs), bits_(first_bits(vcs)), queue_(queue) {
  if (queue.plain) {
    plain_ = std::make_unique<sc_core::sc_vector<sc_core::sc_signal<bool>>>("ready");
    plain_->init(static_cast<std::size_t>(vcs), [](const char* name, std::size_t) {
      return new sc_core::sc_signal<bool>(name, true);
    });
    return;
  }
  values_.resize(static_cast<std::size_t>(vcs));
  WireOwner& owner = *this;
  for (Bit& bit : values_)
    wires_.emplace_back(owner, bit.current, bit.next,
                        WireChange{bit.stamp, bit.changed, bit.watched}, std::uint8_t{1});
}

ReadyWires::Writer ReadyWires::writer() {
  detail::give_once(is_written_, "writer");
  return Writer(*this);
}

ReadyWires::Reader ReadyWires::reader() {
  detail::give_once(is_read_, "reader");
  return Reader(*this);
}

std::uint64_t ReadyWires::bits() const {
  if (!plain_) return bits_;
  std::uint64_t bits = 0;
  for (std::size_t vc = 0; vc < plain_->size(); ++vc)
    bits |= static_cast<std::uint64_t>((*plain_)[vc].read()) << vc;
  return bits;
}

void ReadyWires::drive(int vc, bool ready) {
  const auto index = static_cast<std::size_t>(vc);
  if (plain_) {
    (*plain_)[index].write(ready);
    return;
  }
  values_[index].next = ready;
  if (dirty_) return;
  dirty_ = true;
  queue_.readies.push_back(this);
}

bool ReadyWires::changes() const {
  return std::any_of(values_.begin(), values_.end(),
                     [](const Bit& bit) { return bit.next != bit.current; });
}

sc_core::sc_signal_inout_if<bool>& ReadyWires::wire(int vc) {
  const auto index = static_cast<std::size_t>(vc);
  if (plain_) return (*plain_)[index];
  return wires_[index];
}

void ReadyWires::commit(sc_dt::uint64 stamp) {
  dirty_ = false;
  const std::uint64_t before = bits_;
  for (std::size_t vc = 0; vc < values_.size(); ++vc) {
    Bit& bit = values_[vc];
    if (bit.next == bit.current) continue;
    bit.current = bit.next;
    bit.stamp = stamp;
    bit.changed = 1;
    bits_ ^= std::uint64_t{1} << vc;
    if (bit.watched) wires_[vc].notify();
  }
  if (forward_) forward_->settle_later();
  if (bits_ == before) return;
  if (module_ >= 0) queue_.active.insert(module_);
  mark_.set();
}

void ReadyWires::written_from_outside() {
  queue_.foreign = true;
  if (!dirty_) {
    dirty_ = true;
    queue_.readies.push_back(this);
  }
  queue_.commit_soon();
}

}  // namespace flitwave
