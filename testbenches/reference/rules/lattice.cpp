// testbenches/reference/rules/lattice.cpp: coordinates and neighbours of a k-ary n-cube, as
// numbers.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/rules/lattice.hpp"

namespace flitwave::reference {

int Lattice::nodes() const {
  int product = 1;
  for (const int extent : extents) product *= extent;
  return product;
}

int Lattice::coordinate(int node, int dimension) const {
  for (int lower = 0; lower < dimension; ++lower) node /= extent(lower);
  return node % extent(dimension);
}

int Lattice::moved(int node, int dimension, int to) const {
  int stride = 1;
  for (int lower = 0; lower < dimension; ++lower) stride *= extent(lower);
  return node + (to - coordinate(node, dimension)) * stride;
}

std::vector<int> Lattice::shortest_steps(int here, int destination, int dimension) const {
  const int from = coordinate(here, dimension);
  const int to = coordinate(destination, dimension);
  if (from == to) return {};
  if (!is_ring(dimension)) return {to > from ? +1 : -1};
  if (one_way != 0) return {one_way};
  const int length = extent(dimension);
  const int upward = (to - from + length) % length;
  const int downward = length - upward;
  if (upward == downward) return {+1, -1};
  return {upward < downward ? +1 : -1};
}

}  // namespace flitwave::reference
