// testbenches/waves/router_watch.hpp: what the virtual channels of a router hold.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "modules/packet/packet_pool.hpp"
#include "modules/router.hpp"
#include "testbenches/waves/sender_watch.hpp"

namespace flitwave {

/// Of a router that buffers flits at its ports: beside the states of its outputs, how full its
/// buffers are, the packets at their fronts, and those that hold the virtual channels of outputs.
class RouterWatch final : public SenderWatch {
 public:
  /// A virtual channel of an input.
  struct Buffer {
    int fill = 0;             ///< Unit: flit
    std::uint64_t front = 0;  ///< `packet_value` of the packet at the front; 0: none.
    /// That of the packet whose flits it holds, or has held last.
    std::uint64_t resident = 0;
    Flit flit;  ///< At the front, or removed last.
  };

  /// Whether the flits of the router are in the buffers of its ports.
  static bool serves(const Router& router);

  RouterWatch(Router& router, const PacketPool& packets);

  const Buffer& buffer(PortId input, int vc) const { return buffers_[place(input, vc)]; }
  /// `packet_value` of the packet that holds a virtual channel of an output; 0: none.
  std::uint64_t owner(PortId output, int vc) const { return owners_[place(output, vc)]; }
  /// Called when a buffer or an owner has changed.
  void listen_to_buffers(LinkListener& listener) { listener_ = &listener; }

 private:
  void ticked() override;
  bool read_buffers();
  bool read_outputs();
  void read_waits();
  ChannelState state_of(const OutputPort& port, int vc, int holder) const;
  std::uint64_t packet_of(Flit flit) const;
  std::size_t place(PortId port, int vc) const {
    return port.index() * static_cast<std::size_t>(vcs_) + static_cast<std::size_t>(vc);
  }

  const Router& router_;
  const PacketPool& packets_;
  int vcs_ = 1;
  std::vector<PortId> inputs_;
  std::vector<PortId> outputs_;
  std::vector<Buffer> buffers_;        // Shape: [ports][vcs]
  std::vector<std::uint64_t> owners_;  // as buffers_
  std::vector<ChannelState> states_;   // scratch. Shape: [ports]
  std::vector<std::uint64_t> claims_;  // scratch, per input: the virtual channels with claims
  LinkListener* listener_ = nullptr;
};

}  // namespace flitwave
