// testbenches/experiments/timeline.hpp: what happened in a run, for viewers of traces.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace flitwave {

/// The results in the folder of a run as trace events, which Perfetto and chrome://tracing open.
///
/// Three groups of tracks, each of which exists if the run has its table:
///
/// * messages (transfers.csv): one track per sending node; a transfer lasts from when its data was
/// at
///   the sender until it was received. An arrow leads from the transfer that brought the data.
/// * packets (packets.csv): one track per source; a packet waits in the source queue, is in the
///   network until its head has arrived, then its tail follows.
/// * channels (flit_log.csv): one track per channel and virtual channel; a packet lasts from its
///   first to its last flit on the channel.
///
/// Where several are at the same time at a node, further tracks of the node follow. A packet is
/// named by source and number: 3_1#17. Unit of times: us of simulated time. Source: Trace Event
/// Format, complete, flow and metadata events. Throws: SystemFailure when the folder contains no
/// results of a run, or a table is damaged;
///   ConfigError when it has none of the tables.
std::string timeline_of(const std::string& folder);

}  // namespace flitwave
