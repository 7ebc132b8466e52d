// testbenches/waves/wave_changes.hpp: the wires of a wave that have changed, under any scheduling.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <systemc>

#include "modules/clock/clock_domain.hpp"
#include "modules/signals/active_set.hpp"
#include "testbenches/waves/wave_sources.hpp"

namespace flitwave {

/// Collects the sources that have changed: marked by the ticks and commits of the clock domain, or
/// reported by a process per source for sc_signals.
///
/// Timing: `on_changes` is called in the update phase after a tick or a commit, or in the delta
/// cycle
///   after an sc_signal has changed; an exception from it ends the run.
/// Needs: the simulation has not started; sources and domain outlive it.
class WaveChanges {
 public:
  WaveChanges(const std::vector<std::unique_ptr<WaveSource>>& sources, ClockDomain& domain,
              std::function<void()> on_changes);
  ~WaveChanges();
  WaveChanges(const WaveChanges&) = delete;
  WaveChanges& operator=(const WaveChanges&) = delete;

  /// The sources that have changed since the set was emptied, and those that are kept in it.
  ActiveSet& changed() { return changed_; }
  /// Stops all reports of changes.
  void stop();
  bool stopped() const { return stopped_; }

 private:
  class Watcher;

  void report() {
    if (!stopped_ && !changed_.empty()) on_changes_();
  }

  const std::vector<std::unique_ptr<WaveSource>>& sources_;
  ClockDomain& domain_;
  std::function<void()> on_changes_;
  ActiveSet changed_;
  std::vector<std::unique_ptr<Watcher>> watchers_;  // for sources that the domain does not commit
  bool stopped_ = false;
};

}  // namespace flitwave
