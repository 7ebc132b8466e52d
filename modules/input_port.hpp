// modules/input_port.hpp: a buffer per virtual channel, where a channel ends.
// channel -> [input_port] -> router -> output_port -> channel
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <systemc>

#include "flitwave/modules/channel.hpp"

namespace flitwave {

/// The receiving end of a channel: takes flits off the wires and returns a credit, or raises
/// ready, when one leaves. A module for its name and state; its owner's tick calls it.
class InputPort final : public sc_core::sc_module {
 public:
  /// A buffered flit and the cycle in which it was taken off the wires.
  struct Slot {
    Flit flit;
    Cycle arrived = 0;
  };

  InputPort(const sc_core::sc_module_name& name, Channel& channel);

  /// Whom a valid flit wakes, and the bit that tells so.
  void set_reader(const LaneReader& reader) { end_.forward.set_reader(reader); }

  Channel& channel() const { return channel_; }
  int vcs() const { return static_cast<int>(queues_.size()); }
  int depth() const { return depth_; }

  bool valid() const { return end_.forward.valid(); }
  /// Start of a tick: takes the flit that stands on the wires, if it is being transferred.
  /// Returns: its virtual channel, or -1.
  /// Throws: ModelError when its buffer is full, or the virtual channel does not exist.
  // [accept]
  int accept(Cycle now) {
    const Flit flit = end_.forward.payload();
    const int vc = flit.vc();
    if (end_.ready && !end_.ready->ready(vc)) return -1;
    if (vc >= vcs() || queue(vc).count == depth_) overflow(flit);
    Queue& queue = this->queue(vc);
    int place = queue.first + queue.count;
    if (place >= depth_) place -= depth_;
    slots_[static_cast<std::size_t>(vc * depth_ + place)] = {flit, now};
    ++queue.count;
    queue.in_packet = !flit.tail();
    if (end_.ready && !ready_for_more(queue)) end_.ready->drive(vc, false);
    return vc;
  }
  // [accept]

  int count(int vc) const { return queue(vc).count; }
  bool empty(int vc) const { return queue(vc).count == 0; }
  /// Needs: not empty(vc)
  const Slot& front(int vc) const {
    return slots_[static_cast<std::size_t>(vc * depth_ + queue(vc).first)];
  }
  /// The flit that came last.
  /// Needs: not empty(vc)
  Flit back(int vc) const { return at(vc, queue(vc).count - 1).flit; }
  /// The flit `place` places behind the front.
  const Slot& at(int vc, int place) const {
    return slots_[static_cast<std::size_t>(vc * depth_ + (queue(vc).first + place) % depth_)];
  }

  /// Removes the front flit and frees its slot; at most once per cycle.
  Flit pop(int vc) {
    Queue& queue = this->queue(vc);
    const Flit flit = front(vc).flit;
    const bool was_ready = ready_for_more(queue);
    if (++queue.first == depth_) queue.first = 0;
    --queue.count;
    if (credits_)
      end_.back->drive(static_cast<VcIndex>(vc));
    else if (end_.ready && !was_ready && ready_for_more(queue))
      end_.ready->drive(vc, true);
    return flit;
  }

  // Under acknowledge, where nothing is buffered on the way.

  /// The flit that stands on the wires.
  /// Needs: valid()
  Flit standing() const { return end_.forward.payload(); }
  /// Puts an answer to a probe on the wires, which must be lowered in the next cycle.
  void answer(Answer answer) { end_.back->drive(static_cast<VcIndex>(answer)); }

  /// Lowers the credit or the answer.
  void rest() { end_.back->rest(); }

 private:
  struct Queue {
    int first = 0;
    int count = 0;
    bool in_packet = false;  // the flit that came last was no tail
  };

  /// Whether the next flit has room; where only whole packets come, so must the rest of its packet.
  bool ready_for_more(const Queue& queue) const {
    const int needed = queue.in_packet ? 1 : std::max(1, whole_packet_);
    return depth_ - queue.count >= needed;
  }

  Queue& queue(int vc) { return queues_[static_cast<std::size_t>(vc)]; }
  const Queue& queue(int vc) const { return queues_[static_cast<std::size_t>(vc)]; }
  [[noreturn]] void overflow(Flit flit) const;

  Channel& channel_;
  ChannelEnd& end_;
  int depth_;
  int whole_packet_;
  bool credits_;
  std::vector<Queue> queues_;  // Shape: [vcs]
  std::vector<Slot> slots_;    // Shape: [vcs][depth]
};

}  // namespace flitwave
