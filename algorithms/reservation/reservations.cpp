// algorithms/reservation/reservations.cpp: requests, grants and releases of virtual channels.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/reservation/reservations.hpp"

#include <algorithm>
#include <utility>

#include <climits>

#include "configs/error.hpp"

namespace flitwave {

using Step = WormEvent::Step;

std::vector<std::string> names_of(Release) { return {"path", "tail"}; }

Reservations::Reservations(Release release, std::vector<ReservedChannel> channels,
                           const std::vector<ChannelPool>& pools, WormDriver& driver)
    : release_(release), channels_(std::move(channels)), driver_(driver) {
  for (std::size_t number = 0; number < channels_.size(); ++number) {
    const ReservedChannel& channel = channels_[number];
    Unit unit;
    unit.channel = static_cast<int>(number);
    unit.crossing = static_cast<int>(channel.times.crossing);
    unit.decision = static_cast<int>(channel.times.decision);
    unit.passage = static_cast<int>(channel.times.passage);
    unit.credit = static_cast<int>(channel.times.credit);
    unit.buffer = static_cast<int>(std::min<std::int64_t>(channel.buffer, INT_MAX));
    unit.ends = channel.last;
    unit.plain = channel.times.gap == 1 && !channel.atomic && !channel.whole && !channel.stores;
    first_unit_.push_back(static_cast<int>(units_.size()));
    units_.insert(units_.end(), index(channel.vcs), unit);
    shared_ = shared_ || (release == Release::with_tail && channel.vcs > 1);
    stalls_ = stalls_ || channel.times.round_trip(channel.last) > channel.buffer;
  }
  free_from_.assign(channels_.size(), 0);
  for (const ChannelPool& pool : pools) {
    pools_.emplace_back();
    pools_.back().first_unit = first_unit_[index(pool.channel)] + pool.vcs.first;
    pools_.back().count = pool.vcs.count;
    for (int i = 0; i < pool.vcs.count; ++i)
      units_[index(pools_.back().first_unit + i)].pool = static_cast<int>(pools_.size()) - 1;
  }
}

int Reservations::add(std::int64_t length, Cycle hold) {
  if (length < 1) throw ModelError("a message without a flit");
  if (vacant_.empty()) {
    vacant_.push_back(static_cast<int>(worms_.size()));
    worms_.emplace_back();
  }
  const int number = vacant_.back();
  vacant_.pop_back();
  Worm& worm = worms_[index(number)];
  worm.length = length;
  worm.hold = hold;
  worm.slowed = 0;
  worm.body = hold < 0 || length == 1 || with_path() ? 0 : never;
  worm.departed = worm.taken = worm.finished = worm.awaited = false;
  worm.hops.clear();
  worm.route.clear();
  ++present_;
  return number;
}

void Reservations::foresee(Cycle cycle, Step step, const Place& place) {
  ++worms_[index(place.worm)].events;
  const WormEvent event{step, static_cast<std::uint16_t>(place.hop), place.worm};
  const Cycle at = std::max(now_, cycle);
  if (with_path()) return driver_.at(at, event);
  if (calendar_.add(at, event) && at > now_) driver_.wake(at);
}

void Reservations::request_one_of(int worm) {
  choices_.clear();
  driver_.add_choices(worm, choices_);
  for (int pool : choices_)
    if (const int unit = free_unit(pool, worm); unit >= 0) return take(worm, unit);
  ++worms_[index(worm)].ticket;
  for (int pool : choices_) wait(worm, pool);
}

/// The worm takes a virtual channel: what `take` does where all times are known at once, as they
/// are for a worm that is shorter than the buffers and takes no turns with others. For speed only.
/// Returns: whether they are.
[[gnu::always_inline]] inline bool Reservations::glide(int worm, int number) {
  Worm& own = worms_[index(worm)];
  Unit& unit = units_[index(number)];
  if (own.hops.empty() || !unit.plain || own.length > unit.buffer || unit.exit >= never)
    return false;
  const Hop& before = own.hops.back();
  Unit& input = units_[index(before.unit)];
  if (!input.plain || own.length > input.buffer || before.tail >= never || own.body != 0)
    return false;
  const Cycle flits = own.length - 1;
  Hop hop(number);
  hop.head = now_ + input.passage;
  hop.base = hop.head + flits;
  hop.tail = std::max(hop.base, before.tail + input.crossing + input.passage);
  const std::size_t delayed = delayed_.size();
  if (unit.exit + unit.credit + unit.decision >= now_) {
    queue_behind(unit, hop);
    if (const Cycle left = left_time(hop, 0); left > 0)
      hop.head = std::max(hop.head, left + unit.credit);
    hop.base = hop.head + flits;
    hop.tail = std::max(hop.tail, hop.base);
    if (const Cycle left = left_time(hop, flits); left > 0)
      hop.tail = std::max(hop.tail, left + unit.credit);
  }
  if (shared_) {
    plan(hop, &before, own.length);
    hop.tail = std::max(hop.tail, hop.base);
  }
  Cycle front = hop.head + unit.crossing + unit.decision;
  if (hop.before > 0) front = std::max(front, unit.exit + std::max(1, unit.decision));
  const Place place{worm, static_cast<int>(own.hops.size())};
  const Place behind = before.behind;
  if (input.last.worm == worm && input.last.hop == place.hop - 1) input.exit = hop.tail;
  unit.free = hop.tail + 1;
  unit.exit = unit.ends ? hop.tail + unit.crossing : never;
  unit.last = place;
  unit.length = static_cast<int>(own.length);
  unit.held = true;
  const Cycle tail = hop.tail;
  own.hops.push_back(hop);
  if (unit.ends)
    foresee(tail + unit.crossing, Step::finish, place);
  else
    foresee(front, Step::request, place);
  if (behind.worm >= 0) follow_exit({worm, place.hop - 1}, tail);
  if (delayed_.size() > delayed) update_delayed(delayed);
  return true;
}

void Reservations::take(int worm, int number) {
  Worm& own = worms_[index(worm)];
  ++own.ticket;
  own.waited = now_ - own.requested;
  if (!with_path() && glide(worm, number)) return;
  own.hops.emplace_back(number);
  const Place place = newest(worm);
  if (!with_path()) queue_up(place);
  Unit& unit = units_[index(number)];
  unit.held = true;
  unit.last = place;
  unit.length = static_cast<int>(own.length);
  unit.free = unit.exit = never;
  start_head(worm);
}

/// A free virtual channel of a pool for which no other worm waits, in turn; -1: none.
[[gnu::always_inline]] inline int Reservations::free_unit(int number, int worm) {
  Pool& pool = pools_[index(number)];
  if (!pool.waiting.empty() && is_awaited(pool)) return -1;
  if (pool.count == 1) return is_free(pool.first_unit, worm) ? pool.first_unit : -1;
  const auto& hops = worms_[index(worm)].hops;
  std::uint8_t& turn = hops.empty() ? pool.turn : units_[index(hops.back().unit)].turn;
  const int first = pool.first_unit - first_unit_[index(units_[index(pool.first_unit)].channel)];
  int vc = turn >= first && turn < first + pool.count ? turn - first : 0;
  for (int i = 0; i < pool.count; ++i) {
    const int next = vc + 1 == pool.count ? 0 : vc + 1;
    if (is_free(pool.first_unit + vc, worm)) {
      turn = static_cast<std::uint8_t>(first + next);
      return pool.first_unit + vc;
    }
    vc = next;
  }
  return -1;
}

[[gnu::always_inline]] inline void Reservations::request(int worm) {
  Worm& own = worms_[index(worm)];
  own.requested = now_;
  if (own.route.empty()) return request_one_of(worm);
  const int pool = own.route[own.hops.size()];
  if (const int unit = free_unit(pool, worm); unit >= 0) return take(worm, unit);
  ++own.ticket;
  wait(worm, pool);
}

void Reservations::begin(int worm, Cycle now) {
  now_ = now;
  driver_.add_route(worm, worms_[index(worm)].route);
  request(worm);
}

void Reservations::take_place(const WormEvent& event, Cycle now) {
  now_ = now;
  const int worm = event.worm;
  --worms_[index(worm)].events;
  if (event.step == Step::request) return is_held_up(worm) ? await_front(worm) : request(worm);
  if (worms_[index(worm)].finished) return forget(worm);
  if (event.step == Step::depart) return depart(worm);
  if (event.step == Step::pass) return pass({worm, event.hop});
  finish(worm);
}

void Reservations::run(Cycle now) {
  WormEvent event;
  while (calendar_.next(now, event)) take_place(event, now);
}

void Reservations::wait(int worm, int pool) {
  pools_[index(pool)].waiting.push_back({worm, worms_[index(worm)].ticket});
  await(pool);
}

/// Whether no other worm has held the virtual channel since.
bool Reservations::is_last(const Place& place) const {
  const Place& last = units_[index(hop_of(place.worm, place.hop).unit)].last;
  return last.worm == place.worm && last.hop == place.hop;
}

/// Whether a worm waits for a virtual channel of the pool: it is the one at `first`.
bool Reservations::is_awaited(Pool& pool) const {
  if (pool.waiting.empty()) return false;
  for (; pool.first < pool.waiting.size(); ++pool.first) {
    const Waiting& next = pool.waiting[pool.first];
    if (worms_[index(next.worm)].ticket == next.ticket) return true;
  }
  pool.waiting.clear();
  pool.first = 0;
  return false;
}

/// From when on the worms in the buffer behind a virtual channel leave space for a whole one, as
/// far as known; the credits follow.
Cycle Reservations::room_time(int number, std::int64_t length) const {
  const Unit& unit = units_[index(number)];
  if (unit.exit <= now_) return 0;
  Hop next(number);
  queue_behind(unit, next);
  return left_time(next, length - 1);
}

/// From when on the worm that waits for a virtual channel may have it, as far as known.
Cycle Reservations::free_time(int number) {
  const Unit& unit = units_[index(number)];
  Pool& pool = pools_[index(unit.pool)];
  if (!channels_[index(unit.channel)].whole || !is_awaited(pool)) return unit.free;
  const int first = pool.waiting[pool.first].worm;
  return std::max(unit.free, room_time(number, worms_[index(first)].length));
}

/// Events for the virtual channels of a pool, since a worm waits for one of them.
void Reservations::await(int number) {
  if (with_path()) return;  // each release looks for such a worm
  const Pool& pool = pools_[index(number)];
  for (int unit = pool.first_unit; unit < pool.first_unit + pool.count; ++unit) {
    const Place last = units_[index(unit)].last;
    if (free_time(unit) <= now_) continue;  // its event is due
    at(last).awaited = worms_[index(last.worm)].awaited = true;
    announce(last);
  }
}

/// A worm is behind the one that has held a virtual channel last.
void Reservations::queue_behind(const Unit& unit, Hop& hop) {
  hop.before = unit.exit;
  hop.length_before = static_cast<std::uint32_t>(unit.length) & 0xfffffff;
  (unit.exit < never ? hop.previous : hop.ahead) = unit.last;
}

/// A worm enters the buffer of a virtual channel behind the one that has held it last.
void Reservations::queue_up(const Place& place) {
  Hop& hop = at(place);
  const Unit& unit = units_[index(hop.unit)];
  if (unit.exit + unit.credit + unit.decision < now_) return;
  queue_behind(unit, hop);
  if (unit.exit < never) return;
  at(unit.last).behind = place;
}

/// Gives a virtual channel to the worm that has waited for it longest, if there is one.
void Reservations::release(int unit) {
  units_[index(unit)].held = false;
  const int number = units_[index(unit)].pool;
  if (!is_awaited(pools_[index(number)])) return;
  Pool& pool = pools_[index(number)];
  take(pool.waiting[pool.first++].worm, unit);
  if (is_awaited(pool)) await(number);
}

/// An event for a virtual channel that another worm awaits, if its time is known.
void Reservations::announce(const Place& place) {
  Hop& hop = at(place);
  if (!hop.awaited || hop.announced || !is_last(place)) return;
  const Cycle free = free_time(hop.unit);
  if (free >= never) return;
  hop.announced = true;
  foresee(free, Step::pass, place);
}

void Reservations::pass(const Place& place) {
  Hop& hop = at(place);
  hop.announced = false;
  if (!is_last(place)) return;
  if (free_time(hop.unit) > now_) return announce(place);
  hop.awaited = false;
  release(hop.unit);
}

void Reservations::depart(int worm) {
  const Cycle tail = at({worm, 0}).tail;
  if (tail > now_) return foresee(tail, Step::depart, {worm, 0});
  driver_.departs(worm);
}

void Reservations::finish(int worm) {
  const Place last = newest(worm);
  Cycle end = at(last).tail + channel_of(at(last)).times.crossing;
  if (end > now_) return foresee(end, Step::finish, last);
  if (!std::exchange(worms_[index(worm)].taken, true)) driver_.finishes(worm);
  if (!with_path())
    for (Place place = last; place.hop >= 0 && channel_of(at(place)).atomic; --place.hop)
      if (is_last(place)) end = std::max(end, units_[index(at(place).unit)].free);
  if (end > now_) return foresee(end, Step::finish, last);
  retire(worm);
}

/// No time depends on the worm any more. It may have finished before one that was ahead of it in a
/// buffer and has a longer way.
void Reservations::retire(int worm) {
  if (with_path() || worms_[index(worm)].awaited) release_awaited(worm);
  for (int i = 0; i < crossed(worm); ++i) {
    const Hop& hop = hop_of(worm, i);
    if (hop.ahead.worm >= 0) at(hop.ahead).behind = {};
    if (hop.behind.worm < 0) continue;
    if (worms_[index(hop.behind.worm)].finished)
      throw ModelError("a message is behind another that has finished before it");
    at(hop.behind).ahead = {};
    at(hop.behind).before = exit_time({worm, i});
  }
  worms_[index(worm)].finished = true;
  --present_;
  forget(worm);
}

/// Releases the virtual channels that the worm has held last, if others wait for them.
void Reservations::release_awaited(int worm) {
  for (int i = 0; i < crossed(worm); ++i) {
    const bool awaited = with_path() || hop_of(worm, i).awaited;
    if (awaited && is_last({worm, i})) release(hop_of(worm, i).unit);
  }
}

/// The number of a worm is used again when none of its events is due.
void Reservations::forget(int worm) {
  if (worms_[index(worm)].events == 0) vacant_.push_back(worm);
}

}  // namespace flitwave
