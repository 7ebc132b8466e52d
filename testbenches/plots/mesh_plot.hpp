// testbenches/plots/mesh_plot.hpp: a plot of the load of every channel over the mesh.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "testbenches/job/results/results.hpp"

namespace flitwave {

/// The position of row 0 of a mesh in a picture: at the bottom, as for coordinates, or at the top,
/// as for arrays.
enum class FirstRow { bottom, top };

/// A gnuplot script that holds its data and prints an SVG picture: nodes as squares, x to the
/// right, channels as arrows in the colour of their load. A channel that wraps around is a stub at
/// the border.
///
/// `load` is the table of the observer channel_load; `title` is the text above the picture.
/// Throws: ConfigError when the network is not a two-dimensional grid.
std::string mesh_plot_script(const Table& load, const std::string& title,
                             FirstRow first_row = FirstRow::bottom);

}  // namespace flitwave
