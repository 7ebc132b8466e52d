// testbenches/waves/wave_sources.hpp: the sources of a wave's values: channel ends, signals.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include <systemc>

#include "modules/packet/packet_pool.hpp"
#include "testbenches/waves/files/wave_file.hpp"
#include "testbenches/waves/wave_plan.hpp"

namespace flitwave {

/// Wires that are sampled together, and the consecutive variables of a file that show them.
class WaveSource {
 public:
  virtual ~WaveSource() = default;

  /// Has `mark` set when a wire changes, but not when a pulse on it ends; the mark of no set: ends
  /// that. Returns: false where the kernel commits the wires, so that `events` report all changes.
  virtual bool listen(ChangeMark mark) = 0;
  /// Notified when a wire has changed.
  virtual std::vector<const sc_core::sc_event*> events() const = 0;

  /// Samples the current values of the wires. Needs: called after each change, because the packet
  /// of a flit is known only while the flit is on the wires.
  /// Returns: whether a pulse is on them, so that they change in the next cycle without a mark.
  virtual bool sample() = 0;
  /// Whether the wires have changed since they were sampled.
  virtual bool is_stale() const = 0;

  /// What has settled; bits of a sum.
  enum Settled : unsigned {
    nothing = 0,
    with_flit = 1,   ///< A flit, which was not on the wires before.
    stalled = 2,     ///< No flit, although one waits.
    with_pulse = 4,  ///< As of `sample`; known to `record` only.
  };
  /// The time of the last sample has passed: its values are those of the signals, and those that
  /// have changed are written, unless `sink` is null.
  virtual unsigned settle(ValueSink* sink) = 0;
  /// `sample` and `settle` in one, where each sample is settled at once.
  /// Needs: no sample that was not settled
  virtual unsigned record(ValueSink* sink) {
    const unsigned pulses = sample() ? with_pulse : nothing;
    return settle(sink) | pulses;
  }
  /// The settled signals of a channel end; null for other sources.
  virtual const WaveSignal::Values* end() const { return nullptr; }
  /// At the last sample: SenderWatch::head_blocked_since of the channel that begins here.
  virtual std::int64_t head_blocked_since() const { return -1; }
  /// Writes the values of all signals.
  virtual void write_all(ValueSink& sink) const = 0;
};

/// One source per channel end of the plan, then one per router and one per inner wire, in the order
/// of `variables_of`. The plan outlives them.
std::vector<std::unique_ptr<WaveSource>> sources_of(const WavePlan& plan);

}  // namespace flitwave
