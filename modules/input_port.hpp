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
  void set_reader(const LaneReader& reader) { hot_.forward->set_reader(reader); }

  Channel& channel() const { return channel_; }
  int vcs() const { return hot_.vcs; }
  int depth() const { return hot_.depth; }

  bool valid() const { return hot_.forward->valid(); }
  /// Start of a tick: takes the flit that stands on the wires, if it is being transferred.
  /// Returns: its virtual channel, or -1.
  /// Throws: ModelError when its buffer is full, or the virtual channel does not exist.
  // [accept]
  int accept(Cycle now) {
    const Flit flit = hot_.forward->payload();
    const int vc = flit.vc();
    if (hot_.ready && !hot_.ready->ready(vc)) return -1;
    if (vc >= hot_.vcs || queue(vc).count == hot_.depth) overflow(flit);
    Queue& queue = this->queue(vc);
    slots(vc)[wrapped(queue.first + queue.count)] = {flit, now};
    ++queue.count;
    if (!hot_.ready) return vc;
    queue.in_packet = !flit.tail();
    if (!ready_for_more(queue)) hot_.ready->drive(vc, false);
    return vc;
  }
  // [accept]

  int count(int vc) const { return queue(vc).count; }
  bool empty(int vc) const { return queue(vc).count == 0; }
  /// Needs: not empty(vc)
  const Slot& front(int vc) const { return slots(vc)[queue(vc).first]; }
  /// The flit that came last.
  /// Needs: not empty(vc)
  Flit back(int vc) const { return slots(vc)[wrapped(queue(vc).first + count(vc) - 1)].flit; }

  /// Removes the front flit and frees its slot; at most once per cycle.
  Flit pop(int vc) {
    Queue& queue = this->queue(vc);
    const Flit flit = slots(vc)[queue.first].flit;
    if (hot_.ready) {
      if (!ready_for_more(queue) && ready_for_more(queue, 1)) hot_.ready->drive(vc, true);
    } else if (hot_.credit) {
      hot_.credit->drive(static_cast<VcIndex>(vc));
    }
    queue.first = wrapped(queue.first + 1);
    --queue.count;
    return flit;
  }

  // Under acknowledge, where nothing is buffered on the way.

  /// The flit that stands on the wires.
  /// Needs: valid()
  Flit standing() const { return hot_.forward->payload(); }
  /// Puts an answer to a probe on the wires, for a cycle.
  void answer(Answer answer);

  /// Under per_module scheduling: ends the pulse of the credit or the answer.
  void end_tick();

 private:
  struct Queue {
    int first = 0;
    int count = 0;
    bool in_packet = false;  // the flit that came last was no tail; under ready_valid
  };
  /// What a tick looks at, in one line of the cache.
  struct alignas(64) Hot {
    Lane<Flit>* forward = nullptr;
    Lane<VcIndex>* credit = nullptr;  // null unless credits go back
    ReadyLane* ready = nullptr;       // null unless under ready_valid
    Queue* queues = nullptr;          // Shape: [vcs]
    Slot* slots = nullptr;            // Shape: [vcs][depth]
    int vcs = 0;
    int depth = 0;
    int whole_packet = 0;
  };

  /// Whether the next flit has room once `more` slots are free; where only whole packets come, so
  /// must the rest of its packet.
  bool ready_for_more(const Queue& queue, int more = 0) const {
    const int needed = queue.in_packet ? 1 : std::max(1, hot_.whole_packet);
    return hot_.depth - queue.count + more >= needed;
  }
  int wrapped(int place) const { return place >= hot_.depth ? place - hot_.depth : place; }

  Queue& queue(int vc) { return hot_.queues[vc]; }
  const Queue& queue(int vc) const { return hot_.queues[vc]; }
  Slot* slots(int vc) const { return hot_.slots + static_cast<std::ptrdiff_t>(vc) * hot_.depth; }
  [[noreturn]] void overflow(Flit flit) const;

  Channel& channel_;
  std::vector<Queue> queues_;
  std::vector<Slot> slots_;
  Hot hot_;
};

}  // namespace flitwave
