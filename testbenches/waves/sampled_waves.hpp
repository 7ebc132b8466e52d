// testbenches/waves/sampled_waves.hpp: samples the sources of a wave as time advances.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "testbenches/waves/gtkwave.hpp"
#include "testbenches/waves/wave_changes.hpp"
#include "testbenches/waves/wave_plan.hpp"
#include "testbenches/waves/wave_sources.hpp"

namespace flitwave {

/// A base of recordings. Sources that have changed are sampled at once; the last sample at a time
/// is settled when time advances, so that values of single delta cycles are not shown. Where all
/// wires change together, in the update phase of a tick, samples are settled at once.
class SampledWaves : public Waves {
 public:
  void mark(const std::string& name, std::int64_t time) final {
    view_.markers.push_back({name, time});
  }
  void finish(std::int64_t end) final;

 protected:
  explicit SampledWaves(WavePlan plan);

  /// Writes the samples at `time()`, by `settle`.
  virtual void write_step() = 0;
  /// Time advances to `now`, and the samples before are settled. Returns: whether changes at `now`
  /// are to be recorded; otherwise recording stops.
  virtual bool advance(std::int64_t now) = 0;
  /// A flit is on the wires of a channel end at `time()`, and there is a trigger.
  virtual void see(const WaveSignal::Values&) {}
  /// The run has ended at `end`. `recording`: whether it lasted until then.
  virtual void end_at(std::int64_t end, bool recording) = 0;

  const WavePlan& plan() const { return plan_; }
  const std::vector<std::unique_ptr<WaveSource>>& sources() const { return sources_; }
  /// With a trigger on what is blocked, since when a channel, or a head that waits for one, has
  /// been blocked longest; none: negative. Unit: ps
  std::int64_t blocked_since() const { return stalls_.empty() ? -1 : *stalls_.begin(); }
  /// The time of the samples.
  std::int64_t time() const { return time_; }
  /// Settles the samples; what has changed is written, unless `sink` is null. `active`: from when
  /// on flits count as the first activity.
  void settle(ValueSink* sink, std::int64_t active);
  /// Adds the markers of the first flit and of the longest stall. `end`: of the run.
  void mark_events(std::int64_t end);
  /// The view of what was recorded from `begin` until `end`; it begins where a flit was first seen,
  /// and has no markers outside.
  WaveView view_of(std::int64_t begin, std::int64_t end) const;

 private:
  void sample_changed();
  void sample_unreported();
  bool advance_to(std::int64_t now);
  bool settles_at_once() const { return together_ && !plan_.domain.commits().foreign; }
  void note(std::size_t source, unsigned settled);
  void note_flit(std::size_t source);
  void note_stall(std::size_t source);
  void note_head(std::size_t source);
  void time_stall(std::int64_t before, std::int64_t now);

  WavePlan plan_;
  std::vector<std::unique_ptr<WaveSource>> sources_;
  WaveChanges changes_;
  bool has_trigger_;
  bool counts_flits_ = false;  // at `time_`, and nothing else is to be noted of them
  bool is_active_ = false;     // at `time_`, flits count as activity
  bool together_;      // unless foreign modules drive wires, all wires change in one update phase
  ActiveSet sampled_;  // at `time_`, not yet settled
  std::int64_t time_ = 0;  // time of the last change
  WaveView view_;
  std::vector<std::int64_t> blocked_;   // per source: since when; negative: it is not blocked
  int are_blocked_ = 0;                 // sources
  std::vector<std::int64_t> heads_;     // as blocked_, of the heads that wait for the channel
  std::multiset<std::int64_t> stalls_;  // times in blocked_ and heads_, with a trigger on them
  struct Stall {
    std::int64_t begin = -1;
    std::int64_t length = 0;
  };
  Stall worst_;
  bool finished_ = false;
};

/// Keeps the last `plan.window` of time in memory, and writes it on Waves::write_window.
std::unique_ptr<Waves> keep_wave_window(WavePlan plan);

}  // namespace flitwave
