// algorithms/trace.hpp: packets with given times, sources and destinations.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "configs/input_file.hpp"
#include "configs/quantity.hpp"
#include "topologies/topology.hpp"

namespace flitwave {

/// One packet of a trace.
struct TracedPacket {
  NodeId source;
  NodeId destination;
  Cycle at = 0;            ///< Counted from the start of the sources.
  std::int64_t flits = 1;  ///< Its length.
};

/// A length that packets of a trace have, and the first line with such a packet.
struct TracedLength {
  std::int64_t flits = 1;
  Place first;
};

/// The packets of a trace, by their sources; those of a source in the order of their cycles, and
/// of one cycle in the order of the file.
class Trace {
 public:
  /// Reads lines CYCLE SOURCE DESTINATION FLITS, in any order.
  /// Throws: ConfigError on `file` when it cannot be read or contains no packet, and at a line that
  ///   is not of this form, names no node, or has a packet longer than `longest`.
  Trace(const InputFile& file, const Topology& topology, std::int64_t longest);

  const std::vector<TracedPacket>& packets() const { return packets_; }
  /// Each length once, in the order of their first lines.
  const std::vector<TracedLength>& lengths() const { return lengths_; }
  /// The packets of a source are first(source) .. first(source + 1) - 1.
  std::size_t first(int source) const { return first_[index(source)]; }

 private:
  std::vector<TracedPacket> packets_;
  std::vector<TracedLength> lengths_;
  std::vector<std::size_t> first_;  // Shape: [nodes + 1]
};

/// The last cycle in which a packet of the trace is created; needs no topology.
/// Throws: as Trace, for lines that have no cycle.
Cycle last_cycle_of_trace(const InputFile& file);

}  // namespace flitwave
