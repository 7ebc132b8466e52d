// testbenches/reference/rules/label_order_rule.hpp: hops up or down the labels of a path through
// all nodes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/reference/rules/hop.hpp"
#include "testbenches/reference/rules/lattice.hpp"

namespace flitwave::reference {

/// A node's position, from 0, on the Hamiltonian path of Lin & Ni 1993: l(x, y) = y n + x in even
/// rows of n nodes, y n + n - x - 1 in odd ones; with more dimensions layer by layer in the same
/// way. On a binary cube it is the position in the reflected Gray code.
int path_label(const Lattice& lattice, int node);

/// The routing function R of Lin & Ni 1993: up the labels to the neighbour with the greatest label
/// not beyond the destination's, or down to that with the least.
/// `shortest`: of the neighbours between here and the destination, only those nearest to it are
/// used. There is more than one hop if several channels lead to one neighbour. All of class 0.
/// Needs: here != destination, channels in both directions
Hops label_order_hops(const Lattice& lattice, int here, int destination, bool shortest);

}  // namespace flitwave::reference
