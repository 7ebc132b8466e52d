// modules/channel/input_unit.hpp: what an input port holds: a buffer per virtual channel.
// channel -> [input_unit] -> router -> output_unit -> channel
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>

#include "modules/channel/channel.hpp"

namespace flitwave {

class InputPort;

/// The buffers at the receiving end of a channel: takes flits off the wires and returns a credit,
/// or raises ready, when one leaves. Those of a module's ports lie side by side, each with what
/// every tick looks at in one line of the cache; its InputPort gives it a name.
class alignas(64) InputUnit final {
 public:
  /// A buffered flit and the cycle in which it was taken off the wires.
  struct Slot {
    Flit flit;
    Cycle arrived = 0;
  };

  /// Both outlive it.
  void attach(const InputPort& port, Channel& channel);

  /// Whom a valid flit wakes, and the bit that tells so.
  void set_reader(const LaneReader& reader) { forward_->set_reader(reader); }

  Channel& channel() const;
  int vcs() const { return vcs_; }
  int depth() const { return depth_; }

  /// Where wires are plain: whether a flit stands on them.
  bool valid() const { return forward_->valid(); }
  /// Start of a tick: takes the flit that stands on the wires, if it is being transferred.
  /// Returns: its virtual channel, or -1.
  /// Throws: ModelError when its buffer is full, or the virtual channel does not exist.
  // [accept]
  int accept(Cycle now) {
    const Flit flit = forward_->received();
    const int vc = flit.vc();
    if (ready_valid_ && !ready()->ready(vc)) return -1;
    if (vc >= vcs_ || count(vc) == depth_) overflow(flit);
    Queue& queue = queues_[vc];
    changed_ = true;
    slots(vc)[wrapped(queue.first + queue.count)] = {flit, now};
    ++queue.count;
    if (ready_valid_) lower_ready(flit);
    return vc;
  }
  // [accept]

  int count(int vc) const { return queues_[vc].count; }
  bool empty(int vc) const { return count(vc) == 0; }
  /// Needs: not empty(vc)
  const Slot& front(int vc) const { return slots(vc)[queues_[vc].first]; }
  /// The flit that came last.
  /// Needs: not empty(vc)
  Flit back(int vc) const { return slots(vc)[wrapped(queues_[vc].first + count(vc) - 1)].flit; }

  /// Removes the front flit and frees its slot; at most once per cycle.
  Flit pop(int vc) {
    Queue& queue = queues_[vc];
    changed_ = true;
    const Flit flit = slots(vc)[queue.first].flit;
    if (ready_valid_)
      raise_ready(vc);
    else if (credit_)
      credit_->drive(static_cast<VcIndex>(vc));
    queue.first = wrapped(queue.first + 1);
    --queue.count;
    return flit;
  }

  // Under acknowledge, where nothing is buffered on the way.

  /// The flit that stands on the wires.
  Flit standing() const { return forward_->received(); }
  /// Puts an answer to a probe on the wires, for a cycle.
  void answer(CircuitAnswer answer);

  // Under request, where a message comes only after it was acknowledged.

  /// Whom a request wakes, and the bit that tells so.
  void set_request_reader(const LaneReader& reader);
  /// Whether a request stands on the wires, and the class of buffer that it asks for.
  bool requested() const;
  int request() const;
  /// Puts an acknowledgement on the wires, for a cycle: a message for that class may come.
  void acknowledge(int buffer_class);

  /// Whether the owner has accepted, removed, answered or acknowledged anything since this was
  /// asked last.
  bool take_changed() { return std::exchange(changed_, false); }

  /// Under per_module scheduling: ends the pulse of the credit, the answer or the acknowledgement.
  void end_tick();

 private:
  struct Queue {
    int first = 0;
    int count = 0;
    bool in_packet = false;  // the flit that came last was no tail; under ready_valid
  };

  ReadyLane* ready() const;
  bool ready_for_more(const Queue& queue, int more) const;
  void lower_ready(Flit taken);
  void raise_ready(int vc);
  int wrapped(int place) const { return place >= depth_ ? place - depth_ : place; }
  Slot* slots(int vc) const { return slots_ + static_cast<std::ptrdiff_t>(vc) * depth_; }
  [[noreturn]] void overflow(Flit flit) const;

  Lane<Flit>* forward_ = nullptr;
  Lane<VcIndex>* credit_ = nullptr;  // null unless credits go back
  Queue* queues_ = nullptr;          // Shape: [vcs]; of one virtual channel: &only_
  Slot* slots_ = nullptr;            // Shape: [vcs][depth]
  const InputPort* port_ = nullptr;
  int depth_ = 0;
  std::uint8_t vcs_ = 0;
  bool ready_valid_ = false;
  bool changed_ = false;
  Queue only_;
};
static_assert(sizeof(InputUnit) == 64);

}  // namespace flitwave
