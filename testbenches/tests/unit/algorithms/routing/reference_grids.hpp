// testbenches/tests/unit/algorithms/routing/reference_grids.hpp: the same grids for the program and
// for the reference.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "testbenches/reference/rules/hop.hpp"
#include "testbenches/reference/rules/lattice.hpp"
#include "testbenches/tests/unit/algorithms/kinds.hpp"

namespace flitwave::testing {

inline Topology topology_of(const reference::Lattice& lattice) {
  const Directions directions = lattice.one_way == 0  ? Directions::both
                                : lattice.one_way > 0 ? Directions::positive
                                                      : Directions::negative;
  return grid_network(Grid(lattice.extents, lattice.wraps), directions);
}

inline std::string name_of(const reference::Lattice& lattice) {
  std::string name = "grid";
  for (std::size_t i = 0; i < lattice.extents.size(); ++i)
    name += " " + std::to_string(lattice.extents[i]) + (lattice.wraps[i] ? " in a ring" : "");
  return name + (lattice.one_way == 0 ? "" : lattice.one_way > 0 ? ", up only" : ", down only");
}

inline std::string text_of(const reference::Hops& hops) {
  std::string text;
  for (const reference::Hop& hop : hops)
    text += (text.empty() ? "" : " ") + std::to_string(hop.port) + ":" +
            std::to_string(hop.vc_class) + (hop.escape ? "e" : "");
  return "[" + text + "]";
}

/// All shapes of 1 to `most` nodes per dimension.
inline std::vector<std::vector<int>> shapes(std::size_t dimensions, int most) {
  std::vector<std::vector<int>> found{{}};
  for (std::size_t done = 0; done < dimensions; ++done) {
    std::vector<std::vector<int>> longer;
    for (const std::vector<int>& shape : found)
      for (int extent = 1; extent <= most; ++extent) {
        longer.push_back(shape);
        longer.back().push_back(extent);
      }
    found = std::move(longer);
  }
  return found;
}

/// All meshes up to 6x6 and 3x3x3 and hypercubes up to five dimensions.
inline std::vector<reference::Lattice> reference_meshes() {
  std::vector<std::vector<int>> all = shapes(2, 6);
  for (std::vector<int>& shape : shapes(3, 3)) all.push_back(std::move(shape));
  for (std::size_t n : {1, 4, 5}) all.emplace_back(n, 2);
  std::vector<reference::Lattice> meshes;
  for (const std::vector<int>& shape : all)
    meshes.push_back({shape, std::vector<bool>(shape.size(), false), 0});
  return meshes;
}

/// All tori up to 6x6 and 3x3x3: with a ring in every dimension, two-dimensional ones with a ring
/// in one dimension only, and those with one-directional rings.
inline std::vector<reference::Lattice> reference_tori() {
  std::vector<reference::Lattice> tori;
  for (const std::vector<int>& shape : shapes(2, 6)) {
    for (const std::vector<bool>& wraps :
         std::vector<std::vector<bool>>{{true, true}, {true, false}, {false, true}})
      tori.push_back({shape, wraps, 0});
    for (const int step : {+1, -1}) tori.push_back({shape, {true, true}, step});
  }
  for (const std::vector<int>& shape : shapes(3, 3)) tori.push_back({shape, {true, true, true}, 0});
  return tori;
}

}  // namespace flitwave::testing
