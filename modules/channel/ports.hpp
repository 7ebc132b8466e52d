// modules/channel/ports.hpp: the ports of a module, and what its ticks read from and put on their
// wires.
// channel -> [input_port -> module -> output_port] -> channel
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "modules/channel/input_port.hpp"
#include "modules/channel/output_port.hpp"
#include "modules/clock/clocked.hpp"
#include "modules/signals/bits.hpp"

namespace flitwave {

/// A base of clocked modules that have channels: the module's ports, in the order of their numbers,
/// and the work for all of them before and after each tick.
class Ports : private CacheLine {
 public:
  /// The channels of one direction, and the names of the ports. Where a channel is null there is no
  /// port.
  struct Row {
    const std::vector<Channel*>& channels;
    std::function<std::string(int port)> name;

    int size() const { return static_cast<int>(channels.size()); }
  };

  Ports(const Ports&) = delete;
  Ports& operator=(const Ports&) = delete;

  /// Null where there is no channel.
  const InputPort* input(PortId port) const {
    const InputPort& found = input_ports_[port.value()];
    return found.is_attached() ? &found : nullptr;
  }
  const OutputPort* output(PortId port) const {
    const OutputPort& found = output_ports_[port.value()];
    return found.is_attached() ? &found : nullptr;
  }

 protected:
  /// `module`: Clocked::module_index of the owner. `traversal`: cycles from leaving a buffer to the
  /// wires. `ticks`: false where the owner's tick does not read the wires.
  Ports(ClockDomain& domain, int module, const Row& inputs, const Row& outputs, int traversal,
        VcReallocation reallocation, bool ticks = true);
  ~Ports();

  InputPort& in_port(int port) { return input_ports_[port]; }
  OutputPort& out_port(int port) { return output_ports_[port]; }
  const InputPort& in_port(int port) const { return input_ports_[port]; }
  const OutputPort& out_port(int port) const { return output_ports_[port]; }

  /// Virtual channels of every channel; 1 if there is none.
  int vcs() const { return vcs_; }
  Handshake handshake() const { return handshake_; }
  /// The first data that a tick reads: see Clocked::prefetch_hint.
  const void* hot() const { return &commits_; }

  /// Reads the wires into `arrivals_`, `returns_` and `requested_`, counts credits and removes
  /// offers that were taken. Returns: whether the next cycle must be ticked.
  bool begin_tick(Cycle now) {
    if (commits_.plain) {
      read_wires();
    } else {
      arrivals_ = flits_in_.take(commits_);
      returns_ = backs_in_.take(commits_);
      if (requests_in_) requested_ = requests_in_->take(commits_);
    }
    if (handshake_ == Handshake::ready_valid) return remove_taken(now);
    return (returns_ | late_outputs_) != 0 && count_credits(now);
  }
  /// Puts the flits that have crossed the switch on the wires. Returns: whether the next cycle must
  /// be ticked.
  bool end_tick(Cycle now) {
    for_each_bit(busy_outputs_, [this, now](int port) {
      if (!out_port(port).drive(now)) busy_outputs_ &= ~word_bit(port);
    });
    return busy_outputs_ != 0;
  }
  /// Returns: whether the tick has changed a port. Adds the outputs that have flits to put on the
  /// wires in `end_tick` to `busy_outputs_`.
  bool take_changes();
  /// Under per_module scheduling: ends the pulses of a tick.
  void end_port_pulses();

  /// Flits in the buffers of inputs, and between a buffer and the wires.
  int flits_in_ports() const;
  /// Whether there is no such flit and all credits have returned.
  bool ports_at_rest() const;

 private:
  void note(const ChannelParams& params);
  void read_wires();
  bool remove_taken(Cycle now) {
    bool taken = false;
    for_each_bit(busy_outputs_, [&](int port) {
      if (out_port(port).complete_offer(now)) taken = true;
    });
    return taken;
  }
  bool count_credits(Cycle now);

  // Data of every tick; they begin a line of the cache, and the data of the owner's tick follow.
 protected:
  const CommitQueue& commits_;

 private:
  InputPort* input_ports_;    // Shape: [ports]; unattached where there is no channel
  OutputPort* output_ports_;  // Shape: [ports]
  Inbox flits_in_;
  Inbox backs_in_;
  std::uint64_t late_outputs_ = 0;      // with credits that are counted later
  std::unique_ptr<Inbox> requests_in_;  // null unless there are requests
  int vcs_ = 1;
  Handshake handshake_ = Handshake::credit;
  int count_;
  bool credits_come_late_ = false;

 protected:
  std::uint64_t arrivals_ = 0;  ///< Bit p: a valid flit is at input p.
  std::uint64_t returns_ = 0;   ///< Bit p: a reply or an acknowledgement is at output p.
  /// Bit p: at output p flits cross the switch, or are offered.
  std::uint64_t busy_outputs_ = 0;
  std::uint64_t requested_ = 0;  ///< Bit p: a request is at input p.
};

}  // namespace flitwave
