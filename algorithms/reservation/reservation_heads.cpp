// algorithms/reservation/reservation_heads.cpp: when heads and last flits of worms depart.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "algorithms/reservation/reservations.hpp"

namespace flitwave {

using Step = WormEvent::Step;

/// The head departs on its newest channel as soon as there is space for it.
void Reservations::start_head(int worm) {
  Worm& own = worms_[index(worm)];
  const Place place = newest(worm);
  Hop& hop = own.hops.back();
  const ReservedChannel& channel = channel_of(hop);
  if (with_path()) {
    hop.head = now_ + (channel.last ? std::max<Cycle>(0, own.hold) : 0);
    hop.tail = hop.head + own.length - 1;
    driver_.crosses(worm);
    return follow_path(worm);
  }
  Cycle head = now_;
  Cycle gap = 1;
  if (place.hop > 0) {
    const ChannelTimes& before = channel_of(own.hops[index(place.hop - 1)]).times;
    head += before.passage;
    gap = before.gap;
  }
  if (hop.before > 0) {
    const Cycle space = space_time(place, channel.whole ? own.length - 1 : 0);
    if (space >= never) return;
    // A whole packet passes the stages when there is room for it; other heads wait after them.
    head = channel.whole ? head + std::max<Cycle>(0, space - now_) : std::max(head, space);
  }
  hop.head = head;
  const Cycle alone = head + (own.length - 1) * gap;
  hop.base = alone;
  const std::size_t delayed = delayed_.size();
  if (shared_) {  // the flits behind the head of a held path are planned when they may depart
    plan(hop, place.hop > 0 ? &own.hops[index(place.hop - 1)] : nullptr,
         own.body == 0 ? own.length : 1);
    own.slowed = std::max({Cycle{0}, own.slowed - own.waited, hop.base - alone});
  }
  if (place.hop == 0) driver_.crosses(worm);
  update_tail(place);
  update_delayed(delayed);
  if (shared_) hold_back(place, head, alone);
  if (own.length > channel.buffer) follow_head(place);
  follow_path(worm);
}

/// What follows for the buffers that a long worm fills when its head departs on one more channel.
/// As long as the path goes on, the last flit's time becomes known on one channel: that from which
/// the worm just fills all buffers up to the head. Where the path ends, it becomes known on all
/// channels from there on.
void Reservations::follow_head(const Place& place) {
  const std::int64_t length = worms_[index(place.worm)].length;
  const ReservedChannel& channel = channel_of(at(place));
  const auto full =
      static_cast<int>(std::max<std::int64_t>(-1, place.hop - (length - 1) / channel.buffer));
  const int end = channel.last ? place.hop : std::min(place.hop, full + 1);
  for (int hop = std::max(0, full - 1); hop < end; ++hop) {
    if (hop >= full) update_tail({place.worm, hop});
    const Place behind = at({place.worm, hop}).behind;
    if (behind.worm >= 0 && !goes_on(behind) && at(behind).head == never) start_head(behind.worm);
  }
}

/// What follows when the departure of a head is known.
void Reservations::follow_path(int worm) {
  const Place place = newest(worm);
  const ReservedChannel& channel = channel_of(at(place));
  if (!channel.last) {
    if (!with_path()) return await_front(worm);
    return foresee(at(place).head + channel.times.crossing, Step::request, place);
  }
  open(worm);
  foresee(at(place).tail + channel.times.crossing, Step::finish, place);
}

/// The head of a held path has arrived.
void Reservations::open(int worm) {
  Worm& own = worms_[index(worm)];
  if (own.body != never) return;
  const Hop& last = own.hops.back();
  own.body = last.head + channel_of(last).times.crossing + 1 + own.hold;
  const std::size_t delayed = delayed_.size();
  plan_body(worm);
  update_tail({worm, 0});
  update_delayed(delayed);
}

/// The head requests its next channel once it is at the front of the buffer behind its newest one.
void Reservations::await_front(int worm) {
  const Cycle front = front_time(newest(worm));
  Hop& hop = worms_[index(worm)].hops.back();
  hop.waits = front >= never;
  if (!hop.waits) foresee(front, Step::request, newest(worm));
}

Cycle Reservations::front_time(const Place& place) const {
  const Hop& hop = hop_of(place.worm, place.hop);
  const ReservedChannel& channel = channel_of(hop);
  const ChannelTimes& times = channel.times;
  const Cycle front = (channel.stores ? hop.tail : hop.head) + times.crossing + times.decision;
  if (hop.before == 0) return front;
  const Cycle exit = hop.ahead.worm >= 0 ? exit_time(hop.ahead) : hop.before;
  return std::max(front, exit + std::max<Cycle>(1, times.decision));
}

/// Whether a head whose request is due must wait longer than foreseen.
bool Reservations::is_held_up(int worm) const {
  if (with_path() || worms_[index(worm)].hops.empty()) return false;
  const Hop& hop = worms_[index(worm)].hops.back();
  if (hop.ahead.worm < 0 && !channel_of(hop).stores) return false;
  return front_time(newest(worm)) > now_;
}

/// When a worm leaves the buffer behind a channel but for its last `but` flits.
Cycle Reservations::exit_time(const Place& place, std::int64_t but) const {
  const Worm& own = worms_[index(place.worm)];
  const Hop& hop = own.hops[index(place.hop)];
  const ReservedChannel& channel = channel_of(hop);
  if (channel.last) return std::min(never, hop.tail - but + channel.times.crossing);
  if (!goes_on(place)) return never;
  const Place next = next_of(place);
  const Hop& after = hop_of(next.worm, next.hop);
  if (but == 0) return after.tail;
  if (own.length <= channel.buffer) return flit_time(next, own.length - 1 - but);
  if (after.head >= never) return never;
  return std::max(after.head + own.length - 1 - but, own_space_time(next, own.length - 1 - but));
}

/// From when on the worms ahead of a worm have left as many slots as one of its flits needs behind
/// a channel; 0: long since. Range: `flit` less than the buffer
Cycle Reservations::left_time(const Hop& behind, std::int64_t flit) const {
  const Hop* hop = &behind;
  std::int64_t space = channel_of(behind).buffer - 1 - flit;
  for (; hop->before > 0; hop = &hop_of(hop->ahead.worm, hop->ahead.hop)) {
    if (space < hop->length_before) {
      if (hop->ahead.worm >= 0) return exit_time(hop->ahead, space);
      const Cycle dense = hop->before - space;
      const Place ahead = ahead_of(*hop);
      if (ahead.worm < 0 || !goes_on(ahead)) return dense;
      return std::min(dense, flit_time(next_of(ahead), hop->length_before - 1 - space));
    }
    space -= hop->length_before;
    if (hop->ahead.worm < 0) break;
  }
  return 0;
}

/// From when on the worms ahead of a worm leave space for one of its flits behind a channel: their
/// credits have returned. Range: `flit` less than the buffer
Cycle Reservations::space_time(const Place& place, std::int64_t flit) const {
  const Hop& hop = hop_of(place.worm, place.hop);
  const Cycle left = left_time(hop, flit);
  return left == 0 ? 0 : std::min(never, left + channel_of(hop).times.credit);
}

/// For how long the flits of a worm wait for credits each time that they have filled a buffer: it
/// is smaller than what departs within a credit's round trip.
Cycle Reservations::stall_of(const Hop& hop) const {
  if (!stalls_) return 0;
  const ReservedChannel& channel = channel_of(hop);
  return std::max<Cycle>(0, channel.times.round_trip(channel.last) - channel.buffer);
}

/// From when on the flits ahead in a worm that is longer than the buffer leave space for one of its
/// flits. Flit k waits for flit k - B in the next buffer, that one for flit k - 2 B in the buffer
/// after it, and so on, B being the size of a buffer: a blocked worm fills the buffers behind its
/// head.
Cycle Reservations::own_space_time(const Place& place, std::int64_t flit) const {
  const Worm& own = worms_[index(place.worm)];
  const Hop& hop = own.hops[index(place.hop)];
  const Hop& newest = own.hops.back();
  const Unit& unit = units_[index(hop.unit)];
  // Flits on a last channel are taken at once, so that nothing waits for what is behind it.
  const bool ends = newest.head < never && units_[index(newest.unit)].ends;
  const int known = crossed(place.worm) - (newest.head >= never ? 1 : 0) - place.hop - 1;  // heads
  const std::int64_t filled = unit.ends ? 0 : flit / unit.buffer;  // buffers
  if (filled > known && !ends) return never;
  Cycle stall = stall_of(hop);
  const auto after = [&](Cycle head, std::int64_t flits) {
    return head + flits + (stall > 0 ? flits / unit.buffer * stall : 0);
  };
  if (unit.ends) return after(hop.head, flit);
  Cycle time = 0;
  for (int i = 1; i <= std::min<std::int64_t>(filled, known); ++i) {
    const Hop& later = own.hops[index(place.hop + i)];
    stall = std::max(stall, stall_of(later));
    const Cycle space = after(later.head, flit - std::int64_t{i} * unit.buffer);
    time = std::max(time, space + std::int64_t{i} * unit.credit);
  }
  return time;
}

/// The last flit of a worm departs on a channel when it has arrived and there is space for it.
void Reservations::update_tail(const Place& place) {
  const Worm& own = worms_[index(place.worm)];
  Hop& hop = at(place);
  Cycle tail = hop.base;
  if (own.length > 1) {
    if (place.hop > 0) {
      const Hop& before = own.hops[index(place.hop - 1)];
      const ChannelTimes& times = channel_of(before).times;
      tail = std::max(tail, before.tail + times.crossing + times.passage);
    } else if (own.body > 0) {
      tail = std::max(tail, own.body + own.length - 2);
    }
    if (own.length > channel_of(hop).buffer)
      tail = std::max(tail, own_space_time(place, own.length - 1));
    else if (hop.before > 0)
      tail = std::max(tail, space_time(place, own.length - 1));
  }
  tail = std::min(tail, never);
  if (tail == hop.tail) return;
  hop.tail = tail;
  follow_tail(place);
}

/// What follows when the departure of a last flit is known, or later than known before.
void Reservations::follow_tail(const Place& place) {
  const Hop& hop = at(place);
  const ReservedChannel& channel = channel_of(hop);
  if (!channel.atomic && is_last(place)) units_[index(hop.unit)].free = hop.tail + 1;
  if (hop.awaited) announce(place);
  Worm& own = worms_[index(place.worm)];
  if (place.hop == 0 && !own.departed) {
    own.departed = true;
    foresee(hop.tail, Step::depart, place);
  }
  if (channel.last) follow_exit(place, hop.tail + channel.times.crossing);
  if (place.hop > 0) follow_exit({place.worm, place.hop - 1}, hop.tail);
  if (goes_on(place) && own.hops[index(place.hop + 1)].head < never)
    update_tail({place.worm, place.hop + 1});
}

/// What follows when a worm is known to leave the buffer behind a channel at a cycle.
void Reservations::follow_exit(const Place& place, Cycle exit) {
  const Hop& hop = at(place);
  Unit& unit = units_[index(hop.unit)];
  if (is_last(place)) {
    const ReservedChannel& channel = channels_[index(unit.channel)];
    unit.exit = exit;
    if (channel.atomic) unit.free = exit + channel.times.credit;
    if (channel.atomic && hop.awaited) announce(place);
  }
  if (channels_[index(unit.channel)].whole) announce(unit.last);
  for (Place behind = hop.behind; behind.worm >= 0; behind = at(behind).behind) {
    const bool is_newest = !goes_on(behind);
    if (is_newest && at(behind).head == never) {
      start_head(behind.worm);
      continue;
    }
    if (is_newest && at(behind).waits) await_front(behind.worm);
    at(behind).stale = true;
    update_tail(behind);
  }
}

}  // namespace flitwave
