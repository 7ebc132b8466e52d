// algorithms/cube_multicast/baselines.cpp: separate messages, broadcast, or spare global send.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cube_multicast/baselines.hpp"

#include <algorithm>
#include <utility>

#include "configs/error.hpp"

namespace flitwave {
namespace {

CubeAddress nearest(CubeAddress here, const CubeNodes& list, NearestTie tie) {
  const auto before = [&](CubeAddress a, CubeAddress b) {
    const int nearer = cube_distance(here, a) - cube_distance(here, b);
    if (nearer != 0 || tie == NearestTie::first_in_list) return nearer < 0;
    return (here ^ a) < (here ^ b);
  };
  return *std::min_element(list.begin(), list.end(), before);
}

/// Whether a shortest path from `here` to `node` contains `by`.
bool lies_behind(CubeAddress here, CubeAddress by, CubeAddress node) {
  return ((by ^ here) & (node ^ here)) == (by ^ here);
}

}  // namespace

std::vector<std::string> names_of(NearestTie) { return {"first_in_list", "lowest_relative"}; }

int multiple_unicast_traffic(CubeAddress source, const CubeNodes& destinations) {
  int traffic = 0;
  for (CubeAddress node : destinations) traffic += cube_distance(source, node);
  return traffic;
}

int broadcast_traffic(const Cube& cube) { return cube.nodes() - 1; }

std::vector<SpareSend> spare_global_send(CubeAddress source, const CubeNodes& destinations,
                                         NearestTie tie) {
  std::vector<SpareSend> sends;
  const auto serve = [&](CubeAddress here, CubeNodes list) {
    list.erase(std::remove(list.begin(), list.end(), here), list.end());
    while (!list.empty()) {
      const CubeAddress to = nearest(here, list, tie);
      const auto behind = std::stable_partition(
          list.begin(), list.end(), [&](CubeAddress node) { return !lies_behind(here, to, node); });
      sends.push_back({here, to, CubeNodes(behind, list.end())});
      list.erase(behind, list.end());
    }
  };
  serve(source, destinations);
  for (std::size_t served = 0; served < sends.size();) {
    const SpareSend got = sends[served++];  // a copy: serving it adds to the sends
    serve(got.to, got.list);
  }
  return sends;
}

int spare_traffic(const std::vector<SpareSend>& sends) {
  int traffic = 0;
  for (const SpareSend& send : sends) traffic += cube_distance(send.from, send.to);
  return traffic;
}

double mean_cube_distance(const Cube& cube) {
  const double nodes = cube.nodes();
  return cube.dimensions() * (nodes / 2) / (nodes - 1);
}

}  // namespace flitwave
