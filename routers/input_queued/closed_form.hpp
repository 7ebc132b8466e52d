// routers/input_queued/closed_form.hpp: latency and rate in terms of pipeline, buffer and channel.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "modules/channel/channel.hpp"
#include "modules/router.hpp"

namespace flitwave {

/// Closed forms of a network whose routers have the same pipeline and whose channels are equal.
class ClosedForm {
 public:
  ClosedForm(const PipelineTiming& timing, const ChannelParams& channel,
             Switching switching = Switching::wormhole)
      : timing_(timing), channel_(channel), switching_(switching) {}

  /// Cycles from the use of a buffer slot to its next use, at full speed.
  ///
  /// Credit: the flit crosses the switch and the channel, waits in the buffer, and its credit
  /// crosses the channel back. Ready_valid: the flit waits in the buffer, and the ready wire is
  /// registered; the registers of a longer channel also hold flits.
  Cycle round_trip() const;

  /// Flits per cycle that one virtual channel, and a channel with all of them, can carry within a
  /// packet. A packet with space for all its flits never waits for a slot.
  double vc_rate() const;
  double channel_rate() const;

  /// The least time from the departure of a flit from a buffer to that of the next flit of its
  /// packet, and from the departure of a tail to that of the next head.
  Cycle flit_gap() const;
  Cycle packet_gap() const;

  /// Flits per cycle that one virtual channel of many equal routers in a row carries, in
  /// consecutive packets of `flits`, under wormhole switching and credits: the lesser of the rate
  /// at which a buffer can send and the rate at which its credits return. A slot that holds heads
  /// does so in a share gcd(buffer, flits) / flits of its uses. With speculation and a switch stage
  /// of several cycles the result is an upper bound: speculative requests that cannot be used keep
  /// the stage busy, and flits may have to wait until it is idle.
  /// Range: `flits` is 1, or divides the buffer's depth
  double vc_packet_rate(std::int64_t flits) const;

  /// Cycles from the hand-over of a packet to the interface of an idle network until its last flit
  /// is ejected.
  ///
  /// `hops`: network channels crossed. `flits`: length of the packet. The first term is the path of
  /// the head through hops + 1 routers, `flits` - 1 the serialisation, and the last the wait for
  /// slots when the buffer is smaller than the round trip: once for each number of flits that fills
  /// the buffer, and in the slowest channel only, since the gaps propagate to the others. Under
  /// store_and_forward each router waits for the whole packet.
  /// The probe of a circuit crosses the network, the acknowledgement returns, and the other flits
  /// follow, one in each cycle of the time slot.
  /// Range: hops >= 1; of circuits, flits >= 2
  Cycle packet_latency(int hops, std::int64_t flits) const;

 private:
  Cycle circuit_latency(int hops, std::int64_t flits) const;

  PipelineTiming timing_;
  ChannelParams channel_;
  Switching switching_;
};

}  // namespace flitwave
