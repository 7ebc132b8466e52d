// routers/input_queued/closed_form.cpp: see closed_form.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/input_queued/closed_form.hpp"

#include <algorithm>
#include <numeric>

namespace flitwave {

Cycle ClosedForm::round_trip() const {
  if (channel_.handshake == Handshake::ready_valid) return timing_.passage + 1;
  return timing_.traversal + channel_.latency.count + timing_.passage + channel_.latency.count +
         channel_.credit_delay.count;
}

Cycle ClosedForm::flit_gap() const { return timing_.clocked ? timing_.passage + 1 : 1; }

Cycle ClosedForm::packet_gap() const {
  const Cycle decided = timing_.route + timing_.vc;
  if (timing_.clocked) return decided + timing_.passage + 1;
  return std::max<Cycle>(decided, 1) + timing_.passage;
}

double ClosedForm::vc_packet_rate(std::int64_t flits) const {
  const auto length = static_cast<double>(flits);
  const Cycle setup = timing_.route + timing_.vc;  // of a head, in addition to that of other flits
  const double own = length / static_cast<double>((flits - 1) * flit_gap() + packet_gap());
  const double loop = static_cast<double>(channel_.buffer.count) /
                      (static_cast<double>(round_trip()) +
                       static_cast<double>(setup) *
                           static_cast<double>(std::gcd(channel_.buffer.count, flits)) / length);
  return std::min(own, loop);
}

double ClosedForm::vc_rate() const {
  if (switching_ == Switching::circuit) return 1.0 / channel_.vcs;
  if (switching_ != Switching::wormhole) return 1;
  return std::min(1.0,
                  static_cast<double>(channel_.buffer.count) / static_cast<double>(round_trip()));
}

double ClosedForm::channel_rate() const { return std::min(1.0, channel_.vcs * vc_rate()); }

/// From the hand-over to the last flit: the probe, the acknowledgement, and the other flits. The
/// waits of a probe in a router end in its time slot, and so does the time from the probe to the
/// acknowledgement.
Cycle ClosedForm::circuit_latency(int hops, std::int64_t flits) const {
  constexpr Cycle hand_over = 1;
  constexpr Cycle ends = 2;  // injection and ejection channels
  const Cycle routers = hops + 1;
  const Cycle slots = channel_.vcs;
  const auto to_slot = [slots](Cycle cycles) { return (cycles + slots - 1) / slots * slots; };
  const Cycle wires = ends + hops * channel_.latency.count;
  const Cycle crossing = wires + routers * timing_.traversal;
  const Cycle decided = timing_.route + timing_.vc + timing_.passage;
  const Cycle answered = crossing + routers * to_slot(decided) + wires;
  return hand_over + to_slot(answered) + crossing + (flits - 2) * slots;
}

Cycle ClosedForm::packet_latency(int hops, std::int64_t flits) const {
  if (switching_ == Switching::circuit) return circuit_latency(hops, flits);
  constexpr Cycle hand_over = 1;
  constexpr Cycle injection = 1;
  constexpr Cycle ejection = 1;
  const Cycle routers = hops + 1;
  const Cycle head =
      hand_over + injection + routers * timing_.head() + hops * channel_.latency.count + ejection;
  if (switching_ == Switching::virtual_cut_through) return head + (flits - 1);
  if (switching_ == Switching::store_and_forward) return head + (routers + 1) * (flits - 1);
  const Cycle missing = std::max<Cycle>(0, round_trip() - channel_.buffer.count);
  return head + (flits - 1) + (flits - 1) / channel_.buffer.count * missing;
}

}  // namespace flitwave
