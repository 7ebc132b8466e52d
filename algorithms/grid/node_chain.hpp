// algorithms/grid/node_chain.hpp: nodes of a multicast in a chain that is halved repeatedly.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "algorithms/grid/axis_order.hpp"
#include "algorithms/schedule.hpp"

namespace flitwave {

/// The position of the source in a sorted chain.
enum class ChainPlace {
  in_place,      ///< Its position in the sort order.
  source_first,  ///< At the head; the others keep their order.
  rotated,       ///< At the head: the chain is rotated.
  relative,      ///< At the head: nodes are sorted by their offsets from it, modulo the extents.
};
std::vector<std::string> names_of(ChainPlace);

/// The order in which a chain is sorted.
enum class ChainSort { ascending, descending };
std::vector<std::string> names_of(ChainSort);

/// The half of a part of the chain that contains the odd node.
enum class LargerHalf { lower, upper };
std::vector<std::string> names_of(LargerHalf);

/// How a chain is sorted and halved.
struct ChainRule {
  ChainPlace place = ChainPlace::in_place;
  ChainSort sort = ChainSort::ascending;
  LargerHalf larger = LargerHalf::lower;
};

/// A node sends a part of the chain to another.
struct ChainSend {
  NodeId from;
  NodeId to;
  int step = 1;   ///< From 1.
  int given = 1;  ///< Nodes that the receiver is to serve, itself included.
};

/// The source and the nodes that it serves, in the order in which they are halved.
/// Needs: a grid where the rule's place is `relative`
std::vector<NodeId> node_chain(NodeId source, const std::vector<NodeId>& destinations,
                               const ChainRule& rule, const ChainOrder& before);

/// Each holder of a part of the chain splits it in two and assigns the half that does not contain
/// it to that half's element next to its own: to the first of an upper half, or the last of a lower
/// one.
/// Steps: ceil(log2(nodes of the chain)), whatever the source.
/// Returns: the sends; those of each node, and whatever depends on another, in order.
/// Source: McKinley et al. 1994; Tsai 1997, section 3.2.2; Wang et al. 2001, section 4.2
std::vector<ChainSend> halve_chain(NodeId source, const std::vector<NodeId>& destinations,
                                   const ChainRule& rule, const ChainOrder& before);

/// Appends the sends of every delivery of the schedule's demand, each from step 1 on. `direction`:
/// named by their messages, if given.
/// Needs: deliveries of one source and one piece each
void send_along_chains(Schedule& schedule, const ChainRule& rule, const ChainOrder& before,
                       std::optional<Direction> direction = {});

}  // namespace flitwave
