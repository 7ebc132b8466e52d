// algorithms/path_multicast/dual_path.hpp: a multicast as two worms, up and down the labels.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "algorithms/path_multicast/path_labels.hpp"
#include "algorithms/path_multicast/stops.hpp"

namespace flitwave {

/// The destinations of a multicast, divided between two worms.
struct DualPath {
  Stops high;  ///< Labels greater than the source's, ascending.
  Stops low;   ///< Labels smaller than the source's, descending.
};

/// Throws: ModelError when a destination is named twice, or is the source.
/// Source: Lin & Ni 1993, dual-path routing
DualPath dual_path(const PathLabels& labels, NodeId source, const Stops& destinations);

/// The path of one worm without other traffic: one channel per step.
struct PathWalk {
  /// The receive of the message by a processor.
  struct Receipt {
    NodeId node;
    int step;
  };

  std::vector<ChannelId> channels;
  std::vector<Receipt> receipts;

  /// Channels crossed.
  int traffic() const { return static_cast<int>(channels.size()); }
  /// Steps until the last processor has the message.
  int steps() const { return receipts.empty() ? 0 : receipts.back().step; }
};

/// Needs: stops of one side of the source, in the order of `dual_path` or `multi_path`.
PathWalk walk_path(const PathLabels& labels, NodeId source, const Stops& stops);

}  // namespace flitwave
