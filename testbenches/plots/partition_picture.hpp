// testbenches/plots/partition_picture.hpp: a picture of the subnetworks and blocks of a partition.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "algorithms/partition/partition.hpp"

namespace flitwave {

/// An SVG picture: nodes as dots, the first coordinate down and the second to the right, blocks as
/// squares behind them, and each data-distributing network in a colour, its nodes larger, its
/// channels as arrows; a channel that wraps around is a stub at the border. A panel has networks of
/// one direction that share no channel.
///
/// A network is a group `id="network_3"` of elements of the classes `channel` and `node`; a block
/// is a `rect` of the class `block`, a node of the whole network one of the class `dot`.
/// Source: Wang et al. 2001, figures 2 and 3
std::string partition_picture(const Partition& partition);

}  // namespace flitwave
