// algorithms/reservation/reservations.hpp: worms that reserve channels in order, without flits.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/reservation/fair_share.hpp"
#include "algorithms/reservation/worm_calendar.hpp"
#include "algorithms/routing.hpp"
#include "configs/quantity.hpp"
#include "topologies/ids.hpp"

namespace flitwave {

/// When a worm releases the channels that it holds.
enum class Release {
  with_path,  ///< All at once, when its last flit is taken.
  with_tail,  ///< Each when its last flit has passed.
};
std::vector<std::string> names_of(Release);

/// The times of flits on a channel, and in the receiver's buffers. Unit: cycle
struct ChannelTimes {
  Cycle crossing = 1;  ///< From a flit's departure until the receiver has it.
  Cycle decision = 0;  ///< From a head's arrival until it requests its next channel.
  Cycle passage = 0;   ///< From a head's grant, or another flit's arrival, until it departs.
  Cycle gap = 1;       ///< Between departures of one worm's flits from the receiver's buffer.
  Cycle credit = 1;    ///< From the departure of a flit until the sender may use its slot.

  /// From a flit's departure until the sender may use its slot again, at the earliest. `taken`: the
  /// receiver takes each flit as it arrives.
  Cycle round_trip(bool taken) const { return crossing + (taken ? 0 : passage) + credit; }
};

/// A channel that worms reserve.
struct ReservedChannel {
  ChannelTimes times;
  int vcs = 1;
  /// The receiver's, of each virtual channel; the same on all channels of a path. Unit: flit
  std::int64_t buffer = 4;
  bool last = false;    ///< Worms end there; the receiver takes each flit as it arrives.
  bool whole = false;   ///< A head takes it only if there is space for its whole worm.
  bool stores = false;  ///< A head requests its next channel when the last flit has arrived.
  bool atomic = false;  ///< A virtual channel is free again when its buffer is empty.
};

/// Virtual channels of one channel, any of which a worm may take.
struct ChannelPool {
  int channel = 0;
  VcRange vcs;
};

/// The owner of the worms: their routes, and the order of events. All functions are called within
/// functions of Reservations.
class WormDriver {
 public:
  /// Under Release::with_path: calls `Reservations::take_place` with the event at a cycle, the
  /// present one or a later one; those of one cycle in the order of these calls.
  virtual void at(Cycle cycle, const WormEvent& event) = 0;
  /// Under Release::with_tail: calls `Reservations::run` at a later cycle.
  virtual void wake(Cycle cycle) = 0;
  /// Appends the pools of a new worm's whole route, if it has one only; else none.
  virtual void add_route(int worm, std::vector<int>& pools) = 0;
  /// Of a worm without such a route: appends the pools by one of which it continues, in the order
  /// of preference.
  virtual void add_choices(int worm, std::vector<int>& pools) = 0;
  /// The time at which the worm's head departs on one more channel is known; under
  /// Release::with_tail, on its first channel.
  virtual void crosses(int worm) = 0;
  /// The worm's last flit departs on its first channel; only under Release::with_tail.
  virtual void departs(int worm) = 0;
  /// The worm's last flit is taken. It keeps its channels until the function returns.
  virtual void finishes(int worm) = 0;

 protected:
  ~WormDriver() = default;
};

/// Worms in a network of channels with virtual channels. A head requests the pools by which it may
/// continue, waits for a free virtual channel of one of them, first come, first served, holds it,
/// and requests the next one when it has arrived at its receiver, until it holds a last channel.
/// Nothing happens flit by flit: the times of heads and of last flits follow from each other.
///
/// `Release::with_path`: a worm holds its channels until its last flit is taken. A flit crosses the
/// last channel in each cycle from the head on, and virtual channels do not share the rate of their
/// channel. Source: Wang et al. 2001, section 2.1
///
/// `Release::with_tail`: a worm holds each channel until its last flit has passed. A flit departs
/// when it has arrived, the one before it has departed, and the worms ahead in the buffer, or the
/// flits ahead in the worm, have left space for it. Worms that depart in the same cycles from one
/// input or to one output take turns. The source is the rule of the input-queued router
/// (docs/timing.md, "The router, exactly"); the differences are stated in docs/fidelity.md.
class Reservations {
 public:
  static constexpr Cycle never = INT64_MAX / 4;

  /// A pool is named by its index. Each virtual channel belongs to one pool at most. The driver
  /// outlives it.
  Reservations(Release release, std::vector<ReservedChannel> channels,
               const std::vector<ChannelPool>& pools, WormDriver& driver);

  /// A new worm, which holds nothing. `hold`: cycles for which the path is held, once the head has
  /// arrived, before the rest follows; -1: the rest follows at once. Unit of `length`: flit
  /// Returns: its number, which is used again some time after it has finished.
  int add(std::int64_t length, Cycle hold = -1);
  /// The worm requests its first channel. Range: `now` never decreases.
  void begin(int worm, Cycle now);
  void take_place(const WormEvent& event, Cycle now);
  /// All that is to take place in this cycle, and has not.
  void run(Cycle now);
  /// Under Release::with_tail: whether worms wait for each other forever.
  bool is_blocked() const { return present_ > 0 && calendar_.size() == 0; }

  std::int64_t length(int worm) const { return worms_[index(worm)].length; }
  /// The channels that a worm has taken so far, in order.
  int crossed(int worm) const { return static_cast<int>(worms_[index(worm)].hops.size()); }
  int channel(int worm, int hop) const { return units_[index(hop_of(worm, hop).unit)].channel; }
  int pool(int worm, int hop) const { return units_[index(hop_of(worm, hop).unit)].pool; }
  /// The cycle in which the head departs; `never`: not known yet.
  Cycle head(int worm, int hop) const { return hop_of(worm, hop).head; }
  /// Calls `visit(channel, head, tail)` for each channel that a worm has taken, in order.
  template <class Visit>
  void for_each_channel(int worm, Visit visit) const {
    for (const Hop& hop : worms_[index(worm)].hops)
      visit(units_[index(hop.unit)].channel, hop.head, hop.tail);
  }
  /// The cycle in which the last flit departs, as far as known: it may become later until it is
  /// past. `never`: it depends on what is not known yet.
  Cycle tail(int worm, int hop) const { return hop_of(worm, hop).tail; }
  /// The time for which the worm waited for the virtual channel that it took last. Unit: cycle
  Cycle waited(int worm) const { return worms_[index(worm)].waited; }
  /// The number of worms that have been added and have not finished.
  int worms() const { return present_; }

 private:
  /// Flits of worms whose departures are planned one by one.
  static constexpr std::int64_t most_planned = 32;

  /// A worm on one of its channels; -1: none.
  struct Place {
    int worm = -1;
    int hop = 0;
  };
  struct Hop {
    int unit = 0;
    std::uint32_t length_before : 28;  // flits of the worm ahead
    bool awaited : 1;                  // another worm waits for the virtual channel
    bool announced : 1;                // an event for it is due
    bool waits : 1;                    // the head waits until the worm ahead has left
    bool stale : 1;                    // flits may arrive later than `departures` assumes
    Cycle head = never;
    Cycle tail = never;  // as far as known
    /// The tail, if flits departed one after the other, in turn with others; of the flits behind
    /// the head of a held path only when they may depart.
    Cycle base = 0;
    /// Bit b: a flit departs b cycles after `first_flit`. 0: not known one by one.
    std::uint64_t departures = 0;
    std::uint64_t lost = 0;  // bit b: b cycles after `since`, a flit loses the output
    Cycle since = 0;
    Cycle before = 0;  // when the worm ahead leaves the buffer, unless it is `ahead`; 0: long ago
    Place ahead;       // in the buffer behind the channel, while its times may change
    Place previous;    // the same if they were known at once; valid until `before`
    Place behind;      // whose `ahead` is this one

    explicit Hop(int its_unit)
        : unit(its_unit),
          length_before(0),
          awaited(false),
          announced(false),
          waits(false),
          stale(false) {}
  };
  struct Worm {
    std::int64_t length = 1;
    Cycle hold = -1;
    Cycle body = 0;  // the flits behind the head depart from here on; 0: any time, never: not known
    Cycle requested = 0;
    Cycle waited = 0;
    Cycle slowed = 0;  // by turns of others, since it has waited for a virtual channel
    int ticket = 0;    // the number of its present request
    int events = 0;    // number of those that are due
    bool departed = false;
    bool taken = false;
    bool finished = true;
    bool awaited = false;    // another worm waits for one of its virtual channels
    std::vector<int> route;  // pools; empty: chosen one after the other
    std::vector<Hop> hops;
  };
  /// A virtual channel, and the worm that has held it last.
  struct Unit {
    Cycle free = 0;  // from when on another worm may have it, as far as known
    Cycle exit = 0;  // when its last flit leaves the buffer, as far as known
    Place last;      // valid until `exit`
    int length = 0;  // flits of that worm
    int channel = 0;
    int pool = -1;
    // Of its channel, here so that they are read together.
    int crossing = 0;
    int decision = 0;
    int passage = 0;
    int credit = 0;
    int buffer = 0;
    std::uint8_t turn = 0;  // where the next worm in its buffer begins to search
    bool held = false;
    bool ends = false;   // ReservedChannel::last
    bool plain = false;  // a worm that is shorter than the buffer crosses it without a gap
  };
  struct Waiting {
    int worm;
    int ticket;
  };
  struct Pool {
    int first_unit = 0;
    int count = 0;
    std::uint8_t turn = 0;
    std::size_t first = 0;
    std::vector<Waiting> waiting;
  };
  /// A worm whose flits use the same input or output.
  struct Rival {
    Place place;
    bool at_output;
    bool delayed = false;
    bool served = false;  // it has had a turn since the last flit of the new worm
    int group = 0;        // rivals of one group have their turns together
    // Bit 0: in the cycle of the new worm's head.
    std::uint64_t departures = 0;
    std::uint64_t head = 0;       // the one of them that is its head's; 0: none
    std::uint64_t lost = 0;       // cycles in which a flit of it loses the output
    std::uint64_t elsewhere = 0;  // cycles in which others use its other end
    std::uint64_t late = 0;       // cycles in which its flits would be late
    Cycle later = 0;              // its tail, since flits depart after the planned cycles

    Rival(const Place& its_place, bool output) : place(its_place), at_output(output) {}
  };
  /// A worm whose flits are delayed by turns of others on a channel, from a cycle on.
  struct Delay {
    Place place;
    Cycle since;
    Cycle tail;  // before
  };

  const Hop& hop_of(int worm, int hop) const { return worms_[index(worm)].hops[index(hop)]; }
  Hop& at(const Place& place) { return worms_[index(place.worm)].hops[index(place.hop)]; }
  const ReservedChannel& channel_of(const Hop& hop) const {
    return channels_[index(units_[index(hop.unit)].channel)];
  }
  Place newest(int worm) const { return {worm, crossed(worm) - 1}; }
  bool goes_on(const Place& place) const { return crossed(place.worm) > place.hop + 1; }
  bool ends(const Place& place) const { return channel_of(hop_of(place.worm, place.hop)).last; }
  static Place next_of(const Place& place) { return {place.worm, place.hop + 1}; }
  /// The worm ahead of another one in the buffer behind a channel, if it is still there.
  Place ahead_of(const Hop& hop) const {
    if (hop.ahead.worm >= 0 || hop.before <= now_) return hop.ahead;
    return hop.previous;
  }
  bool with_path() const { return release_ == Release::with_path; }

  // Requests and releases.
  void foresee(Cycle cycle, WormEvent::Step step, const Place& place);
  void request(int worm);
  void request_one_of(int worm);
  bool glide(int worm, int unit);
  bool queue_for(const Unit& unit, std::int64_t length, Hop& hop) const;
  void wait(int worm, int pool);
  int free_unit(int pool, int worm);
  bool is_free(int number, int worm) const {
    const Unit& unit = units_[index(number)];
    if (unit.held && (with_path() || unit.free > now_)) return false;
    return !channels_[index(unit.channel)].whole ||
           room_time(number, worms_[index(worm)].length) <= now_;
  }
  Cycle room_time(int unit, std::int64_t length) const;
  Cycle free_time(int unit);
  bool is_last(const Place& place) const;
  bool is_awaited(Pool& pool) const;
  void await(int pool);
  void take(int worm, int unit);
  static void queue_behind(const Unit& unit, Hop& hop);
  void queue_up(const Place& place);
  void release(int unit);
  void announce(const Place& place);
  void pass(const Place& place);
  void depart(int worm);
  void finish(int worm);
  void retire(int worm);
  void release_awaited(int worm);
  void forget(int worm);

  // Heads, and the tails that follow from them.
  void start_head(int worm);
  void follow_head(const Place& place);
  void follow_path(int worm);
  void open(int worm);
  void await_front(int worm);
  bool is_held_up(int worm) const;
  Cycle front_time(const Place& place) const;
  Cycle exit_time(const Place& place, std::int64_t but = 0) const;
  Cycle left_time(const Hop& hop, std::int64_t flit) const;
  Cycle space_time(const Place& place, std::int64_t flit) const;
  Cycle stall_of(const Hop& hop) const;
  Cycle own_space_time(const Place& place, std::int64_t flit) const;
  void update_tail(const Place& place);
  void follow_tail(const Place& place);
  void follow_exit(const Place& place, Cycle exit);

  // Single flits.
  bool is_open(const Place& place) const;
  Cycle first_flit(const Place& place) const;
  std::uint64_t arrivals(const Hop& hop, const Hop& before) const;
  std::uint64_t with_space(const Hop& hop, std::uint64_t departures) const;
  void refresh(const Place& place);
  /// While a tail is not known, flits depart unless they are blocked.
  static Cycle known_tail(const Hop& hop) { return hop.tail < never ? hop.tail : hop.base; }
  std::uint64_t departures_from(const Place& place, Cycle first);
  Cycle flit_time(const Place& place, std::int64_t flit) const;

  // Flits that take turns.
  void plan(Hop& hop, const Hop* before, std::int64_t length);
  void plan_body(int worm);
  template <class Visit>
  void for_each_user(int channel, bool at_output, Cycle first, Visit visit) const;
  void add_rivals(const Hop& hop, const Hop* before, bool at_output);
  std::uint64_t late_cycles(const Rival& rival, Cycle first) const;
  std::uint64_t settled() const;
  std::uint64_t busy_cycles() const;
  void serve(std::uint64_t bit);
  bool must_wait(std::uint64_t bit, int turns, bool is_long) const;
  bool is_passed_over(std::uint64_t bit, bool is_head) const;
  bool lose_turn(std::uint64_t bit, std::uint64_t own, Cycle first);
  std::uint64_t take_turns(Hop& hop, std::int64_t length);
  void push_back(std::uint64_t bit, std::uint64_t own, Cycle first, bool at_output);
  std::uint64_t elsewhere(const Rival& rival, Cycle first);
  void exchange(Rival& rival, std::uint64_t bit, Cycle first);
  bool waits(const Place& place, Cycle cycle) const;
  bool is_idle(const Place& place, Cycle cycle);
  void delay_rivals(Cycle first);
  void update_delayed(std::size_t begin);

  // Flits that are not known one by one.
  Cycle evenly_from(const Place& place, Cycle tail) const;
  FlitStream rest_of(const Rival& rival, Cycle planned) const;
  Cycle last_turn(const Rival& rival, Cycle tail, Cycle planned) const;
  Cycle share_rest(Cycle planned, std::int64_t left);
  void keep_rate(Hop& hop, Cycle first, std::int64_t length);
  Cycle last_ready(const Place& place) const;
  void hold_back(const Place& place, Cycle since, Cycle tail);

  Release release_;
  std::vector<ReservedChannel> channels_;
  std::vector<int> first_unit_;  // of each channel
  bool shared_ = false;          // some channel has several virtual channels
  bool stalls_ = false;          // some buffer is smaller than a credit's round trip
  std::vector<Unit> units_;
  std::vector<Cycle> free_from_;  // by channel: when all flits planned so far could have departed
  std::vector<Pool> pools_;
  WormDriver& driver_;
  std::vector<Worm> worms_;
  std::vector<int> vacant_;  // numbers of worms
  std::vector<int> choices_;
  std::vector<Rival> rivals_;
  std::vector<Delay> delayed_;
  std::vector<FlitStream> streams_;
  WormCalendar calendar_;  // under Release::with_tail
  int present_ = 0;
  Cycle now_ = 0;
};

/// Calls `visit(unit, place)` for each worm whose flits depart after `first`: `at_output`, the
/// worms that have held a virtual channel of a channel last, on it; otherwise these and the ones
/// ahead of them, from the buffers behind it on their next channel.
template <class Visit>
void Reservations::for_each_user(int channel, bool at_output, Cycle first, Visit visit) const {
  const int base = first_unit_[index(channel)];
  for (int unit = base; unit < base + channels_[index(channel)].vcs; ++unit) {
    const Unit& its = units_[index(unit)];
    const Cycle end = at_output ? its.free : its.exit;
    if (end <= std::max(first, now_) || its.last.worm < 0) continue;
    if (at_output) {
      visit(unit, its.last);
      continue;
    }
    const Place ahead = ahead_of(hop_of(its.last.worm, its.last.hop));
    if (ahead.worm >= 0 && goes_on(ahead)) visit(unit, next_of(ahead));
    if (goes_on(its.last)) visit(unit, next_of(its.last));
  }
}

}  // namespace flitwave
