// algorithms/reservation/reservation_flits.cpp: when single flits of worms depart.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "algorithms/reservation/cycle_bits.hpp"
#include "algorithms/reservation/reservations.hpp"

namespace flitwave {

/// Whether the flits behind the head of a held path may depart; they are then planned apart.
bool Reservations::is_open(const Place& place) const {
  const Cycle body = worms_[index(place.worm)].body;
  return body > 0 && body < never;
}

/// The cycle of bit 0 of `Hop::departures`: that of the head or, of an open path, the first one in
/// which the next flit may depart.
Cycle Reservations::first_flit(const Place& place) const {
  const Worm& own = worms_[index(place.worm)];
  if (!is_open(place)) return own.hops[index(place.hop)].head;
  Cycle time = own.body;
  for (int hop = 0; hop < place.hop; ++hop) {
    const ChannelTimes& times = channel_of(own.hops[index(hop)]).times;
    time += times.crossing + times.passage;
  }
  return time;
}

/// The cycles from the head on in which flits of a worm could depart on a channel if it were alone.
std::uint64_t Reservations::arrivals(const Hop& hop, const Hop& before) const {
  if (before.departures == 0) return 0;
  const ChannelTimes& times = channel_of(before).times;
  const Cycle lead = hop.head - before.head - times.crossing - times.passage;
  std::uint64_t departures = 1;
  Cycle next = times.gap;
  for (std::uint64_t rest = before.departures & (before.departures - 1); rest != 0;
       rest &= rest - 1) {
    next = std::max(next, lowest(rest) - lead);
    if (next >= planned_cycles) return 0;
    departures |= bit_of(next);
    next += times.gap;
  }
  return departures;
}

/// The cycles from the head on in which flits of a worm can depart that would do so in others: the
/// worms ahead in the buffer leave space for them, too. As they are, if that is not known.
std::uint64_t Reservations::with_space(const Hop& hop, std::uint64_t departures) const {
  const ReservedChannel& channel = channel_of(hop);
  std::uint64_t with = 0;
  std::int64_t flit = 0;
  Cycle later = 0;
  for (std::uint64_t rest = departures; rest != 0; rest &= rest - 1, ++flit) {
    const Cycle left = flit < channel.buffer ? left_time(hop, flit) : 0;
    later = std::max({later, lowest(rest), left + channel.times.credit - hop.head});
    if (later >= planned_cycles) return departures;
    with |= bit_of(later++);
  }
  return with;
}

/// Turns of others have delayed flits of a worm on the channel before, or of one ahead in the
/// buffer: its flits depart no earlier than they arrive, and than there is space for them.
void Reservations::refresh(const Place& place) {
  Hop& hop = at(place);
  if (!hop.stale) return;
  hop.stale = false;
  const Place previous{place.worm, place.hop - 1};
  if (place.hop > 0) refresh(previous);
  if (hop.departures == 0 || is_open(place)) return;
  std::uint64_t departures = hop.departures;
  if (place.hop > 0) departures = no_earlier(departures, arrivals(hop, at(previous)));
  if (hop.before > 0) departures = with_space(hop, departures);
  if (departures == hop.departures) return;
  hop.departures = departures;
  if (goes_on(place)) at(next_of(place)).stale = true;
}

/// The cycles from `first` on in which flits of a worm depart on a channel.
std::uint64_t Reservations::departures_from(const Place& place, Cycle first) {
  Hop& hop = at(place);
  const Cycle tail = known_tail(hop);
  if (hop.head == never || tail < first) return 0;
  if (hop.stale) refresh(place);
  const Cycle origin = first_flit(place);
  const Cycle end = tail - origin;
  const std::uint64_t head = hop.head >= first ? moved(1, hop.head - first) : std::uint64_t{0};
  if (hop.departures != 0 && end < planned_cycles) {
    const Cycle top = highest(hop.departures);
    if (end > top && (top > 0 || is_open(place))) hop.departures ^= bit_of(top) | bit_of(end);
    return head | moved(hop.departures, origin - first);
  }
  const Cycle from = evenly_from(place, tail);
  const std::int64_t flits = worms_[index(place.worm)].length - (is_open(place) ? 1 : 0);
  return head | spread(from - first, tail - first, flits);
}

/// When a flit of a worm departs on a channel, as far as known. If flits are not known one by one,
/// the last ones depart one after the other.
Cycle Reservations::flit_time(const Place& place, std::int64_t flit) const {
  const Hop& hop = hop_of(place.worm, place.hop);
  if (hop.tail >= never) return never;
  const Cycle dense = hop.tail - (worms_[index(place.worm)].length - 1 - flit);
  if (hop.departures == 0 || is_open(place)) return dense;
  std::uint64_t departures = hop.departures;
  for (std::int64_t i = 0; i < flit; ++i) departures &= departures - 1;
  return departures == 0 ? dense : std::min(dense, hop.head + lowest(departures));
}

}  // namespace flitwave
