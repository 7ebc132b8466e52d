// testbenches/waves/router_watch.hpp: what the virtual channels of a router hold.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "modules/packet/packet_pool.hpp"
#include "modules/router.hpp"
#include "testbenches/waves/sender_watch.hpp"
#include "testbenches/waves/wave_plan.hpp"

namespace flitwave {

/// Of a router that buffers flits at its ports: beside the states of its outputs, how full its
/// buffers are, the packets at their fronts, and those that hold the virtual channels of outputs.
class RouterWatch final : public SenderWatch {
 public:
  /// Whether the flits of the router are in the buffers of its ports.
  static bool serves(const Router& router);

  /// `times_heads`: whether `head_blocked_since` is known.
  RouterWatch(Router& router, const PacketPool& packets, bool times_heads);

  /// From now on `values` has the variables of `variables_of(router)`. Returns: their number.
  std::size_t show(const WaveRouter& router);
  const std::vector<std::uint64_t>& values() const { return values_; }
  /// Whether any value has changed since the last call of `take_changes`.
  bool has_changes() const { return has_changes_; }
  /// Calls `take(i, bits)` where any of the values 64 * i, 64 * i + 1, ... have changed, which are
  /// the bits.
  template <class Take>
  void take_changes(Take take) {
    has_changes_ = false;
    for (std::size_t i = 0; i < changes_.size(); ++i)
      if (changes_[i] != 0) take(i, std::exchange(changes_[i], 0));
  }
  /// The mark is set when a value changes.
  void set_mark_of_values(ChangeMark mark) { mark_ = mark; }

 private:
  /// A virtual channel of an input.
  struct Buffer {
    int fill = 0;              // Unit: flit
    int variable = -1;         // its fill in `values_`, the front follows; negative: not shown
    Flit flit;                 // at the front, or removed last
    std::uint64_t packet = 0;  // `packet_value` of the packet of that flit
    bool holds = false;        // with a head at the front: it holds a virtual channel of an output
    bool is_new = false;       // the flit at the front was not there before the last tick
    bool follows = false;      // and could not leave in it, since another one was before it
    std::uint64_t blocking = 0;  // with a head at the front: outputs on which it is blocked
  };
  struct Input {
    PortId number;
    const InputPort* port;
    Buffer* buffers;          // Shape: [vcs]
    bool is_empty = true;     // in the last tick
    std::uint64_t heads = 0;  // virtual channels with a head at the front
  };
  struct Output {
    PortId number;
    const OutputPort* port;
    std::uint64_t all_vcs;
    int variable = -1;  // the owner of its first virtual channel in `values_`; negative: not shown
    bool held = false;  // a virtual channel was held in the last tick
    ChannelState state = ChannelState::idle;
    ChannelState shown = ChannelState::idle;
  };

  void ticked() override;
  bool is_empty(const InputPort& port) const;
  void read(Input& input);
  void read(Output& output);
  std::uint64_t read_holder(int vc, Output& output);
  void identify(Buffer& buffer, Flit flit);
  ChannelState state_of(const OutputPort& port, int vc, int holder) const;
  void read_waits(const Input& input);
  void read_further_waits(const Input& input, int vc);
  void time_heads();
  void time_head(const Input& input, int vc);
  std::uint64_t packet_of(Flit flit) const;
  std::int64_t* times_of(const Input& input, int vc) {
    return &blocked_since_[static_cast<std::size_t>((input.number.value() * vcs_ + vc) *
                                                    router_.ports())];
  }
  void change(int variable, std::uint64_t value) {
    if (variable < 0 || values_[static_cast<std::size_t>(variable)] == value) return;
    values_[static_cast<std::size_t>(variable)] = value;
    changes_[static_cast<std::size_t>(variable) / 64] |= word_bit(variable % 64);
    has_changes_ = true;
  }

  const Router& router_;
  const PacketPool& packets_;
  bool times_heads_;
  int vcs_ = 1;
  std::vector<Buffer> buffers_;  // Shape: [ports][vcs], by the numbers of holders
  /// With heads that are timed: since when the head at the front of a buffer waits for an output;
  /// negative: it does not. Shape: [ports][vcs][ports]. Unit: ps
  std::vector<std::int64_t> blocked_since_;
  std::vector<Input> inputs_;     // with a channel
  std::vector<Output> outputs_;   // with a channel
  std::vector<Input*> input_of_;  // Shape: [ports]; null: none
  std::vector<Output*> output_of_;
  std::vector<std::uint64_t> values_;
  std::vector<std::uint64_t> changes_;  // a bit per value
  bool has_changes_ = false;
  ChangeMark mark_;
};

}  // namespace flitwave
