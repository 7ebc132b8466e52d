// testbenches/plots/gnuplot.hpp: pictures by gnuplot, without a display.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace flitwave {

/// A picture that gnuplot can draw.
struct Drawing {
  std::string script;  ///< Empty: there is nothing to draw.
  /// The table that the script plots, with a header line; empty: the script holds its own data.
  std::string data;
};

enum class PictureFormat { svg, pdf };
std::vector<std::string> names_of(PictureFormat);

/// Size and letters of a picture.
struct PictureLook {
  int width = 820;   ///< Unit: pixel of an SVG, 1/96 inch of a PDF
  int height = 560;  ///< Likewise.
  std::string font = "sans";
  int font_size = 14;  ///< Unit: pixel
};

/// Throws: SystemFailure with the remedy when gnuplot is not installed.
void require_gnuplot();

/// The picture of a script that holds its own data, as SVG.
/// Throws: SystemFailure when gnuplot is missing or rejects the script.
std::string gnuplot_picture(const std::string& script);
/// A picture. The same drawing yields the same bytes.
/// Throws: SystemFailure, as above.
std::string gnuplot_picture(const Drawing& drawing, PictureFormat format = PictureFormat::svg);

/// Writes STEM.gp, the script; STEM.dat, its data, if the script does not hold them; and the
/// requested ones of STEM.svg and STEM.pdf. Returns their names.
/// Throws: SystemFailure
std::vector<std::string> write_picture(const std::string& folder, const std::string& stem,
                                       const Drawing& drawing,
                                       const std::vector<PictureFormat>& formats);

/// `text` for a script, in quotes.
std::string gnuplot_text(const std::string& text);
/// Several lines of text for a script, as one expression.
std::string gnuplot_text(const std::vector<std::string>& lines);

/// The number of lines of a picture that differ in colour, shape of points and dashes, each from
/// all others.
inline constexpr std::size_t distinct_lines = 12;

/// The colour, the shape of points and the dashes of a line of a picture, numbered from 0. After
/// `distinct_lines` they repeat, each colour with another shape.
const char* gnuplot_colour(std::size_t line);
int gnuplot_mark(std::size_t line);
const char* gnuplot_dashes(std::size_t line);
/// The outline of the shape.
int gnuplot_hollow_mark(std::size_t line);

/// The head of every script: the picture's format, from the variable `format`, and a plain style.
std::string gnuplot_head(const PictureLook& look);

}  // namespace flitwave
