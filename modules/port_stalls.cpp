// modules/port_stalls.cpp: see port_stalls.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/port_stalls.hpp"

#include "modules/signals/bits.hpp"

namespace flitwave {

PortStalls::PortStalls(const Router& router, const RouterSite& site)
    : router_(router),
      packets_(site.packets),
      listener_(*site.listener),
      vcs_(site.channel().vcs),
      buffers_(static_cast<std::size_t>(site.ports() * vcs_)) {}

/// Calls `visit(buffer, unit, virtual channel)`.
template <class Visit>
void PortStalls::for_each_buffer(Visit visit) {
  for (int port = 0; port < router_.ports(); ++port) {
    const InputPort* input = router_.input(PortId(port));
    if (!input) continue;
    for (int vc = 0; vc < input->vcs(); ++vc) visit(at(index_of(PortId(port), vc)), *input, vc);
  }
}

void PortStalls::before_tick(Cycle now, std::uint64_t arrivals) {
  // The state of the ports is unchanged in cycles without a tick.
  for (Buffer& buffer : buffers_)
    if (buffer.head) add(buffer, buffer.after, now - 1 - last_);
  find_waits(&Buffer::before);
  for_each_bit(arrivals, [this, now](int port) { arrive(port, now); });
}

/// Handles a flit that arrives at an empty buffer, and so at its front.
void PortStalls::arrive(int port, Cycle now) {
  const InputPort& unit = *router_.input(PortId(port));
  const Flit flit = unit.standing();
  if (flit.vc() >= unit.vcs() || !unit.empty(flit.vc())) return;
  Buffer& buffer = at(index_of(PortId(port), flit.vc()));
  buffer = {};
  buffer.packet = flit;
  buffer.any = true;
  if (!flit.head()) return;
  buffer.head = true;
  buffer.arrived = buffer.from = now;
  if (!packets_.copies(flit).empty()) return;  // each copy has its own route
  WaitPoint point;
  point.front = flit;
  router_.add_candidates(port, flit.vc(), point);
  buffer.before = wait_of(point, buffer);
}

void PortStalls::after_tick(Cycle now) {
  // A packet whose tail has been sent holds nothing: the claims of its buffer belong to the next
  // one.
  find_claims([](const Buffer& buffer) { return !buffer.packet.tail(); });
  for_each_buffer([&](Buffer& buffer, const InputPort& unit, int vc) {
    if (buffer.head || !unit.empty(vc)) follow(buffer, unit, vc, now);
  });
  find_claims([](const Buffer&) { return true; });
  find_waits(&Buffer::after);
  for (Buffer& buffer : buffers_)
    if (buffer.head && buffer.from <= now)
      add(buffer, buffer.before ? buffer.before : buffer.after, 1);
  last_ = now;
}

/// Reports the head that was at the front of a buffer if it has left, and notes the flit that is
/// there now.
void PortStalls::follow(Buffer& buffer, const InputPort& unit, int vc, Cycle now) {
  const InputPort::Slot* front = unit.empty(vc) ? nullptr : &unit.front(vc);
  if (buffer.head && front && front->flit == buffer.packet && front->arrived == buffer.arrived)
    return;
  if (buffer.head) report(buffer);
  const Flit last = buffer.packet;
  buffer = {};
  buffer.any = true;
  buffer.packet = front ? front->flit : last;
  if (!front || !front->flit.head()) return;
  buffer.head = true;
  buffer.arrived = front->arrived;
  buffer.from = now + 1;
}

/// Determines the waits of the heads at the front of their buffers.
void PortStalls::find_waits(Wait Buffer::*when) {
  points_.clear();
  for (Buffer& buffer : buffers_) buffer.*when = {};
  router_.report_waits(points_);
  for (const WaitPoint& point : points_) {
    Buffer& buffer = at(index_of(point.input, point.vc));
    if (buffer.head && buffer.packet == point.front) buffer.*when = wait_of(point, buffer);
  }
}

/// Determines the claims of heads with `may_claim(buffer)`.
template <class MayClaim>
void PortStalls::find_claims(MayClaim may_claim) {
  for (int port = 0; port < router_.ports(); ++port) {
    const OutputPort* output = router_.output(PortId(port));
    if (!output) continue;
    for (int vc = 0; vc < output->vcs(); ++vc) {
      const int holder = output->holder(vc);
      if (holder < 0 || holder >= static_cast<int>(buffers_.size())) continue;
      Buffer& buffer = at(holder);
      if (buffer.head && !buffer.claimed.valid() && may_claim(buffer))
        buffer.claimed = PortId(port);
    }
  }
}

PortStalls::Wait PortStalls::wait_of(const WaitPoint& point, Buffer& buffer) {
  if (point.movable || point.waits_for.empty()) return {};
  const WaitPoint::Alternative& first = point.waits_for.front();
  if (!first.downstream) {
    if (!buffer.wanted.valid()) buffer.wanted = first.output;
    name_blocker(buffer, at(index_of(first.port, first.vc)));
    return Stall::Cause::vc_taken;
  }
  if (!buffer.wanted.valid()) buffer.wanted = first.port;
  const OutputPort& unit = *router_.output(first.port);
  const bool drains = unit.holder(first.vc) < 0 && (unit.free_vcs() & word_bit(first.vc)) == 0;
  return drains ? Stall::Cause::vc_taken : Stall::Cause::no_room;
}

void PortStalls::name_blocker(Buffer& buffer, const Buffer& holder) const {
  if (buffer.blocker_number >= 0 || !holder.any) return;
  const Packet& packet = packets_.packet(holder.packet);
  buffer.blocker_source = packet.header.source;
  buffer.blocker_number = packet.number;
}

void PortStalls::add(Buffer& buffer, const Wait& wait, Cycle cycles) {
  if (wait) (*wait == Stall::Cause::vc_taken ? buffer.vc_taken : buffer.no_room) += cycles;
}

void PortStalls::report(const Buffer& buffer) const {
  const PortId output = buffer.claimed.valid() ? buffer.claimed : buffer.wanted;
  if (!output.valid()) return;
  if (buffer.no_room > 0)
    listener_.on_stall(
        {router_.node(), buffer.packet, output, Stall::Cause::no_room, buffer.no_room, {}, -1});
  if (buffer.vc_taken > 0)
    listener_.on_stall({router_.node(), buffer.packet, output, Stall::Cause::vc_taken,
                        buffer.vc_taken, buffer.blocker_source, buffer.blocker_number});
}

}  // namespace flitwave
