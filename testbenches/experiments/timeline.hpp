// testbenches/experiments/timeline.hpp: what happened in a run, for viewers of traces and of waves.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace flitwave {

/// Something that lasts, such as a packet, with its stages one after another. Unit of times: cycle
struct TimelineSlice {
  struct Stage {
    std::string name;
    double begin = 0;
    double end = 0;
  };

  /// Of a group in Timeline::groups, and of the slice in it.
  struct Place {
    int group = -1;
    int slice = -1;

    bool valid() const { return slice >= 0; }
  };

  std::string track;  ///< Those of a name at the same time are in different lanes.
  double begin = 0;
  double end = 0;
  std::string name;
  std::vector<std::pair<std::string, std::string>> details;
  std::vector<Stage> stages;
  int cause = -1;  ///< The slice of the group for which it waited; -1: none.
  Place serves;    ///< The slice for which it took place, if there is one.
  int row = -1;    ///< Of its table; -1: nothing serves it.
  int lane = 0;

  std::string full_name() const { return track + " " + name; }
};

/// Slices in the order of their beginning.
struct TimelineGroup {
  std::string name;
  std::vector<TimelineSlice> slices;
};

/// The tables in the folder of a run, each a group if the run has it:
///
/// * steps (transfers.csv): the steps that all deliveries of a collective have in common; a step
///   lasts from when the first of its transfers could begin until all were received, or until the
///   end of the run. Deliveries with release times count steps of their own, and are left out.
/// * messages (transfers.csv): one track per sending node; a transfer lasts from when it could
///   begin until it was received. Its cause is, of the transfers whose data it needs, the one that
///   was done last.
/// * transactions (transactions.csv): one track per socket of an initiator. A transaction is named
///   by command, address and number among those of its socket: load 0x8 #2.
/// * packets (packets.csv, undelivered.csv): one track per source; a packet waits in the source
///   queue, is in the network until its head has arrived, then its tail follows. One that has not
///   arrived lasts until the end of the run. It serves a transfer, a transaction, or neither.
/// * channels (flit_log.csv): one track per channel and virtual channel; a packet lasts from its
///   first to its last flit on the channel.
///
/// A packet is named by source and number: 3_1#17.
struct Timeline {
  std::int64_t period = 0;  ///< Of the clock. Unit: ps
  std::int64_t before = 0;  ///< Cycles of the reset before cycle 1.
  std::int64_t cycles = 0;  ///< Simulated.
  std::string wave;         ///< The name of the file of its wave, if it wrote one.
  std::vector<TimelineGroup> groups;

  /// Throws: SystemFailure when the folder contains no results of a run, or a table is damaged;
  ///   ConfigError when it has none of the tables.
  static Timeline of(const std::string& folder);

  const TimelineSlice& slice(const TimelineSlice::Place& place) const;
  /// The time of the edge of a cycle, to the next picosecond.
  std::int64_t picoseconds(double cycle) const;
};

/// As trace events, which Perfetto and chrome://tracing open: a process per group, a thread per
/// lane of a track, an arrow from each cause, and one from the beginning of each slice to those
/// that serve it. Unit of times: us. Source: Trace Event Format, duration, flow and metadata
/// events.
std::string timeline_json(const Timeline& timeline);

/// As a VCD file. Below the scope `timeline` and that of its group, each track is a scope with the
/// texts `slice`, the name of a slice, `stage`, `after`, the cause, and `serves`, where slices have
/// these; its lanes beyond the first are scopes in it. A text is "-" for none, and has `_` for
/// blanks; slices of no length are not shown. `wave`: the wave of the same run, whose signals
/// precede the tracks, and where they begin and end; null: none.
/// Returns: the rows of its tracks for `timeline_view`.
/// Throws: SystemFailure when `wave` is no VCD file that a run has written.
std::string write_timeline_vcd(const Timeline& timeline, std::istream* wave, std::ostream& out);
/// The save file of GTKWave for the VCD file `name`.vcd. `rows`: of its tracks. `view`: that of the
/// wave; empty: none.
std::string timeline_view(const std::string& rows, const std::string& view,
                          const std::string& name);

}  // namespace flitwave
