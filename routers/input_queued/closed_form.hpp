// routers/input_queued/closed_form.hpp: what a pipeline, a buffer and a channel make of latency and
// rate.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "modules/channel/channel.hpp"
#include "modules/router.hpp"

namespace flitwave {

/// Closed forms of a network whose routers share one pipeline and whose channels are alike.
class ClosedForm {
 public:
  ClosedForm(const PipelineTiming& timing, const ChannelParams& channel,
             Switching switching = Switching::wormhole)
      : timing_(timing), channel_(channel), switching_(switching) {}

  /// Cycles from the use of a buffer slot to its next use, at full speed.
  ///
  /// Credit: the flit crosses the switch and the channel, waits its turn, and its credit crosses
  /// the channel back. Ready_valid: the flit waits its turn, and the wire that says so is
  /// registered; registers on a longer channel hold flits of their own.
  Cycle round_trip() const;

  /// Flits per cycle that one virtual channel, and a channel with all of them, can carry within a
  /// packet. A packet that has room as a whole never waits for a slot.
  double vc_rate() const;
  double channel_rate() const;

  /// From one flit of a packet leaving a buffer to the next one, and from a tail to the head behind
  /// it: in a row, and nothing else in the way.
  Cycle flit_gap() const;
  Cycle packet_gap() const;

  /// Flits per cycle that one virtual channel of many equal routers in a row carries, in packets of
  /// `flits` one behind the other, under wormhole switching and credits: what a buffer gives away
  /// by itself, or what comes back of its credits. A slot that holds a head does so in
  /// gcd(buffer, flits) / flits of its turns.
  /// With speculation and a switch stage of several cycles it is an upper bound: heads that ask
  /// without hope keep the stage busy, and flits may just miss it.
  /// Range: `flits` is 1, or divides the buffer's depth
  double vc_packet_rate(std::int64_t flits) const;

  /// Cycles from handing a packet to an idle network's interface to its last flit's ejection.
  ///
  /// `hops`: network channels crossed. `flits`: length of the packet. The first term is the way
  /// of the head through hops + 1 routers, `flits` - 1 the serialisation, and the last the wait
  /// for slots when the buffer is smaller than the round trip: once per buffer's worth of flits,
  /// in the slowest channel only, for the others see the same gaps. Under store_and_forward each
  /// router waits for the whole packet.
  /// A circuit's probe crosses the network, the answer comes back, and the rest follows, a flit in
  /// each cycle of its time slot.
  /// Range: hops >= 1; of circuits, flits >= 2
  Cycle packet_latency(int hops, std::int64_t flits) const;

 private:
  Cycle circuit_latency(int hops, std::int64_t flits) const;

  PipelineTiming timing_;
  ChannelParams channel_;
  Switching switching_;
};

}  // namespace flitwave
