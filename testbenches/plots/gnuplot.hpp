// testbenches/plots/gnuplot.hpp: pictures by gnuplot, without a display.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace flitwave {

/// Throws: SystemFailure with the remedy when gnuplot is not installed.
void require_gnuplot();

/// The picture that a script prints.
/// Throws: SystemFailure when gnuplot is missing or does not take the script.
std::string gnuplot_picture(const std::string& script);

/// Writes STEM.gp, the script with its data, and STEM.svg, the picture. Returns their names.
/// Throws: SystemFailure
std::vector<std::string> write_picture(const std::string& folder, const std::string& stem,
                                       const std::string& script);

/// `text` for a script, in quotes.
std::string gnuplot_text(const std::string& text);

/// The colour and the shape of points of a picture's first, second, ... line, from 0.
const char* gnuplot_colour(std::size_t line);
int gnuplot_mark(std::size_t line);
/// The shape without its inside.
int gnuplot_hollow_mark(std::size_t line);

/// The head of every script: an SVG of that size, and a quiet look.
std::string gnuplot_head(int width, int height);

}  // namespace flitwave
