// algorithms/reservation/reservation_rates.cpp: worms that are not known flit by flit depart
// evenly.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "algorithms/reservation/reservations.hpp"

namespace flitwave {

/// From when on the flits of a worm depart evenly until its last one does, at `tail`. One that fits
/// into the buffer, ends at the channel, or holds its whole path is not blocked after its first
/// flit has departed. Another one has been blocked if its last flit is late, and not only slowed by
/// turns of others: then its flits depart since.
Cycle Reservations::evenly_from(const Place& place, Cycle tail) const {
  const Hop& hop = hop_of(place.worm, place.hop);
  const Worm& own = worms_[index(place.worm)];
  const ReservedChannel& channel = channel_of(hop);
  if (own.length <= channel.buffer || channel.last || is_open(place)) return first_flit(place);
  return std::max(hop.head, tail + 1 - own.length - own.slowed);
}

/// The flits of a rival that depart after the planned cycles, of which `planned` is the last.
FlitStream Reservations::rest_of(const Rival& rival, Cycle planned) const {
  const Cycle tail = known_tail(hop_of(rival.place.worm, rival.place.hop));
  const std::int64_t length = worms_[index(rival.place.worm)].length;
  std::int64_t flits = rival.later;
  if (tail > planned) {
    const Cycle from = evenly_from(rival.place, tail);
    const Cycle span = tail - from + 1;
    flits += from > planned ? length : std::max<std::int64_t>(1, length * (tail - planned) / span);
  }
  const Cycle time = std::max<Cycle>(0, last_turn(rival, tail, planned) - planned);
  return {std::min(time, flits), time};
}

/// When the last flit of a rival departs that would do so at `tail`: flits that found no planned
/// cycle depart after these, of which `planned` is the last.
Cycle Reservations::last_turn(const Rival& rival, Cycle tail, Cycle planned) const {
  return rival.later > 0 ? std::max(tail, planned) + rival.later : tail;
}

/// The flits that a worm has `left` after the planned cycles, of which `planned` is the last, share
/// the channel with those that rivals to the same output have then. Returns: the cycles by which
/// they are later.
Cycle Reservations::share_rest(Cycle planned, std::int64_t left) {
  streams_.assign(1, {left, left});
  for (const Rival& rival : rivals_)
    if (rival.at_output) streams_.push_back(rest_of(rival, planned));
  share_channel(streams_);
  std::size_t number = 0;
  for (Rival& rival : rivals_) {
    if (!rival.at_output) continue;
    const FlitStream& rest = streams_[++number];
    if (rest.done == rest.time) continue;
    rival.later += rest.done - rest.time;
    rival.delayed = true;
  }
  return streams_[0].done - streams_[0].time;
}

/// Adds the flits of a new worm, whose head could depart at `first`, to those that a channel with
/// several virtual channels has had. If the last one of all would depart before the rate of the
/// channel permits, the longer one of two worms takes longer: of the new one, and of that which
/// ends last.
void Reservations::keep_rate(Hop& hop, Cycle first, std::int64_t length) {
  const int number = units_[index(hop.unit)].channel;
  if (channels_[index(number)].vcs == 1) return;
  Cycle& next = free_from_[index(number)];
  next = std::max(next, first) + length;
  if (hop.base >= next - 1) return;
  Cycle latest = hop.base;
  const Rival* last = nullptr;
  for (const Rival& rival : rivals_) {
    if (!rival.at_output) continue;
    const Cycle tail = std::max(at(rival.place).base, last_ready(rival.place));
    if (tail > latest) last = &rival;
    latest = std::max(latest, tail);
  }
  if (latest >= next - 1) return;
  if (last && worms_[index(last->place.worm)].length <= length) last = nullptr;
  Hop& slowed = last ? at(last->place) : hop;
  if (last) {
    delayed_.push_back({last->place, first, slowed.base});
    worms_[index(last->place.worm)].slowed += next - 1 - slowed.base;
  }
  slowed.base = next - 1;
  slowed.departures = 0;
}

/// When the last flit of a worm could depart on a channel if nothing else did; never: not known.
Cycle Reservations::last_ready(const Place& place) const {
  if (place.hop == 0) return hop_of(place.worm, 0).head + worms_[index(place.worm)].length - 1;
  const Hop& before = hop_of(place.worm, place.hop - 1);
  const ChannelTimes& times = channel_of(before).times;
  return std::min(never, before.tail + times.crossing + times.passage);
}

/// The flits of a long worm depart evenly from cycle `since` on, and the last one later than at
/// `tail`, since others have turns: the buffers before the channel fill, and the last flit can
/// depart on a channel before it only when as many flits as they hold are left.
void Reservations::hold_back(const Place& place, Cycle since, Cycle tail) {
  const Worm& own = worms_[index(place.worm)];
  const Hop& hop = at(place);
  const std::int64_t buffer = channel_of(hop).buffer;
  if (own.length <= std::max(most_planned, buffer) || own.body != 0) return;
  if (hop.base <= tail || tail <= since) return;
  Place first;  // whose last flit departs later
  for (int hops = 1; hops <= place.hop; ++hops) {
    Hop& before = at({place.worm, place.hop - hops});
    const Cycle time = tail - hops * buffer - since;
    if (time <= 0 || before.tail <= now_) break;
    const Cycle base =
        since + time * (hop.base - since) / (tail - since) + hops * channel_of(hop).times.credit;
    if (base <= before.base) continue;
    before.base = base;
    before.departures = 0;
    if (before.tail < base) first = {place.worm, place.hop - hops};
  }
  if (first.worm >= 0) update_tail(first);
}

}  // namespace flitwave
