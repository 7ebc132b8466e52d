// algorithms/path_multicast/columns.cpp: see columns.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/path_multicast/columns.hpp"

namespace flitwave {

NodeId Columns::foot(NodeId node) const {
  int stride = 1;  // node number between neighbours in the column
  for (int lower = 0; lower < dimension_; ++lower) stride *= grid_.extent(lower);
  return NodeId(node.value() - height(node) * stride);
}

bool Columns::ahead(NodeId here, NodeId stop, NodeId last) const {
  if (foot(here) != foot(last)) return true;
  const int to_last = height(last) - height(here);
  const int to_stop = height(stop) - height(here);
  return to_last > 0 ? to_stop > 0 : to_last < 0 && to_stop < 0;
}

std::optional<int> Columns::consumption_class(const VirtualChannel& on) const {
  const ChannelEnds& ends = topology().channel(on.channel);
  const int step = Grid::port_step(ends.from_port);
  const bool along = Grid::port_dimension(ends.from_port) == dimension_ &&
                     height(ends.to) - height(ends.from) == step;
  if (!along || on.vc_class != 0) return std::nullopt;  // a row, a wrap channel, or a ring's class
  return step > 0 ? 0 : 1;
}

}  // namespace flitwave
