// algorithms/arrays/line_tree.cpp: see line_tree.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/arrays/line_tree.hpp"

namespace flitwave {

namespace {

/// A part of the line and the node at which it gathers.
struct LinePart {
  int first;
  int end;
  int root;

  int nodes() const { return end - first; }
  int middle() const { return first + (nodes() + 1) / 2; }
  /// The half that contains the root, and the other half, which gathers at the border between them.
  LinePart near_half() const {
    return root < middle() ? LinePart{first, middle(), root} : LinePart{middle(), end, root};
  }
  LinePart far_half() const {
    return root < middle() ? LinePart{middle(), end, middle()}
                           : LinePart{first, middle(), middle() - 1};
  }
  bool contains(int node) const { return first <= node && node < end; }
};

}  // namespace

int tree_slots(int nodes) {
  int slots = 0;
  while (1 << slots < nodes) ++slots;
  return slots;
}

std::vector<LineSend> line_gather(int nodes, int root, int node) {
  LinePart part{0, nodes, root};
  while (node != part.root) {
    const LinePart far = part.far_half();
    if (node == far.root)
      return {{tree_slots(part.nodes()) - 1, part.root, far.first, far.end - 1}};
    part = far.contains(node) ? far : part.near_half();
  }
  return {};
}

std::vector<LineSend> line_scatter(int nodes, int root, int node) {
  std::vector<LineSend> sends;
  LinePart part{0, nodes, root};
  while (part.nodes() > 1) {
    const LinePart far = part.far_half();
    if (node == part.root)
      sends.push_back(
          {tree_slots(nodes) - tree_slots(part.nodes()), far.root, far.first, far.end - 1});
    part = far.contains(node) ? far : part.near_half();
  }
  return sends;
}

}  // namespace flitwave
