// testbenches/waves/sender_watch.hpp: why the channels that leave a module carry nothing.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <systemc>

#include "modules/interface/network_interface.hpp"
#include "modules/signals/link.hpp"
#include "testbenches/waves/channel_state.hpp"

namespace flitwave {

/// Observes a module after each of its ticks: the states of its output channels, as far as they do
/// not depend on the wires.
///
/// Timing: `state` is that of the last tick, before the credits that return in the same cycle are
///   counted, and so equal under every scheduling.
/// Needs: the simulation has not started; the module outlives it.
class SenderWatch : public TickListener {
 public:
  SenderWatch(const SenderWatch&) = delete;
  SenderWatch& operator=(const SenderWatch&) = delete;
  virtual ~SenderWatch() { stop(); }

  /// Any but `moving`.
  ChannelState state(PortId output) const { return states_[output.index()]; }
  /// Since when a head has been blocked that waits for the output, of several the longest;
  /// negative: none, or not known. Unit: ps
  std::int64_t head_blocked_since(PortId output) const { return heads_[output.index()]; }
  /// The mark is set when a value of the output changes.
  void set_mark(PortId output, ChangeMark mark) { marks_[output.index()] = mark; }
  /// Notified, for the next delta cycle, when any value has changed; per_module only.
  const sc_core::sc_event& changed() const { return changed_; }
  /// Ends the observation.
  void stop();

 protected:
  SenderWatch(Clocked& module, int outputs);

  void set(int output, ChannelState state) {
    ChannelState& current = states_[static_cast<std::size_t>(output)];
    if (current == state) return;
    current = state;
    report(output);
  }
  void set_head_blocked_since(int output, std::int64_t time) {
    std::int64_t& current = heads_[static_cast<std::size_t>(output)];
    if (current == time) return;
    current = time;
    report(output);
  }
  void notify() {
    if (is_plain_) changed_.notify(sc_core::SC_ZERO_TIME);
  }

 private:
  void report(int output) {
    marks_[static_cast<std::size_t>(output)].set();
    notify();
  }

  Clocked& module_;
  bool is_plain_;
  bool stopped_ = false;
  std::vector<ChannelState> states_;  // Shape: [outputs]
  std::vector<std::int64_t> heads_;   // as states_
  std::vector<ChangeMark> marks_;     // as states_
  sc_core::sc_event changed_;
};

/// Of the injection channels of an interface.
class InterfaceWatch final : public SenderWatch {
 public:
  explicit InterfaceWatch(NetworkInterface& interface)
      : SenderWatch(interface, interface.ports()), interface_(interface) {}

 private:
  void ticked() override;

  const NetworkInterface& interface_;
};

}  // namespace flitwave
