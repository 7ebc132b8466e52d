// algorithms/piece_holders.cpp: see piece_holders.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/piece_holders.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "configs/error.hpp"

namespace flitwave {

int PieceHolders::place_of(NodeId node) const {
  if (!places_.empty()) return node.index() < places_.size() ? places_[node.index()] : -1;
  const auto found = std::find(nodes_.begin(), nodes_.end(), node);
  return found == nodes_.end() ? -1 : static_cast<int>(found - nodes_.begin());
}

const PieceHistory* PieceHolders::find(NodeId node) const {
  const int place = place_of(node);
  return place < 0 ? nullptr : &histories_[index(place)];
}

const PieceHistory& PieceHolders::at(NodeId node) const {
  if (const PieceHistory* found = find(node)) return *found;
  throw ModelError(fmt::format("node number {} has had nothing of the piece", node.value()));
}

PieceHistory& PieceHolders::add(NodeId node) {
  const int place = place_of(node);
  if (place >= 0) return histories_[index(place)];
  nodes_.push_back(node);
  histories_.emplace_back();
  // The first few get their entries when the table is made.
  if (nodes_.size() > few)
    for (std::size_t i = places_.empty() ? 0 : nodes_.size() - 1; i < nodes_.size(); ++i)
      note_place(i);
  return histories_.back();
}

void PieceHolders::note_place(std::size_t entry) {
  const std::size_t node = nodes_[entry].index();
  if (node >= places_.size()) places_.resize(std::max(node + 1, 2 * places_.size()), -1);
  places_[node] = static_cast<std::int32_t>(entry);
}

std::vector<NodeId> PieceHolders::nodes() const {
  std::vector<NodeId> ascending = nodes_;
  std::sort(ascending.begin(), ascending.end());
  return ascending;
}

}  // namespace flitwave
