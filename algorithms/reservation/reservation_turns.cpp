// algorithms/reservation/reservation_turns.cpp: worms that share an input or an output take turns.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "algorithms/reservation/cycle_bits.hpp"
#include "algorithms/reservation/reservations.hpp"

namespace flitwave {

/// The flits of a worm depart on a channel, in turn with those of others: sets its head, its base
/// and its departures. `before`: the channel before it, if there is one.
void Reservations::plan(Hop& hop, const Hop* before, std::int64_t length) {
  rivals_.clear();
  const Cycle first = hop.head;
  const std::uint64_t dense = length > most_planned ? 0 : bit_of(length) - 1;
  const bool is_dense =
      !before || (before->departures == dense && channel_of(*before).times.gap == 1);
  hop.departures = is_dense || dense == 0 ? dense : arrivals(hop, *before);
  if (hop.before > 0) hop.departures = with_space(hop, hop.departures);
  if (hop.departures != 0) hop.base = hop.head + highest(hop.departures);
  add_rivals(hop, before, true);
  if (before) add_rivals(hop, before, false);
  if (rivals_.empty()) return keep_rate(hop, first, length);
  const std::uint64_t departures = take_turns(hop, length);
  const std::int64_t left = length - __builtin_popcountll(departures);
  const Cycle shared = left > 0 ? share_rest(first + planned_cycles - 1, left) : 0;
  delay_rivals(first);
  const Cycle end = left > 0 ? planned_cycles - 1 : highest(departures);
  hop.base = std::max(left > 0 ? hop.base : 0, first + end + left + shared);
  const Cycle later = departures == 0 ? planned_cycles : lowest(departures);
  hop.head = first + later;
  hop.departures = left > 0 || hop.departures == 0 ? 0 : departures >> later;
  keep_rate(hop, first, length);
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
    const bool fits = body.departures != 0 && later + highest(body.departures) < planned_cycles;
    const Cycle waits = (own.length - 2) / channel_of(whole).buffer * stall;
    whole.base = std::max(body.base, body.head + own.length - 2 + waits);
    whole.departures = fits ? body.departures << later : 0;
    const ChannelTimes& times = channel_of(whole).times;
    lead = body.head + times.crossing + times.passage;
  }
}

/// The worms whose flits depart, from the head of a new hop on, `at_output` on its channel,
/// otherwise from the buffers behind the channel before it to another one.
void Reservations::add_rivals(const Hop& hop, const Hop* before, bool at_output) {
  const Cycle first = hop.head;
  const int output = units_[index(hop.unit)].channel;
  const int input = before ? units_[index(before->unit)].channel : -1;
  const int common = at_output ? output : input;
  if (channels_[index(common)].vcs == 1) return;
  const int own = at_output ? hop.unit : before->unit;
  std::uint64_t taken = 0;
  for_each_user(common, at_output, first, [&](int unit, const Place& place) {
    if (unit == own) return;
    const Hop& its = at(place);
    if (!at_output && units_[index(its.unit)].channel == output) return;  // added there
    const std::uint64_t alone = departures_from(place, first);
    if (alone == 0) return;
    // Flits that are not known one by one seem to depart in the same cycles as others.
    const std::uint64_t departures = next_free(alone, taken);
    taken |= departures;
    const Cycle head = its.head - first;
    Rival& rival = rivals_.emplace_back(place, at_output);
    rival.departures = departures;
    if (head >= 0 && head < planned_cycles) rival.head = bit_of(head);
    rival.lost = moved(its.lost, its.since - first);
    const int via = at_output && place.hop > 0 ? channel(place.worm, place.hop - 1) : input;
    rival.group = via == input ? -static_cast<int>(rivals_.size()) : via;
  });
}

/// The cycles in which flits of a rival that depart then are late: they have waited for as long as
/// the flits in a buffer do when each waits for a flit of every other worm. Only where worms end,
/// and not those of long worms, which are not known one by one.
std::uint64_t Reservations::late_cycles(const Rival& rival, Cycle first) const {
  const std::int64_t length = worms_[index(rival.place.worm)].length;
  if (length > most_planned || !ends(rival.place)) return 0;
  const Hop& hop = hop_of(rival.place.worm, rival.place.hop);
  const Cycle longest =
      static_cast<Cycle>(rivals_.size()) * std::min(length, channel_of(hop).buffer);
  return all_cycles(last_ready(rival.place) + longest - first, planned_cycles - 1);
}

/// The cycles in which heads of rivals depart, which others do not overtake.
std::uint64_t Reservations::settled() const {
  std::uint64_t cycles = 0;
  for (const Rival& rival : rivals_) cycles |= rival.head;
  return cycles;
}

/// The rivals of which a flit departs in a cycle have a turn, and with each one at the output all
/// that share its input.
void Reservations::serve(std::uint64_t bit) {
  for (const Rival& served : rivals_) {
    if ((served.departures & bit) == 0) continue;
    for (Rival& rival : rivals_) rival.served |= rival.group == served.group;
  }
}

/// Whether a flit of the new worm waits for those of rivals that depart in a cycle. All wait for
/// heads, and the first one, where worms end, for late flits. Others wait for rivals that have had
/// no turn since the worm's last flit, or those of a long worm for as many turns as there are
/// rivals. `turns`: of rivals, since its last flit; -1: it has had none
bool Reservations::must_wait(std::uint64_t bit, int turns, bool is_long) const {
  int rivals = 0;
  for (const Rival& rival : rivals_) {
    if ((rival.head & bit) != 0) return true;
    const bool departs = (rival.departures & bit) != 0;
    const bool is_late = (rival.late & bit) != 0;
    if (departs && is_late && (turns < 0 || !rival.served)) return true;
    rivals += (is_long ? rival.departures >= bit : departs && !rival.served) ? 1 : 0;
  }
  if (turns < 0) return false;
  return is_long ? turns < rivals : rivals > 0;
}

/// Whether the input chooses a rival at the input, and not the new worm: it has a flit that loses
/// its output in that cycle, and has had no turn since the new worm's last one. A head is behind
/// all rivals but the one that has had the last turn.
bool Reservations::is_passed_over(std::uint64_t bit, bool is_head) const {
  const auto count = std::count_if(rivals_.begin(), rivals_.end(), [bit](const Rival& rival) {
    return !rival.at_output && (rival.lost & bit) != 0 && !rival.served;
  });
  return count > (is_head ? 1 : 0);
}

/// The cycles in which flits of rivals depart.
std::uint64_t Reservations::busy_cycles() const {
  std::uint64_t cycles = 0;
  for (const Rival& rival : rivals_) cycles |= rival.departures;
  return cycles;
}

/// A flit of the new worm does not depart in a cycle in which flits of rivals do. If the input has
/// chosen it before that of a rival at the input, and it loses the output, neither departs.
/// Returns: whether it loses the output.
bool Reservations::lose_turn(std::uint64_t bit, std::uint64_t own, Cycle first) {
  bool loses = false;
  Rival* other = nullptr;  // at the input
  for (Rival& rival : rivals_) {
    if ((rival.departures & bit) == 0) continue;
    if (rival.at_output)
      loses = true;
    else
      other = &rival;
  }
  if (loses && other && other->served && (other->head & bit) == 0)
    push_back(bit, own, first, false);
  serve(bit);
  return loses;
}

/// The cycles, from the head's on, in which flits of a worm depart that takes turns with its
/// rivals, and in which flits lose the output, which are stored. An input chooses one of its
/// flits, and an output one of the inputs that have chosen it. `hop.departures`: the cycles in
/// which flits are ready; 0: any time.
std::uint64_t Reservations::take_turns(Hop& hop, std::int64_t length) {
  const Cycle first = hop.head;
  std::uint64_t lost = 0;
  std::uint64_t stuck = 0;
  for (Rival& rival : rivals_) {
    rival.late = late_cycles(rival, first);
    if (!rival.at_output) stuck |= rival.lost;
  }
  std::uint64_t busy = busy_cycles();
  std::uint64_t own = 0;
  std::int64_t left = length;
  std::int64_t waiting = hop.departures == 0 ? length : 0;
  int turns = -1;  // of rivals, since its last flit
  for (Cycle cycle = 0; cycle < planned_cycles && left > 0; ++cycle) {
    const std::uint64_t bit = bit_of(cycle);
    waiting += (hop.departures & bit) != 0 ? 1 : 0;
    if (waiting == 0) continue;
    if ((stuck & bit) != 0 && is_passed_over(bit, turns < 0)) {
      serve(bit);
      continue;
    }
    if ((busy & bit) != 0 && must_wait(bit, turns, length > most_planned)) {
      if (lose_turn(bit, own, first)) lost |= bit;
      busy = busy_cycles();
      if (turns >= 0) ++turns;
      continue;
    }
    if ((busy & bit) != 0) {
      push_back(bit, own, first, true);
      push_back(bit, own, first, false);
      busy = busy_cycles();
    }
    for (Rival& rival : rivals_) rival.served = false;
    turns = 0;
    own |= bit;
    --waiting;
    --left;
  }
  hop.since = first;
  hop.lost = lost;
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
  const Rival* last = nullptr;
  while (true) {
    if (!moved->delayed) moved->elsewhere = elsewhere(*moved, first);
    moved->delayed = true;
    // The cycle of a flit that the one before it in its packet takes is not free.
    if (!at_output && moved != last) exchange(*moved, bit, first);
    last = moved;
    const std::uint64_t since = bit;
    const std::uint64_t taken = fixed | moved->elsewhere | moved->departures;
    const std::uint64_t later = ~taken & ~(bit | (bit - 1));
    bit = first_bit(later);
    if (at_output) moved->lost |= bit - since;  // and the cycles between
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

/// Writes back when the flits of rivals depart; the tails that follow are updated by
/// update_delayed.
void Reservations::delay_rivals(Cycle first) {
  for (const Rival& rival : rivals_) {
    if (!rival.delayed) continue;
    Hop& hop = at(rival.place);
    Worm& own = worms_[index(rival.place.worm)];
    const Cycle known = known_tail(hop);
    delayed_.push_back({rival.place, first, known});
    hop.since = first;
    hop.lost = rival.lost;
    if (goes_on(rival.place)) at(next_of(rival.place)).stale = true;
    const Cycle alone = hop.base;
    hop.base = last_turn(rival, hop.base, first + planned_cycles - 1);
    if (rival.later > 0) hop.departures = 0;  // flits have found no planned cycle
    own.slowed += hop.base - alone;
    if (rival.departures == 0) continue;
    const Cycle origin = first_flit(rival.place);
    const Cycle since = first - origin;  // until the first planned cycle
    const Cycle tail = std::max(known, first + highest(rival.departures));
    if (tail - origin >= planned_cycles)
      hop.departures = 0;
    else if (hop.departures != 0 && since > 0)
      hop.departures = (hop.departures & (bit_of(since) - 1)) | rival.departures << since;
    else if (hop.departures != 0 && since > -planned_cycles)
      hop.departures =
          moved(rival.departures, since) |
          moved(moved(hop.departures, -planned_cycles - since), planned_cycles + since);
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
