// algorithms/partition/embedding.cpp: see embedding.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/partition/embedding.hpp"

#include <utility>

#include <fmt/format.h>

#include "configs/error.hpp"

namespace flitwave {

Direction direction_within(const Subnetwork& subnetwork) {
  const Grid& grid = *subnetwork.inner().grid();
  bool wraps = false;
  for (int d = 0; d < grid.dimensions(); ++d) wraps = wraps || grid.wraps(d);
  if (!wraps) return Direction::mesh;
  switch (subnetwork.directions()) {
    case Directions::positive:
      return Direction::positive;
    case Directions::negative:
      return Direction::negative;
    case Directions::both:
      break;
  }
  return Direction::minimal;
}

SubnetworkSends::SubnetworkSends(Schedule& whole, const Subnetwork& subnetwork, int phase)
    : whole_(whole),
      subnetwork_(subnetwork),
      direction_(direction_within(subnetwork)),
      phase_(phase) {}

void SubnetworkSends::require_member(NodeId node) const {
  if (!subnetwork_.has(node))
    throw ModelError(
        fmt::format("node {} only forwards packets of a subnetwork: it sends and "
                    "receives none there",
                    node.value()));
}

Transfer& SubnetworkSends::send(Pieces pieces, NodeId from, NodeId to, int step) {
  require_member(from);
  require_member(to);
  Transfer& sent = whole_.send(std::move(pieces), from, to, step);
  sent.direction = direction_;
  sent.phase = phase_;
  return sent;
}

}  // namespace flitwave
