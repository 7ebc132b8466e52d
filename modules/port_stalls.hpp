// modules/port_stalls.hpp: the stalls of heads in a router, derived from the state of its ports.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "modules/router.hpp"

namespace flitwave {

/// Observes a router that buffers flits at its ports, before and after each of its ticks, and
/// reports how long heads waited for a virtual channel, or for a free slot in the buffer of the
/// virtual channel that they held. It uses only the ports of the router and Router::report_waits.
///
/// A head waits in a cycle in which it stays at the front of its buffer, and before or after the
/// tick no virtual channel that it could claim was free, or the one that it holds had no free slot.
/// The length of the pipeline is not known: such cycles count even while a stage delays the head
/// anyway, and waits for the switch are not reported, since they cannot be distinguished from
/// stages. No blocker is reported where a head waits for a free slot.
class PortStalls {
 public:
  /// `router`, and all that `site` refers to, outlive it.
  PortStalls(const Router& router, const RouterSite& site);

  /// Called when the credits of the cycle are counted, and its flits are not accepted yet.
  /// `arrivals`: bit p is set if a flit is on the wires of input p.
  void before_tick(Cycle now, std::uint64_t arrivals);
  void after_tick(Cycle now);

 private:
  using Wait = std::optional<Stall::Cause>;

  /// One virtual channel of an input.
  struct Buffer {
    Flit packet;  // a flit of the packet at the front, or of the last packet that was
    bool any = false;
    // The head at the front.
    bool head = false;
    Cycle arrived = 0;
    Cycle from = 0;  // the first cycle in which it could have left
    Wait before;     // what it waited for before this tick
    Wait after;      // what it waits for after it
    Cycle vc_taken = 0;
    Cycle no_room = 0;
    PortId claimed;  // output of which it holds a virtual channel
    PortId wanted;   // output of the first virtual channel that it waited for
    NodeId blocker_source;
    std::int64_t blocker_number = -1;
  };

  int index_of(PortId port, int vc) const { return port.value() * vcs_ + vc; }
  Buffer& at(int index) { return buffers_[static_cast<std::size_t>(index)]; }
  template <class Visit>
  void for_each_buffer(Visit visit);
  void find_waits(Wait Buffer::*when);
  template <class MayClaim>
  void find_claims(MayClaim may_claim);
  Wait wait_of(const WaitPoint& point, Buffer& buffer);
  void name_blocker(Buffer& buffer, const Buffer& holder) const;
  static void add(Buffer& buffer, const Wait& wait, Cycle cycles);
  void arrive(int port, Cycle now);
  void follow(Buffer& buffer, const InputPort& unit, int vc, Cycle now);
  void report(const Buffer& buffer) const;

  const Router& router_;
  const PacketPool& packets_;
  PassageListener& listener_;
  int vcs_;
  std::vector<Buffer> buffers_;    // Shape: [ports][vcs]
  std::vector<WaitPoint> points_;  // scratch
  Cycle last_ = -1;                // the last tick
};

}  // namespace flitwave
