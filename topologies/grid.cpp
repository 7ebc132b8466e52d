// topologies/grid.cpp: coordinates, neighbours and port numbers of meshes, tori and cubes.
// SPDX-License-Identifier: Apache-2.0
#include "topologies/grid.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "configs/error.hpp"

namespace flitwave {
namespace {

// Two ports per dimension; a router has at most 62.
constexpr std::size_t max_dimensions = 31;

int checked_nodes(const std::vector<int>& extents) {
  if (extents.empty())
    throw ConfigError("topology.shape", "no dimension", "give one extent per dimension: [8, 8]");
  if (extents.size() > max_dimensions)
    throw ConfigError("topology.shape", fmt::format("{} dimensions", extents.size()),
                      fmt::format("at most {} are possible", max_dimensions));
  std::int64_t nodes = 1;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (extents[d] < 1)
      throw ConfigError(fmt::format("topology.shape[{}]", d),
                        fmt::format("an extent of {}", extents[d]), "an extent is at least 1");
    nodes *= extents[d];
    if (nodes > max_nodes)
      throw ConfigError("topology.shape", fmt::format("more than {} nodes", max_nodes),
                        "make some extents smaller");
  }
  return static_cast<int>(nodes);
}

}  // namespace

Grid::Grid(std::vector<int> extents, std::vector<bool> wraps)
    : extents_(std::move(extents)), wraps_(std::move(wraps)), nodes_(checked_nodes(extents_)) {
  if (wraps_.size() != extents_.size())
    throw ModelError(fmt::format("a grid of {} extents with {} wraps", extents_.size(),  //
                                 wraps_.size()));
  int stride = 1;
  for (int extent : extents_) {
    strides_.push_back(stride);
    stride *= extent;
  }
  coordinates_.reserve(index(nodes_) * extents_.size());
  Coordinates point(extents_.size(), 0);
  for (int node = 0; node < nodes_; ++node) {
    coordinates_.insert(coordinates_.end(), point.begin(), point.end());
    for (std::size_t d = 0; d < extents_.size(); ++d) {
      if (++point[d] < extents_[d]) break;
      point[d] = 0;
    }
  }
}

Coordinates Grid::coordinates(NodeId node) const {
  const auto dimensions = static_cast<std::ptrdiff_t>(extents_.size());
  const auto first = coordinates_.begin() + node.value() * dimensions;
  return Coordinates(first, first + dimensions);
}

bool Grid::contains(const Coordinates& point) const {
  if (point.size() != extents_.size()) return false;
  for (std::size_t d = 0; d < extents_.size(); ++d)
    if (point[d] < 0 || point[d] >= extents_[d]) return false;
  return true;
}

NodeId Grid::node(const Coordinates& point) const {
  if (!contains(point))
    throw ConfigError("", fmt::format("there is no node {}", point),
                      fmt::format("the shape is {}, and coordinates start at 0", extents_));
  int number = 0;
  for (std::size_t d = 0; d < extents_.size(); ++d) number += point[d] * strides_[d];
  return NodeId(number);
}

NodeId Grid::neighbour(NodeId node, int dimension, int step) const {
  const int size = extent(dimension);
  const int here = coordinate(node, dimension);
  int there = here + step;
  if (size == 1) return NodeId();
  if (there < 0 || there >= size) {
    if (!wraps(dimension)) return NodeId();
    there = there < 0 ? size - 1 : 0;
  }
  return NodeId(node.value() + (there - here) * strides_[index(dimension)]);
}

int Grid::distance(NodeId a, NodeId b) const {
  int sum = 0;
  for (int d = 0; d < dimensions(); ++d) sum += distance(a, b, d);
  return sum;
}

std::string Grid::label(NodeId node) const {
  return fmt::format("{}", fmt::join(coordinates(node), "_"));
}

}  // namespace flitwave
