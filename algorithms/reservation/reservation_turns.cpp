// algorithms/reservation/reservation_turns.cpp: worms that share an input or an output take turns.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <climits>

#include "algorithms/reservation/reservations.hpp"

namespace flitwave {

namespace {

constexpr int word = 64;  // cycles that are planned one by one

std::uint64_t bit_of(Cycle number) { return std::uint64_t{1} << number; }
std::uint64_t first_bit(std::uint64_t bits) { return bits & (~bits + 1); }
Cycle lowest(std::uint64_t bits) { return __builtin_ctzll(bits); }
Cycle highest(std::uint64_t bits) { return word - 1 - __builtin_clzll(bits); }

/// The cycles `from` to `to`, as far as they are from 0 to 63.
std::uint64_t all_cycles(Cycle from, Cycle to) {
  if (from >= word || to < 0 || to < from) return 0;
  const std::uint64_t until = to >= word - 1 ? ~std::uint64_t{0} : bit_of(to + 1) - 1;
  return until & ~(bit_of(std::max<Cycle>(0, from)) - 1);
}

/// Of flits that depart evenly, the first in cycle `from` and the last in `to`, or one after the
/// other from there on if they have less time: the cycles from 0 to 63.
std::uint64_t spread(Cycle from, Cycle to, std::int64_t flits) {
  const Cycle span = std::max<Cycle>(to - from, flits - 1);
  if (span == flits - 1 && flits > 1) return all_cycles(from, from + span);
  if (flits == 1) return to >= 0 && to < word ? bit_of(to) : 0;
  std::uint64_t cycles = 0;
  std::int64_t flit = from >= 0 ? 0 : (-from * (flits - 1) + span - 1) / span;
  for (; flit < flits; ++flit) {
    const Cycle cycle = from + flit * span / (flits - 1);
    if (cycle >= word) break;
    if (cycle >= 0) cycles |= bit_of(cycle);
  }
  return cycles;
}

/// Cycles, those that are taken replaced by the next ones that are not.
std::uint64_t next_free(std::uint64_t cycles, std::uint64_t taken) {
  std::uint64_t both = cycles & taken;
  cycles &= ~taken;
  for (; both != 0; both &= both - 1) {
    const std::uint64_t later = ~(cycles | taken) & ~(first_bit(both) - 1);
    cycles |= first_bit(later);
  }
  return cycles;
}

/// Bits moved up, or down by a negative number.
std::uint64_t moved(std::uint64_t bits, Cycle by) {
  if (by >= word || by <= -word) return 0;
  return by >= 0 ? bits << by : bits >> -by;
}

}  // namespace

/// The flits of a worm depart on a channel, in turn with those of others: sets its head, its base
/// and its departures. `before`: the channel before it, if there is one.
void Reservations::plan(Hop& hop, const Hop* before, std::int64_t length) {
  rivals_.clear();
  const std::uint64_t dense = length > most_planned ? 0 : bit_of(length) - 1;
  const bool is_dense =
      !before || (before->departures == dense && channel_of(*before).times.gap == 1);
  hop.departures = is_dense || dense == 0 ? dense : arrivals(hop, *before);
  if (hop.departures != 0) hop.base = hop.head + highest(hop.departures);
  add_rivals(hop, before, true);
  if (before) add_rivals(hop, before, false);
  if (rivals_.empty()) return keep_rate(hop, hop.head, length);
  const std::uint64_t departures = take_turns(hop.departures, length, hop.head);
  const std::int64_t left = length - __builtin_popcountll(departures);
  const Cycle planned = hop.head + word - 1;
  const Cycle shared = left > 0 ? share_rest(planned, left) : 0;
  delay_rivals(hop.head);
  const Cycle end = left > 0 ? word - 1 : highest(departures);
  hop.base = std::max(left > 0 ? hop.base : 0, hop.head + end + left + shared);
  const Cycle later = departures == 0 ? word : lowest(departures);
  hop.head += later;
  hop.departures = left > 0 || hop.departures == 0 ? 0 : departures >> later;
  keep_rate(hop, planned + 1 - word, length);
}

/// The flits behind the head of a held path depart on its channels, in turn with those of others.
void Reservations::plan_body(int worm) {
  Worm& own = worms_[index(worm)];
  std::vector<Hop> bodies;  // the flits behind the head as worms of their own
  Cycle lead = own.body;
  Cycle stall = 0;  // the slowest channel determines the rate
  for (const Hop& hop : own.hops) stall = std::max(stall, stall_of(hop));
  for (int hop = 0; hop < crossed(worm); ++hop) {
    Hop& whole = own.hops[index(hop)];
    Hop& body = bodies.emplace_back(whole.unit);
    const Cycle gap = hop > 0 ? channel_of(own.hops[index(hop - 1)]).times.gap : 1;
    body.head = lead;
    body.base = lead + (own.length - 2) * gap;
    plan(body, hop > 0 ? &bodies[index(hop - 1)] : nullptr, own.length - 1);
    const Cycle later = body.head - first_flit({worm, hop});
    const bool fits = body.departures != 0 && later + highest(body.departures) < word;
    const Cycle waits = (own.length - 2) / channel_of(whole).buffer * stall;
    whole.base = std::max(body.base, body.head + own.length - 2 + waits);
    whole.departures = fits ? body.departures << later : 0;
    const ChannelTimes& times = channel_of(whole).times;
    lead = body.head + times.crossing + times.passage;
  }
}

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
    if (next >= word) return 0;
    departures |= bit_of(next);
    next += times.gap;
  }
  return departures;
}

/// The cycles from `first` on in which flits of a worm depart on a channel.
std::uint64_t Reservations::departures_from(const Place& place, Cycle first) {
  Hop& hop = at(place);
  const Cycle tail = known_tail(hop);
  if (hop.head == never || tail < first) return 0;
  const Cycle origin = first_flit(place);
  const Cycle end = tail - origin;
  const std::uint64_t head = hop.head >= first ? moved(1, hop.head - first) : std::uint64_t{0};
  if (hop.departures != 0 && end < word) {
    const Cycle top = highest(hop.departures);
    if (end > top && (top > 0 || is_open(place))) hop.departures ^= bit_of(top) | bit_of(end);
    return head | moved(hop.departures, origin - first);
  }
  const Cycle from = evenly_from(place, tail);
  const std::int64_t flits = worms_[index(place.worm)].length - (is_open(place) ? 1 : 0);
  return head | spread(from - first, tail - first, flits);
}

/// Calls `visit(unit, place)` for each worm that has held a virtual channel of a channel last, and
/// whose flits depart after `first`: `at_output` on the channel, otherwise from the buffer behind
/// it on the next one.
template <class Visit>
void Reservations::for_each_user(int channel, bool at_output, Cycle first, Visit visit) const {
  const int base = first_unit_[index(channel)];
  for (int unit = base; unit < base + channels_[index(channel)].vcs; ++unit) {
    const Unit& its = units_[index(unit)];
    const Cycle end = at_output ? its.free : its.exit;
    if (end <= std::max(first, now_) || its.last.worm < 0) continue;
    if (at_output)
      visit(unit, its.last);
    else if (goes_on(its.last))
      visit(unit, Place{its.last.worm, its.last.hop + 1});
  }
}

/// The worms whose flits depart, from the head of a new hop on, `at_output` on its channel,
/// otherwise from the buffers behind the channel before it to another one.
void Reservations::add_rivals(const Hop& hop, const Hop* before, bool at_output) {
  const Cycle first = hop.head;
  const int output = units_[index(hop.unit)].channel;
  const int input = before ? units_[index(before->unit)].channel : -1;
  const int channel = at_output ? output : input;
  if (channels_[index(channel)].vcs == 1) return;
  const int own = at_output ? hop.unit : before->unit;
  std::uint64_t taken = 0;
  for_each_user(channel, at_output, first, [&](int unit, const Place& place) {
    if (unit == own) return;
    if (!at_output && units_[index(at(place).unit)].channel == output) return;  // added there
    const std::uint64_t alone = departures_from(place, first);
    if (alone == 0) return;
    // Flits that are not known one by one seem to depart in the same cycles as others.
    const std::uint64_t departures = next_free(alone, taken);
    taken |= departures;
    const Cycle head = at(place).head - first;
    rivals_.push_back(
        {place, departures, head >= 0 && head < word ? bit_of(head) : 0, at_output, false, 0});
  });
}

/// For how many turns of rivals a new worm has waited when its first flit arrives. A router's
/// arbiter takes turns among its inputs: a head waits for half of those that other inputs have, and
/// not at all if only one of them has flits.
int Reservations::first_turn() const {
  const auto rivals = static_cast<int>(rivals_.size());
  const auto others = static_cast<int>(
      std::count_if(rivals_.begin(), rivals_.end(), [](const Rival& r) { return r.at_output; }));
  return others < 2 ? INT_MAX : rivals - (others - 1) / 2;
}

/// The cycles in which flits of a rival that depart then are late: they have waited for as long as
/// the flits in a buffer do when each waits for a flit of every other worm. Those of long worms,
/// which are not known one by one, are not.
std::uint64_t Reservations::late_cycles(const Rival& rival, Cycle first) const {
  const std::int64_t length = worms_[index(rival.place.worm)].length;
  if (length > most_planned) return 0;
  const Hop& hop = hop_of(rival.place.worm, rival.place.hop);
  const Cycle longest =
      static_cast<Cycle>(rivals_.size()) * std::min(length, channel_of(hop).buffer);
  return all_cycles(last_ready(rival.place) + longest - first, word - 1);
}

/// The cycles in which flits of rivals depart that others do not overtake: heads and late ones.
std::uint64_t Reservations::settled() const {
  std::uint64_t cycles = 0;
  for (const Rival& rival : rivals_) cycles |= rival.head | (rival.departures & rival.late);
  return cycles;
}

/// Whether a flit of a rival would depart in a cycle that has had no turn since the last flit of
/// the new worm.
bool Reservations::has_turn(std::uint64_t bit) const {
  return std::any_of(rivals_.begin(), rivals_.end(), [&](const Rival& rival) {
    return (rival.departures & bit) != 0 && !rival.served;
  });
}

/// The cycles in which flits of a worm depart that takes turns with its rivals: after a flit of its
/// own, one of each rival. It waits for heads, and for settled flits, of which each rival has one
/// turn. `ready`: as of arrivals; 0: any time. `first`: the cycle of bit 0.
std::uint64_t Reservations::take_turns(std::uint64_t ready, std::int64_t length, Cycle first) {
  std::uint64_t own = 0;
  std::uint64_t heads = 0;
  std::uint64_t busy = 0;
  for (Rival& rival : rivals_) {
    rival.late = late_cycles(rival, first);
    heads |= rival.head;
    busy |= rival.departures;
  }
  std::uint64_t precede = settled();
  std::int64_t left = length;
  std::int64_t waiting = ready == 0 ? length : 0;
  int lost = first_turn();  // turns since its last flit
  for (Cycle cycle = 0; cycle < word && left > 0; ++cycle) {
    const std::uint64_t bit = bit_of(cycle);
    waiting += (ready & bit) != 0 ? 1 : 0;
    if (waiting == 0) continue;
    if ((busy & bit) != 0) {
      int rivals = 0;
      for (const Rival& rival : rivals_) rivals += rival.departures >> cycle != 0 ? 1 : 0;
      const bool waits = (precede & bit) != 0 && has_turn(bit);
      if ((heads & bit) != 0 || waits || lost < rivals) {
        if (lost < INT_MAX) ++lost;
        for (Rival& rival : rivals_) rival.served |= (rival.departures & bit) != 0;
        continue;
      }
      push_back(bit, own, first, true);
      push_back(bit, own, first, false);
      precede = settled();
      busy = 0;
      for (const Rival& rival : rivals_) busy |= rival.departures;
      lost = 0;
    }
    for (Rival& rival : rivals_) rival.served = false;
    own |= bit;
    --waiting;
    --left;
  }
  return own;
}

/// Of the rivals at the output, or of those at the input only, the flit that would depart in a
/// cycle departs in the next one in which it can, the flit that would do so in the one after that,
/// and so on, up to a cycle in which none would. Settled flits do not wait. What finds no cycle
/// among the planned ones departs after these.
void Reservations::push_back(std::uint64_t bit, std::uint64_t own, Cycle first, bool at_output) {
  const auto departing = [&](std::uint64_t cycle) -> Rival* {
    for (Rival& rival : rivals_)
      if (rival.at_output == at_output && (rival.departures & cycle) != 0) return &rival;
    return nullptr;
  };
  Rival* moved = departing(bit);
  if (!moved) return;
  moved->departures ^= bit;
  const std::uint64_t fixed = own | bit | settled();
  while (true) {
    if (!moved->delayed) moved->elsewhere = elsewhere(*moved, first);
    moved->delayed = true;
    const std::uint64_t taken = fixed | moved->elsewhere | moved->departures;
    const std::uint64_t later = ~taken & ~(bit | (bit - 1));
    bit = first_bit(later);
    if (bit == 0) {
      ++moved->later;
      return;
    }
    Rival* next = departing(bit);
    moved->departures |= bit;
    if (!next) return;
    next->departures ^= bit;
    moved = next;
  }
}

/// The cycles in which flits of others depart from the input of a rival that shares the output of
/// the new worm, or at the output of one that shares its input. Worms whose last flit is not known
/// to depart may be blocked, and do not count. Flits of a rival that is longer than the buffer wait
/// for space of their own worm, too: what is planned for others is less certain than that.
std::uint64_t Reservations::elsewhere(const Rival& rival, Cycle first) {
  const int worm = rival.place.worm;
  const int hop = rival.place.hop;
  if (worms_[index(worm)].length > channel_of(at(rival.place)).buffer) return 0;
  if (rival.at_output && hop == 0) return 0;
  const int end = hop_of(worm, rival.at_output ? hop - 1 : hop).unit;
  std::uint64_t cycles = 0;
  const auto add = [&](int, const Place& place) {
    if (place.worm != worm && at(place).tail < never) cycles |= departures_from(place, first);
  };
  for_each_user(units_[index(end)].channel, !rival.at_output, first, add);
  return cycles;
}

/// Writes back when the flits of rivals depart; the tails that follow are updated by
/// update_delayed.
void Reservations::delay_rivals(Cycle first) {
  for (const Rival& rival : rivals_) {
    if (!rival.delayed) continue;
    Hop& hop = at(rival.place);
    Worm& own = worms_[index(rival.place.worm)];
    const Cycle known = known_tail(hop);
    delayed_.push_back({rival.place, first, known});
    const Cycle alone = hop.base;
    hop.base = last_turn(rival, hop.base, first + word - 1);
    if (rival.later > 0) hop.departures = 0;  // flits have found no planned cycle
    own.slowed += hop.base - alone;
    if (rival.departures == 0) continue;
    const Cycle origin = first_flit(rival.place);
    const Cycle since = first - origin;  // until the first planned cycle
    const Cycle tail = std::max(known, first + highest(rival.departures));
    if (tail - origin >= word)
      hop.departures = 0;
    else if (hop.departures != 0 && since > 0)
      hop.departures = (hop.departures & (bit_of(since) - 1)) | rival.departures << since;
    else if (hop.departures != 0 && since > -word)
      hop.departures = moved(rival.departures, since) |
                       moved(moved(hop.departures, -word - since), word + since);
    own.slowed += std::max<Cycle>(0, tail - hop.base);
    hop.base = std::max(hop.base, tail);
  }
}

/// Updates the tails of delayed worms, from the number `begin` on. An update may plan for another
/// worm, which adds to the list in turn.
void Reservations::update_delayed(std::size_t begin) {
  for (std::size_t i = begin; i < delayed_.size(); ++i) {
    const Delay delay = delayed_[i];
    update_tail(delay.place);
    hold_back(delay.place, delay.since, delay.tail);
  }
  delayed_.resize(begin);
}

}  // namespace flitwave
