// algorithms/edn/eds_assignment.hpp: how parents serve children over disjoint channels.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "algorithms/edn/eds_tower.hpp"
#include "algorithms/routing.hpp"

namespace flitwave {

/// The channels that a message crosses from one node to another.
using RouteOf = std::function<std::vector<ChannelId>(NodeId from, NodeId to)>;

/// The routes of a routing function, its first candidate taken every time. Both outlive the result.
RouteOf routes_of(const RoutingFunction& routing, const Topology& topology);

/// Dimension order on a grid without wrap-around, dimension 0 first; needs no topology. Channels
/// are numbered node * 2 * dimensions + port. The grid outlives the result.
RouteOf dimension_order_routes(const Grid& grid);

/// The result of find_eds_assignment.
struct EdsAssignment {
  enum class Verdict {
    found,     ///< `links` serve every child.
    none,      ///< Proved: no choice of parents serves every child.
    undecided  ///< The search ended at its limit, without a result.
  };
  Verdict verdict = Verdict::none;
  std::vector<EdsLink> links;  ///< By child, in the given order of the children.

  bool found() const { return verdict == Verdict::found; }
};

/// The constraints of an assignment, and the limit of the search.
struct AssignmentLimits {
  int ports = 1;                   ///< The most children of a parent.
  bool fewest_hops = false;        ///< Continues the search for the fewest channels.
  std::int64_t tries = 1'000'000;  ///< Partial assignments that are tried at most.
};

/// Gives each child a parent so that no two routes share a channel; decides whether `parents` are
/// an extended dominating set of parents and children together. Backtracks over the child with the
/// fewest parents left; the result is exact unless it is `undecided`. With `fewest_hops`, a search
/// that ends at its limit returns `found` with the best assignment so far.
///
/// Needs: no node twice, no child among the parents
/// Complexity: exponential in children at worst; linear in routes where few of them conflict
/// Source: Tsai 1997, section 3.3.1, definition 2
EdsAssignment find_eds_assignment(const std::vector<NodeId>& parents,
                                  const std::vector<NodeId>& children,
                                  const AssignmentLimits& limits, const RouteOf& routes);

/// Two links whose routes share a channel.
struct EdsConflict {
  EdsLink first;
  EdsLink second;
  ChannelId channel;
};

/// The first two links, in the order given, whose routes share a channel; none proves the links
/// disjoint.
std::optional<EdsConflict> find_conflict(const std::vector<EdsLink>& links, const RouteOf& routes);

}  // namespace flitwave
