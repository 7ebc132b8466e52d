// algorithms/grid/two_phase.cpp: see two_phase.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/grid/two_phase.hpp"

#include <algorithm>
#include <cstdlib>

namespace flitwave {
namespace {

NodeId intermediate_of(std::uint32_t choice) { return NodeId(static_cast<int>(choice) - 1); }

}  // namespace

void TwoPhase::route(NodeId here, const Arrival& arrival, const Header& header,
                     Route& route) const {
  const NodeId by_way_of = intermediate_of(header.choice);
  const bool second = header.choice == 0 || here == by_way_of || arrival_case(here, arrival) == 1;
  const NodeId target = second ? header.destination : by_way_of;
  if (here == target) return route.deliver();
  const GridWalk::Hop hop = walk_.next(here, target);
  route.forward(hop.port, (second ? classes_per_way_ : 0) + hop.wrap_class);
}

/// 1: on a class of the second phase.
int TwoPhase::arrival_case(NodeId /*here*/, const Arrival& arrival) const {
  return !arrival.injected() && arrival.vc_class >= classes_per_way_ ? 1 : 0;
}

std::uint32_t TwoPhase::choose(NodeId source, NodeId destination, Random& random) const {
  if (source == destination) return 0;
  const NodeId by_way_of = intermediate(source, destination, random);
  return by_way_of == source ? 0 : static_cast<std::uint32_t>(by_way_of.value()) + 1;
}

std::vector<std::uint32_t> TwoPhase::all_choices() const {
  std::vector<std::uint32_t> choices;
  for (int i = 0; i <= walk_.nodes(); ++i) choices.push_back(static_cast<std::uint32_t>(i));
  return choices;
}

bool TwoPhase::may_choose(NodeId source, std::uint32_t choice) const {
  return source != intermediate_of(choice);
}

/// A first hop is a port and a class of it. The neighbour at a port gives the class without a wrap
/// channel ahead (with one, if the port's channel is the wrap channel), the first node after the
/// wrap channel the other class.
bool TwoPhase::shows_first_hop(NodeId from, int dimension, NodeId to) const {
  const int hops = walk_.to_go(from, to, dimension);
  const int behind_wrap = hops > 0 ? 0 : walk_.extent(dimension) - 1;
  return std::abs(hops) == 1 || (walk_.wraps(dimension) && walk_.at(to, dimension) == behind_wrap);
}

FollowedPackets TwoPhase::followed(std::uint32_t choice) const {
  if (choice == 0) return {{}, landmarks_};
  const NodeId middle = intermediate_of(choice);
  FollowedPackets packets;
  packets.destinations.emplace();
  packets.sources.emplace();
  for (int dimension = 0; dimension < walk_.dimensions(); ++dimension)
    for (int away = 1; away < walk_.extent(dimension); ++away) {
      const NodeId node = walk_.moved(middle, dimension, away);
      packets.sources->push_back(node);
      if (shows_first_hop(middle, dimension, node)) packets.destinations->push_back(node);
    }
  if (std::binary_search(landmarks_.begin(), landmarks_.end(), middle)) packets.sources.reset();
  return packets;
}

}  // namespace flitwave
