// modules/signals/ready_wires.hpp: the wires by which a receiver reports free space.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include <systemc>

#include "modules/signals/commit_queue.hpp"
#include "modules/signals/one_end.hpp"
#include "modules/signals/wire.hpp"

namespace flitwave {

/// One `ready` wire per virtual channel, from receiver to sender; driven by one module, the writer,
/// and read by one, the reader. Others may observe them.
///
/// Timing: a value driven in a tick is on the wires from the next delta cycle on, until the next
///   drive. All wires are high at the start.
class ReadyWires final : private WireOwner {
 public:
  class Writer;
  class Reader;

  ReadyWires(CommitQueue& queue, int vcs);
  ReadyWires(const ReadyWires&) = delete;
  ReadyWires& operator=(const ReadyWires&) = delete;

  /// The end that drives, and the end that is ticked when a wire changes.
  /// Throws: ModelError when it was taken before.
  Writer writer();
  Reader reader();

  /// Bit v: ready[v] is high.
  std::uint64_t bits() const;
  bool ready(int vc) const { return (bits() >> vc & 1) != 0; }

  sc_core::sc_signal_inout_if<bool>& wire(int vc);
  int vcs() const { return vcs_; }

  /// The link whose offers these wires accept, where what crosses it is reported.
  void set_forward(LinkWires<Flit>& forward) { forward_ = &forward; }
  /// The mark is set in the update phases that change a wire.
  void set_mark(ChangeMark mark) { mark_ = mark; }

  /// Whether what was driven differs from the values on the wires.
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

  void drive(int vc, bool ready);
  void driven_from_outside() override { queue_.foreign = true; }
  void written_from_outside() override;

  int vcs_;
  std::uint64_t bits_;            // committed, when batched
  std::vector<Bit> values_;       // Shape: [vcs], when batched
  std::deque<Wire<bool>> wires_;  // Shape: [vcs], when batched
  std::unique_ptr<sc_core::sc_vector<sc_core::sc_signal<bool>>> plain_;
  bool dirty_ = false;
  bool is_written_ = false;
  bool is_read_ = false;
  int module_ = -1;  // the reader's
  LinkWires<Flit>* forward_ = nullptr;
  ChangeMark mark_;
  CommitQueue& queue_;
};

/// The end that drives; of no wires by default.
class ReadyWires::Writer : public detail::OneEnd<ReadyWires> {
 public:
  Writer() = default;

  /// Whether ready[vc] is high.
  bool ready(int vc) const { return of().ready(vc); }
  void drive(int vc, bool ready) { of().drive(vc, ready); }

 private:
  friend class ReadyWires;
  explicit Writer(ReadyWires& wires) : OneEnd(wires) {}
};

/// The end that reads; of no wires by default.
class ReadyWires::Reader : public detail::OneEnd<ReadyWires> {
 public:
  Reader() = default;

  /// Bit v: ready[v] is high.
  std::uint64_t bits() const { return of().bits(); }
  /// The module to be ticked when a wire changes.
  void set_module(int module) { of().module_ = module; }

 private:
  friend class ReadyWires;
  explicit Reader(ReadyWires& wires) : OneEnd(wires) {}
};

}  // namespace flitwave
