// algorithms/reservation/reservation_ends.cpp: what others do at the other end of flits that lose
// their turns.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/reservation/cycle_bits.hpp"
#include "algorithms/reservation/reservations.hpp"

namespace flitwave {

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

/// A rival at the input loses a turn to the new worm, so that its output is free in that cycle. If
/// a flit from another input waits for the output, and that input is idle, it departs in that
/// cycle, and leaves its own one to the rival. Last flits do not: others rely on when they depart.
void Reservations::exchange(Rival& rival, std::uint64_t bit, Cycle first) {
  const std::uint64_t later = rival.elsewhere & ~(bit | (bit - 1));
  if (later == 0) return;
  const int input = channel(rival.place.worm, rival.place.hop - 1);
  const Cycle cycle = first + lowest(bit);
  std::uint64_t left = 0;  // the cycle that the other flit leaves
  Place other;
  for_each_user(channel(rival.place.worm, rival.place.hop), true, first,
                [&](int, const Place& place) {
                  if (channel(place.worm, place.hop - 1) == input) return;
                  const std::uint64_t departures = departures_from(place, first);
                  const std::uint64_t rest = departures & later;
                  const std::uint64_t next = first_bit(rest);
                  if ((departures & bit) != 0 || next == rest || (left != 0 && next > left)) return;
                  if (!waits(place, cycle) || !is_idle(place, cycle)) return;
                  left = next;
                  other = place;
                });
  if (left == 0) return;
  Hop& hop = at(other);
  hop.departures ^= bit_of(first + lowest(left) - hop.head) | bit_of(cycle - hop.head);
  rival.elsewhere ^= left | bit;
}

/// Whether a flit of a worm has arrived, and departs later than in a cycle.
bool Reservations::waits(const Place& place, Cycle cycle) const {
  const Hop& hop = hop_of(place.worm, place.hop);
  const Hop& before = hop_of(place.worm, place.hop - 1);
  if (cycle < hop.head || hop.departures == 0 || before.departures == 0 || is_open(place))
    return false;
  if (hop.tail - hop.head >= planned_cycles) return false;
  const ChannelTimes& times = channel_of(before).times;
  const Cycle arrived = cycle - before.head - times.crossing - times.passage;
  return __builtin_popcountll(before.departures & all_cycles(0, arrived)) >
         __builtin_popcountll(hop.departures & all_cycles(0, cycle - hop.head));
}

/// Whether in a cycle no other flit departs from the input of a worm, nor loses its output.
bool Reservations::is_idle(const Place& place, Cycle cycle) {
  bool idle = true;
  for_each_user(channel(place.worm, place.hop - 1), false, cycle - 1, [&](int, const Place& user) {
    const Hop& hop = at(user);
    if (user.worm == place.worm) return;
    const std::uint64_t used = departures_from(user, cycle) | moved(hop.lost, hop.since - cycle);
    if ((used & 1) != 0) idle = false;
  });
  return idle;
}

}  // namespace flitwave
