// algorithms/piece_holders.hpp: the nodes that have had a piece, and its history there.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/datum.hpp"

namespace flitwave {

/// Node -> history of one piece. A schedule of large messages has a million entries, each looked up
/// a few times: they are stored in one vector, and once there are many, a table by node gives their
/// indices.
class PieceHolders {
 public:
  /// Null when the node has not had the piece. Valid until the next `add`.
  const PieceHistory* find(NodeId node) const;
  /// Needs: the node has had the piece.
  const PieceHistory& at(NodeId node) const;
  /// The history of a node; empty when it is new. Valid until the next `add`.
  PieceHistory& add(NodeId node);
  /// Ascending.
  std::vector<NodeId> nodes() const;

 private:
  static constexpr std::size_t few = 16;  // up to here entries are searched one by one

  int place_of(NodeId node) const;
  void note_place(std::size_t entry);

  std::vector<NodeId> nodes_;            // in the order of insertion
  std::vector<PieceHistory> histories_;  // of each node
  std::vector<std::int32_t> places_;     // by node, -1: none; empty while there are few
};

}  // namespace flitwave
