// modules/signals/ready_wires.hpp: the wires by which a receiver says that it has room.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include <systemc>

#include "modules/signals/commit_queue.hpp"
#include "modules/signals/wire.hpp"

namespace flitwave {

/// One `ready` wire per virtual channel, from receiver to sender.
///
/// Timing: what is driven in a tick stands from the next delta cycle on, until it is driven anew.
///   All wires are high at the start.
class ReadyWires final : private WireOwner {
 public:
  ReadyWires(CommitQueue& queue, int vcs);
  ReadyWires(const ReadyWires&) = delete;
  ReadyWires& operator=(const ReadyWires&) = delete;

  /// Bit v: ready[v] stands high.
  std::uint64_t bits() const;
  bool ready(int vc) const { return (bits() >> vc & 1) != 0; }
  void drive(int vc, bool ready);

  sc_core::sc_signal_inout_if<bool>& wire(int vc);
  int vcs() const { return vcs_; }

  /// The module to be ticked when a wire changes.
  void set_reader(int module) { reader_ = module; }
  /// The link whose offers these wires accept, where what crosses it is reported.
  void set_forward(LinkWires<Flit>& forward) { forward_ = &forward; }
  void set_listener(LinkListener* listener) { listener_ = listener; }

  /// Whether what was driven differs from what stands.
  bool changes() const;

  /// Update phase only.
  void commit(sc_dt::uint64 stamp);

 private:
  struct Bit {
    bool current = true;
    bool next = true;
    sc_dt::uint64 stamp = ~sc_dt::uint64{0};
    std::uint8_t changed = 0;
    bool watched = false;
  };

  void driven_from_outside() override { queue_.foreign = true; }
  void written_from_outside() override;

  int vcs_;
  std::uint64_t bits_;            // committed, when batched
  std::vector<Bit> values_;       // Shape: [vcs], when batched
  std::deque<Wire<bool>> wires_;  // Shape: [vcs], when batched
  std::unique_ptr<sc_core::sc_vector<sc_core::sc_signal<bool>>> plain_;
  bool dirty_ = false;
  int reader_ = -1;
  LinkWires<Flit>* forward_ = nullptr;
  LinkListener* listener_ = nullptr;
  CommitQueue& queue_;
};

}  // namespace flitwave
