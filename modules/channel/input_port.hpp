// modules/channel/input_port.hpp: the end of a channel at its receiver: a buffer per virtual
// channel. channel -> [input_port] -> router -> output_port -> channel
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "modules/channel/channel.hpp"

namespace flitwave {

/// Takes flits off a channel, and returns a credit, or raises ready, when one leaves its buffer.
/// The ports of a module are stored side by side, each with the data of every tick in one line of
/// the cache.
class InputPort final : CacheLine {
 public:
  /// A buffered flit and the cycle in which it was taken off the channel.
  struct Slot {
    Flit flit;
    Cycle arrived = 0;
  };

  /// Without a channel until `attach`.
  InputPort();
  ~InputPort();
  InputPort(const InputPort&) = delete;
  InputPort& operator=(const InputPort&) = delete;

  /// Becomes the reader of the channel, which outlives it. `name`: below the module under
  /// construction.
  void attach(const char* name, Channel& channel);
  bool is_attached() const { return static_cast<bool>(forward_); }
  /// The module to be ticked for a valid flit, and the bit that identifies the port.
  void set_slot(const InboxSlot& slot) { forward_.set_slot(slot); }

  Channel& channel() const;
  int vcs() const { return vcs_; }
  int depth() const { return depth_; }

  /// Where wires are plain: whether a flit is on them.
  bool valid() const { return forward_.valid(); }
  /// Start of a tick: takes the flit that is on the channel, if it is transferred in this cycle.
  /// Returns: its virtual channel, or -1.
  /// Throws: ModelError when its buffer is full, or the virtual channel does not exist.
  // [accept]
  int accept(Cycle now) {
    const Flit flit = forward_.received();
    const int vc = flit.vc();
    if (ready_valid_ && !is_ready(vc)) return -1;
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
  /// The flit that arrived last.
  /// Needs: not empty(vc)
  Flit back(int vc) const { return slots(vc)[wrapped(queues_[vc].first + count(vc) - 1)].flit; }

  /// The flit that was removed last.
  /// Needs: empty(vc), and one was removed
  Flit last_removed(int vc) const {
    const int first = queues_[vc].first;
    return slots(vc)[first == 0 ? depth_ - 1 : first - 1].flit;
  }

  /// Removes the front flit and frees its slot; at most once per cycle.
  // [pop]
  Flit pop(int vc) {
    Queue& queue = queues_[vc];
    changed_ = true;
    const Flit flit = slots(vc)[queue.first].flit;
    if (ready_valid_)
      raise_ready(vc);
    else if (returns_credits_)
      back_.drive(static_cast<VcIndex>(vc));
    queue.first = wrapped(queue.first + 1);
    --queue.count;
    return flit;
  }
  // [pop]

  // Under acknowledge, where no flit is buffered along the path.

  /// The flit that is on the channel.
  Flit standing() const { return forward_.received(); }
  /// Replies to a probe.
  void answer(CircuitAnswer answer);

  // Under request, where a message arrives only after it was acknowledged.

  /// The module to be ticked for a request, and the bit that identifies the port.
  void set_request_slot(const InboxSlot& slot);
  /// Where wires are plain: whether a request is on them.
  bool requested() const;
  /// The class of buffer that is requested.
  int request() const;
  /// Acknowledges a request: a message for that class may be sent.
  void acknowledge(int buffer_class);

  /// Whether the owner has accepted or removed a flit, replied or acknowledged since the last call.
  bool take_changed() { return std::exchange(changed_, false); }

  /// Under per_module scheduling: ends the pulse of the credit, the reply or the acknowledgement.
  void end_tick();

 private:
  struct Queue {
    int first = 0;
    int count = 0;
    bool in_packet = false;  // the last flit that arrived was no tail; under ready_valid
  };
  struct Rest;

  bool is_ready(int vc) const;
  bool ready_for_more(const Queue& queue, int more) const;
  void lower_ready(Flit taken);
  void raise_ready(int vc);
  int wrapped(int slot) const { return slot >= depth_ ? slot - depth_ : slot; }
  Slot* slots(int vc) const { return slots_ + static_cast<std::ptrdiff_t>(vc) * depth_; }
  [[noreturn]] void overflow(Flit flit) const;

  Link<Flit>::Reader forward_;
  Link<VcIndex>::Writer back_;  // none under ready_valid
  Queue* queues_ = nullptr;     // Shape: [vcs]; of one virtual channel: &only_
  Slot* slots_ = nullptr;       // Shape: [vcs][depth]
  std::unique_ptr<Rest> rest_;  // data that few ticks need
  int depth_ = 0;
  std::uint8_t vcs_ = 0;
  bool ready_valid_ = false;
  bool returns_credits_ = false;
  bool changed_ = false;
  Queue only_;
};
static_assert(fits_in_line<InputPort>);

}  // namespace flitwave
