// algorithms/path_multicast/multi_path.cpp: see multi_path.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/path_multicast/multi_path.hpp"

#include <array>

#include "algorithms/path_multicast/dual_path.hpp"

namespace flitwave {

std::vector<Stops> multi_path(const PathLabels& labels, NodeId source, const Stops& destinations) {
  const DualPath paths = dual_path(labels, source, destinations);
  std::vector<Stops> worms;
  for (const Stops* stops : {&paths.high, &paths.low}) {
    std::array<Stops, 2> shares;  // by the neighbour in the row, by that in the column
    for (NodeId stop : *stops) {
      const int dimension = Grid::port_dimension(labels.first_port(source, stop));
      shares[index(dimension)].push_back(stop);
    }
    for (Stops& share : shares)
      if (!share.empty()) worms.push_back(std::move(share));
  }
  return worms;
}

}  // namespace flitwave
