// algorithms/edn/eds_tower.cpp: checks that levels and links match.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/edn/eds_tower.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "configs/error.hpp"

namespace flitwave {
EdsTower::EdsTower(std::vector<std::vector<NodeId>> levels,
                   std::vector<std::vector<EdsLink>> descents)
    : levels_(std::move(levels)), descents_(std::move(descents)) {
  if (levels_.size() != descents_.size() + 1)
    throw ModelError(fmt::format("a tower of {} levels cannot have {} descents", levels_.size(),
                                 descents_.size()));
  for (std::vector<NodeId>& level : levels_) std::sort(level.begin(), level.end());
  for (std::size_t j = 0; j < descents_.size(); ++j) {
    std::vector<EdsLink>& links = descents_[j];
    std::sort(links.begin(), links.end(), [](const EdsLink& a, const EdsLink& b) {
      return a.parent == b.parent ? a.child < b.child : a.parent < b.parent;
    });
    std::vector<NodeId> held = levels_[j + 1];
    for (const EdsLink& link : links) {
      if (!std::binary_search(levels_[j + 1].begin(), levels_[j + 1].end(), link.parent))
        throw ModelError(fmt::format("node {} serves node {} from level {} and is no member of it",
                                     link.parent.value(), link.child.value(), j + 1));
      held.push_back(link.child);
    }
    std::sort(held.begin(), held.end());
    if (held != levels_[j])
      throw ModelError(
          fmt::format("level {} and what it serves are not level {}, each node once", j + 1, j));
  }
}

}  // namespace flitwave
