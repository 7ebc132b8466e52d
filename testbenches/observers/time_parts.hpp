// testbenches/observers/time_parts.hpp: a stretch of time, split into the parts of a latency.
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

/// The part of a packet's latency that a cycle belongs to; docs/anatomy.md has the rules.
enum class Part {
  source_queue,        ///< Until its interface begins to send it.
  injection,           ///< At the source's interface, and the channel to the router.
  route_wait,          ///< Route computation.
  vc_allocation_wait,  ///< Virtual-channel allocation.
  switch_wait,         ///< Switch allocation and traversal.
  credit_wait,         ///< No credit: the next buffer is full.
  link,                ///< Channels between routers.
  serialisation,       ///< Behind flits of its own packet.
  ejection,            ///< The channel to the destination's interface, and a full buffer there.
  router,              ///< A router that reports no passages.
};
constexpr std::size_t part_count = 10;
std::vector<std::string> names_of(Part);

/// The cycles waited for a channel; those waited before on the path are another list.
struct HeldUp {
  int channel = 0;  ///< Index into the netlist's channels.
  Cycle cycles = 0;
  std::shared_ptr<const HeldUp> before;
};

/// Adjoining stretches of time, by part. A cycle that would also pass in an empty network is a
/// share of zero load, any other is a wait.
class TimeParts {
 public:
  /// A share of zero load.
  void pass(Part part, Cycle cycles) { at(part).zero_load += cycles; }
  /// A wait for a channel; -1: for no channel.
  void wait(Part part, Cycle cycles, int channel) {
    at(part).waited += cycles;
    if (cycles == 0 || channel < 0) return;
    const bool same = held_up_ && held_up_->channel == channel;
    held_up_ = std::make_shared<const HeldUp>(HeldUp{
        channel, cycles + (same ? held_up_->cycles : 0), same ? held_up_->before : held_up_});
  }
  /// Removes some of the latest wait, which was for a channel.
  void take_back(Part part, Cycle cycles);
  /// Removes the first cycles, which belong to the queue at the source.
  void skip_queue(Cycle cycles);

  Cycle of(Part part) const { return zero_load(part) + waited(part); }
  Cycle zero_load(Part part) const { return parts_[index(part)].zero_load; }
  Cycle waited(Part part) const { return parts_[index(part)].waited; }
  Cycle total() const;
  Cycle waited() const;

  /// The channels waited for, with the cycles, in the order of the path.
  std::vector<std::pair<int, Cycle>> held_up() const;

  /// Adds times, but not the channels that were waited for.
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
