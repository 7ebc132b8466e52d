// algorithms/cube_multicast/faults/global_unicast.cpp: paths tried one after the other.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cube_multicast/faults/global_unicast.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "configs/error.hpp"
#include "topologies/ids.hpp"

namespace flitwave {
namespace {

/// Appends every shortest path to `found`, lower dimensions first.
void list_shortest(CubeNodes& path, CubeAddress to, std::vector<CubeNodes>& found) {
  if (path.back() == to) found.push_back(path);
  for (CubeBits left = path.back() ^ to; left != 0; left &= left - 1) {
    path.push_back(path.back() ^ bit(lowest_bit(left)));
    list_shortest(path, to, found);
    path.pop_back();
  }
}

/// Makes `path` the first feasible shortest path. `dead`: nodes from which no feasible path
/// continues.
bool extend_shortest(const CubeFaults& faults, CubeNodes& path, CubeAddress to,
                     std::set<CubeAddress>& dead) {
  const CubeAddress here = path.back();
  if (here == to) return true;
  for (CubeBits left = here ^ to; left != 0; left &= left - 1) {
    const int dimension = lowest_bit(left);
    const CubeAddress next = here ^ bit(dimension);
    if (!faults.leads(here, dimension) || dead.count(next) != 0) continue;
    path.push_back(next);
    if (extend_shortest(faults, path, to, dead)) return true;
    path.pop_back();
  }
  dead.insert(here);
  return false;
}

CubeNodes along(CubeAddress from, const std::vector<int>& dimensions) {
  CubeNodes path{from};
  for (int dimension : dimensions) path.push_back(path.back() ^ bit(dimension));
  return path;
}

CubeNodes first_feasible(const CubeFaults& faults, const std::vector<CubeNodes>& paths,
                         std::size_t most) {
  for (std::size_t i = 0; i < most; ++i)
    if (feasible(faults, paths[i])) return paths[i];
  return {};
}

/// Marks, for each fault, the paths that contain it.
CubeNodes first_unmarked(const CubeFaults& faults, const std::vector<CubeNodes>& paths) {
  std::vector<bool> marked(paths.size(), false);
  for (std::size_t i = 0; i < paths.size(); ++i)
    for (std::size_t hop = 0; hop + 1 < paths[i].size(); ++hop)
      if (!faults.leads(paths[i][hop], lowest_bit(paths[i][hop] ^ paths[i][hop + 1])))
        marked[i] = true;
  const auto free = std::find(marked.begin(), marked.end(), false);
  return free == marked.end() ? CubeNodes{} : paths[index(free - marked.begin())];
}

}  // namespace

std::vector<CubeNodes> shortest_paths(CubeAddress from, CubeAddress to) {
  if (cube_distance(from, to) > 8)
    throw ConfigError("destination", "there are too many shortest paths to list them",
                      "choose a node at a distance of 8 or less");
  std::vector<CubeNodes> paths;
  CubeNodes path{from};
  list_shortest(path, to, paths);
  return paths;
}

std::vector<CubeNodes> disjoint_paths(const Cube& cube, CubeAddress from, CubeAddress to) {
  cube.require(from, "source");
  cube.require(to, "destination");
  if (from == to) throw ConfigError("destination", "source and destination are the same node");
  std::vector<int> different;
  for (CubeBits left = from ^ to; left != 0; left &= left - 1)
    different.push_back(lowest_bit(left));
  std::vector<CubeNodes> paths;
  for (std::size_t i = 0; i < different.size(); ++i) {
    paths.push_back(along(from, different));
    std::rotate(different.begin(), different.begin() + 1, different.end());
  }
  for (int dimension = 0; dimension < cube.dimensions(); ++dimension) {
    if (has_bit(from ^ to, dimension)) continue;
    std::vector<int> detour{dimension};
    detour.insert(detour.end(), different.begin(), different.end());
    detour.push_back(dimension);
    paths.push_back(along(from, detour));
  }
  return paths;
}

bool feasible(const CubeFaults& faults, const CubeNodes& path) {
  for (std::size_t i = 0; i + 1 < path.size(); ++i)
    if (!faults.leads(path[i], lowest_bit(path[i] ^ path[i + 1]))) return false;
  return !path.empty() && !faults.faulty(path.front());
}

std::vector<std::string> names_of(GlobalUnicast) {
  return {"shortest_disjoint", "lee_hayes", "hawkes", "exhaustive"};
}

CubeNodes global_unicast(const CubeFaults& faults, CubeAddress from, CubeAddress to,
                         GlobalUnicast method) {
  const std::vector<CubeNodes> paths = disjoint_paths(faults.cube(), from, to);
  if (faults.faulty(from)) throw ConfigError("source", "the source is faulty");
  if (faults.faulty(to)) throw ConfigError("destination", "the destination is faulty");
  switch (method) {
    case GlobalUnicast::shortest_disjoint:
      return first_feasible(faults, paths, index(cube_distance(from, to)));
    case GlobalUnicast::hawkes:
      return first_unmarked(faults, paths);
    case GlobalUnicast::exhaustive: {
      CubeNodes path{from};
      std::set<CubeAddress> dead;
      if (extend_shortest(faults, path, to, dead)) return path;
      return first_feasible(faults, paths, paths.size());
    }
    default:
      return first_feasible(faults, paths, paths.size());
  }
}

bool finds_a_path(const CubeFaults& faults, CubeAddress from, CubeAddress to,
                  GlobalUnicast method) {
  const int most = method == GlobalUnicast::shortest_disjoint ? cube_distance(from, to)
                                                              : faults.cube().dimensions();
  return faults.count() < most;
}

CubeNodes shortest_feasible_path(const CubeFaults& faults, CubeAddress from, CubeAddress to) {
  if (faults.faulty(from) || faults.faulty(to)) return {};
  std::map<CubeAddress, CubeAddress> before{{from, from}};
  CubeNodes queue{from};
  for (std::size_t next = 0; next < queue.size() && before.count(to) == 0; ++next)
    for (int dimension = 0; dimension < faults.cube().dimensions(); ++dimension) {
      const CubeAddress node = queue[next] ^ bit(dimension);
      if (!faults.leads(queue[next], dimension) || !before.emplace(node, queue[next]).second)
        continue;
      queue.push_back(node);
    }
  if (before.count(to) == 0) return {};
  CubeNodes path{to};
  while (path.back() != from) path.push_back(before.at(path.back()));
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace flitwave
