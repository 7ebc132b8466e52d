// testbenches/waves/router_watch.hpp: what the virtual channels of a router hold.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
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

  RouterWatch(Router& router, const PacketPool& packets);

  /// From now on `values` has the variables of `variables_of(router)`. Returns: their number.
  std::size_t show(const WaveRouter& router);
  const std::vector<std::uint64_t>& values() const { return values_; }
  /// The values that have changed since the last call of `forget_changes`.
  const std::vector<std::size_t>& changes() const { return changes_; }
  void forget_changes() { changes_.clear(); }
  /// Called when a value has changed.
  void listen_to_buffers(LinkListener& listener) { listener_ = &listener; }

 private:
  /// A virtual channel of an input.
  struct Buffer {
    int fill = 0;              // Unit: flit
    int variable = -1;         // its fill in `values_`, the front follows; negative: not shown
    Flit flit;                 // at the front, or removed last
    std::uint64_t packet = 0;  // `packet_value` of the packet of that flit
  };
  struct Input {
    PortId number;
    const InputPort* port;
    Buffer* buffers;           // Shape: [vcs]
    std::uint64_t heads = 0;   // virtual channels with a head at the front
    std::uint64_t claims = 0;  // those with a claim
  };
  struct Output {
    PortId number;
    const OutputPort* port;
    std::uint64_t all_vcs;
    int variable = -1;  // the owner of its first virtual channel in `values_`; negative: not shown
    bool held = false;  // a virtual channel was held in the last tick
    ChannelState state = ChannelState::idle;
  };

  void ticked() override;
  void read(Input& input);
  void read(Output& output);
  void read_holders(Output& output);
  void identify(Buffer& buffer, Flit flit);
  ChannelState state_of(const OutputPort& port, int vc, int holder) const;
  void read_waits(const Input& input);
  std::uint64_t packet_of(Flit flit) const;
  void change(int variable, std::uint64_t value) {
    if (variable < 0 || values_[static_cast<std::size_t>(variable)] == value) return;
    values_[static_cast<std::size_t>(variable)] = value;
    changes_.push_back(static_cast<std::size_t>(variable));
  }

  const Router& router_;
  const PacketPool& packets_;
  int vcs_ = 1;
  std::vector<Buffer> buffers_;   // Shape: [ports][vcs]
  std::vector<Input> inputs_;     // with a channel
  std::vector<Output> outputs_;   // with a channel
  std::vector<Input*> input_of_;  // Shape: [ports]; null: none
  std::vector<Output*> output_of_;
  std::vector<std::uint64_t> values_;
  std::vector<std::size_t> changes_;
  LinkListener* listener_ = nullptr;
};

}  // namespace flitwave
