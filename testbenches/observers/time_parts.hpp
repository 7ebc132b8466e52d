// testbenches/observers/time_parts.hpp: a stretch of time, and what each of its cycles went to.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "configs/quantity.hpp"
#include "topologies/ids.hpp"

namespace flitwave {

/// What a cycle of a packet's latency goes to; docs/anatomy.md has the rules.
enum class Part {
  source_queue,        ///< Until its interface begins with it.
  injection,           ///< At the source's interface, and the channel to the router.
  route_wait,          ///< The stage that finds its route.
  vc_allocation_wait,  ///< The stage that gives it a virtual channel.
  switch_wait,         ///< The stage that lets it cross the switch, and the crossing.
  credit_wait,         ///< No room behind.
  link,                ///< Channels between routers.
  serialisation,       ///< Behind flits of its own packet.
  ejection,            ///< The channel to the destination's interface, and no room there.
  router,              ///< A router that tells nothing.
};
constexpr std::size_t part_count = 10;
std::vector<std::string> names_of(Part);

/// The cycles that were waited for a channel, and those waited for before on the way.
struct HeldUp {
  int channel = 0;  ///< Index into the netlist's channels.
  Cycle cycles = 0;
  std::shared_ptr<const HeldUp> before;
};

/// Adjoining stretches of time, by what they went to. A cycle that would be spent in an empty
/// network too is a share of zero load, any other is a wait.
class TimeParts {
 public:
  /// A share of zero load.
  void pass(Part part, Cycle cycles) { at(part).zero_load += cycles; }
  /// A wait for a channel; -1: for none.
  void wait(Part part, Cycle cycles, int channel) {
    at(part).waited += cycles;
    if (cycles == 0 || channel < 0) return;
    const bool same = held_up_ && held_up_->channel == channel;
    held_up_ = std::make_shared<const HeldUp>(HeldUp{
        channel, cycles + (same ? held_up_->cycles : 0), same ? held_up_->before : held_up_});
  }
  /// Takes back some of the latest wait, which was for a channel.
  void take_back(Part part, Cycle cycles);
  /// Forgets the first cycles, which went to the queue at the source.
  void skip_queue(Cycle cycles);

  Cycle of(Part part) const { return zero_load(part) + waited(part); }
  Cycle zero_load(Part part) const { return parts_[index(part)].zero_load; }
  Cycle waited(Part part) const { return parts_[index(part)].waited; }
  Cycle total() const;
  Cycle waited() const;

  /// The channels waited for, with the cycles, in the order of the way.
  std::vector<std::pair<int, Cycle>> held_up() const;

  /// Adds times, but not for which channels was waited.
  TimeParts& operator+=(const TimeParts& other);

 private:
  struct Cycles {
    Cycle zero_load = 0;
    Cycle waited = 0;
  };

  Cycles& at(Part part) { return parts_[index(part)]; }

  std::array<Cycles, part_count> parts_{};
  std::shared_ptr<const HeldUp> held_up_;
};

}  // namespace flitwave
