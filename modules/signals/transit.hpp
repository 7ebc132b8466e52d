// modules/signals/transit.hpp: a flit observed crossing a channel, and its listeners.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "configs/quantity.hpp"
#include "modules/signals/flit.hpp"

namespace flitwave {

/// One flit crossing one channel: it is on the receiver's wires in this cycle and is taken at the
/// next edge.
struct Transit {
  // Constructed in place: a copy of both at once would wait for the two stores.
  Transit(int its_channel, Flit its_flit) : channel(its_channel), flit(its_flit) {}

  int channel;  ///< Index into the netlist's channels.
  Flit flit;
};

/// Receives the flits that cross channels, all those of one cycle at a time. Plain C++: no SystemC
/// needed.
class TransitListener {
 public:
  virtual ~TransitListener() = default;

  /// The order of transits within a cycle is not defined. The packets of the flits are still in the
  /// packet pool.
  virtual void on_transits(Cycle cycle, const std::vector<Transit>& transits) = 0;
};

/// The transits of a group of channels in the current cycle, to be passed to listeners.
class TransitFeed {
 public:
  void add(int channel, Flit flit) { batch_.emplace_back(channel, flit); }
  void listen(TransitListener& listener) { listeners_.push_back(&listener); }
  bool wanted() const { return !listeners_.empty(); }

  /// Passes this cycle's transits to the listeners.
  void flush(Cycle cycle) {
    if (batch_.empty()) return;
    for (TransitListener* listener : listeners_) listener->on_transits(cycle, batch_);
    batch_.clear();
  }

 private:
  std::vector<Transit> batch_;
  std::vector<TransitListener*> listeners_;
};

}  // namespace flitwave
