// algorithms/path_multicast/column_path.cpp: see column_path.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/path_multicast/column_path.hpp"

#include <algorithm>
#include <map>

namespace flitwave {

namespace {

/// The worms of one column. `stops`: by ascending height.
void add_column(const Columns& columns, int height, const Stops& stops, std::vector<Stops>& worms) {
  const auto below = [&](NodeId stop, int than) { return columns.height(stop) < than; };
  const auto level = std::lower_bound(stops.begin(), stops.end(), height, below);
  const auto above = std::lower_bound(level, stops.end(), height + 1, below);
  Stops up(above == stops.end() ? above : level, stops.end());
  Stops down(stops.begin(), above == stops.end() ? above : level);
  std::reverse(down.begin(), down.end());
  if (!up.empty()) worms.push_back(std::move(up));
  if (!down.empty()) worms.push_back(std::move(down));
}

}  // namespace

std::vector<Stops> column_path(const Columns& columns, NodeId source, const Stops& destinations) {
  require_stops(columns.topology(), source, destinations);
  std::map<NodeId, Stops> by_foot;
  for (NodeId stop : destinations) by_foot[columns.foot(stop)].push_back(stop);
  std::vector<Stops> worms;
  for (auto& column : by_foot) {
    Stops& stops = column.second;
    std::sort(stops.begin(), stops.end(),
              [&](NodeId a, NodeId b) { return columns.height(a) < columns.height(b); });
    add_column(columns, columns.height(source), stops, worms);
  }
  return worms;
}

}  // namespace flitwave
