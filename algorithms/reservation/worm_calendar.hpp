// algorithms/reservation/worm_calendar.hpp: the events of worms, by cycle.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "configs/quantity.hpp"

namespace flitwave {

/// What happens to a worm at a cycle.
struct WormEvent {
  enum class Step : std::uint8_t {
    request,  ///< Its head requests its next channel.
    depart,   ///< Its last flit departs on its first channel.
    pass,     ///< Its last flit has passed channel number `hop`.
    finish,   ///< Its last flit is taken.
  };
  Step step = Step::request;
  std::uint16_t hop = 0;
  int worm = 0;
};

/// Events in the order of cycles; those of one cycle in the order in which they were added.
class WormCalendar {
 public:
  /// Returns: whether it is the first event of its cycle. Range: `cycle` not before that of the
  /// last `next`
  bool add(Cycle cycle, const WormEvent& event) {
    ++count_;
    std::vector<WormEvent>& events = cycle - now_ < near ? slot(cycle) : far_[cycle];
    events.push_back(event);
    return events.size() == 1;
  }

  /// Moves the next event of cycle `now`, if there is one, to `event`. Range: `now` never
  /// decreases, and passes no cycle with events.
  bool next(Cycle now, WormEvent& event) {
    if (now != now_) begin(now);
    std::vector<WormEvent>& events = slot(now);
    if (done_ == events.size()) {
      events.clear();
      done_ = 0;
      return false;
    }
    event = events[done_++];
    --count_;
    return true;
  }

  /// Events that are due.
  std::size_t size() const { return count_; }

 private:
  static constexpr Cycle near = 512;

  std::vector<WormEvent>& slot(Cycle cycle) {
    return near_[static_cast<std::size_t>(cycle) & static_cast<std::size_t>(near - 1)];
  }

  void begin(Cycle now) {
    now_ = now;
    const auto far = far_.find(now);
    if (far == far_.end()) return;
    std::vector<WormEvent>& events = slot(now);
    // Those that were added while the cycle was far precede the others.
    far->second.insert(far->second.end(), events.begin(), events.end());
    events = std::move(far->second);
    far_.erase(far);
  }

  std::array<std::vector<WormEvent>, static_cast<std::size_t>(near)> near_;
  std::map<Cycle, std::vector<WormEvent>> far_;
  Cycle now_ = 0;
  std::size_t done_ = 0;  // events of the present cycle
  std::size_t count_ = 0;
};

}  // namespace flitwave
