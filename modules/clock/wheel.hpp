// modules/clock/wheel.hpp: the cycles at which sleepers are woken.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "configs/quantity.hpp"

namespace flitwave {

/// An object that is to be woken at a cycle.
class Sleeper {
 public:
  /// Called at the cycle, before the modules of the cycle are ticked. A module's tick receives data
  /// from this call one cycle later.
  virtual void due() = 0;

 protected:
  ~Sleeper() = default;
};

/// A timing wheel: constant time for near cycles, an ordered map for far ones.
class Wheel {
 public:
  static constexpr Cycle never = INT64_MAX;

  /// Range: `cycle` greater than that of the last `advance`.
  void add(Cycle cycle, Sleeper& sleeper) {
    if (cycle - now_ < slots) {
      const std::size_t slot = slot_of(cycle);
      near_[slot].push_back(&sleeper);
      occupied_[slot >> 6] |= std::uint64_t{1} << (slot & 63);
    } else {
      far_[cycle].push_back(&sleeper);
    }
  }

  /// The same, woken after all that `add` names for that cycle.
  void add_last(Cycle cycle, Sleeper& sleeper) { last_[cycle].push_back(&sleeper); }

  /// The first cycle after the last `advance` at which a sleeper is due, or `never`.
  Cycle next() const;

  /// Advances to `cycle` and wakes all sleepers that are due, in the order in which they were
  /// added.
  /// Needs: no entry is due before `cycle`.
  void advance(Cycle cycle);

 private:
  static constexpr Cycle slots = 1024;
  /// Range: no negative cycle.
  static std::size_t slot_of(Cycle cycle) { return static_cast<std::size_t>(cycle) % slots; }

  Cycle now_ = 0;
  std::array<std::vector<Sleeper*>, slots> near_;
  std::array<std::uint64_t, slots / 64> occupied_{};
  std::map<Cycle, std::vector<Sleeper*>> far_;
  std::map<Cycle, std::vector<Sleeper*>> last_;
  std::vector<Sleeper*> due_;
};

}  // namespace flitwave
