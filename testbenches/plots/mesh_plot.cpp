// testbenches/plots/mesh_plot.cpp: see mesh_plot.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/plots/mesh_plot.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "configs/error.hpp"
#include "testbenches/plots/gnuplot.hpp"
#include "topologies/ids.hpp"

namespace flitwave {

namespace {

using Spot = std::pair<int, int>;  ///< x, y

struct Arrow {
  Spot from;
  int step_x;
  int step_y;
  bool wraps;
  double flits;
};

std::size_t column(const Table& table, const std::string& name) {
  const auto place = std::find(table.columns.begin(), table.columns.end(), name);
  if (place == table.columns.end())
    throw SystemFailure("the table of channel loads has no column " + name);
  return index(place - table.columns.begin());
}

std::optional<int> whole(const std::string& text) {
  int value = 0;
  const auto [stop, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc{} || stop != text.data() + text.size() || text.empty())
    return std::nullopt;
  return value;
}

/// "3_5" is (3, 5).
Spot spot_of(const std::string& label) {
  const std::size_t line = label.find('_');
  if (line != std::string::npos) {
    const auto x = whole(label.substr(0, line));
    const auto y = whole(label.substr(line + 1));
    if (x && y) return {*x, *y};
  }
  throw ConfigError("topology",
                    "channel loads are plotted over two-dimensional grids; node " + label +
                        " has no two coordinates",
                    "read channel_load.csv instead");
}

/// A step along one dimension by the shorter direction: +1, -1 or 0, and whether it wraps.
std::pair<int, bool> step(int from, int to, int extent) {
  const int difference = to - from;
  if (difference == extent - 1 && extent > 2) return {-1, true};
  if (difference == 1 - extent && extent > 2) return {1, true};
  return {difference, false};
}

std::vector<Arrow> read_arrows(const Table& load, int& columns, int& rows) {
  const std::size_t kind = column(load, "kind");
  const std::size_t from = column(load, "from");
  const std::size_t to = column(load, "to");
  const std::size_t flits = column(load, "flits");
  for (const auto& row : load.rows) {
    const Spot spot = spot_of(row.at(from));
    columns = std::max(columns, spot.first + 1);
    rows = std::max(rows, spot.second + 1);
  }
  std::vector<Arrow> arrows;
  std::set<std::pair<Spot, Spot>> seen;
  for (const auto& row : load.rows) {
    if (row.at(kind) != "network") continue;
    const Spot start = spot_of(row.at(from));
    const Spot end = spot_of(row.at(to));
    auto [x, wraps_x] = step(start.first, end.first, columns);
    auto [y, wraps_y] = step(start.second, end.second, rows);
    if (std::abs(x) + std::abs(y) != 1)
      throw ConfigError(
          "topology",
          "channel " + row.front() + " does not connect neighbours of a two-dimensional grid",
          "read channel_load.csv instead");
    // On a torus of extent 2 the second of two parallel channels is the one that wraps around.
    bool wraps = wraps_x || wraps_y;
    if (!seen.insert({start, end}).second) {
      x = -x;
      y = -y;
      wraps = true;
    }
    const auto value = whole(row.at(flits));
    if (!value)
      throw SystemFailure(
          "the table of channel loads has a number of flits that is not an integer: " +
          row.at(flits));
    arrows.push_back({start, x, y, wraps, static_cast<double>(*value)});
  }
  return arrows;
}

/// x y dx dy flits: opposite channels side by side, each to the right of its direction.
std::string arrow_text(const Arrow& arrow) {
  constexpr double from_middle = 0.28;
  constexpr double aside = 0.11;
  const double length = arrow.wraps ? 0.3 : 1 - 2 * from_middle;
  const double x = arrow.from.first + from_middle * arrow.step_x + aside * arrow.step_y;
  const double y = arrow.from.second + from_middle * arrow.step_y - aside * arrow.step_x;
  return fmt::format("{:.3f} {:.3f} {:.3f} {:.3f} {}\n", x, y, length * arrow.step_x,
                     length * arrow.step_y, arrow.flits);
}

std::string squares_text(int columns, int rows) {
  std::string text = "$nodes << EOD\n";
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) text += fmt::format("{} {}\n", x, y);
  return text + "EOD\n";
}

}  // namespace

std::string mesh_plot_script(const Table& load, const std::string& title, FirstRow first_row) {
  int columns = 0;
  int rows = 0;
  const std::vector<Arrow> arrows = read_arrows(load, columns, rows);
  double greatest = 0;
  std::string used = "$load << EOD\n";
  std::string idle = "$idle << EOD\n";
  for (const Arrow& arrow : arrows) {
    (arrow.flits > 0 ? used : idle) += arrow_text(arrow);
    greatest = std::max(greatest, arrow.flits);
  }
  const bool any_idle = idle.size() > std::string("$idle << EOD\n").size();
  constexpr int most_pixels = 900;
  const int cell = std::max(22, std::min(84, most_pixels / std::max(columns, rows)));
  const int step = std::max(1, std::max(columns, rows) / 16);
  std::string script = gnuplot_head({columns * cell + 190, rows * cell + 110});
  if (!title.empty()) script += "set title " + gnuplot_text(title) + " font ',16'\n";
  const bool is_array = first_row == FirstRow::top;
  const std::string bottom = is_array ? fmt::format("{}", rows - 0.3) : "-0.7";
  const std::string top = is_array ? "-0.7" : fmt::format("{}", rows - 0.3);
  script += fmt::format(
      "set size ratio -1\nset border 0\nset tics scale 0\nset xlabel '{}'\nset ylabel '{}'\n"
      "set xrange [-0.7:{}]\nset yrange [{}:{}]\nset xtics 0,{},{}\nset ytics 0,{},{}\n",
      is_array ? "column" : "x", is_array ? "row" : "y", columns - 0.3, bottom, top, step,
      columns - 1, step, rows - 1);
  // Light to dark, so that a print in grey shows the same. After matplotlib's magma.
  script += fmt::format(
      "set palette defined (0 '#fcd2a0', 1 '#fe9f6d', 2 '#de4968', 3 '#8c2981', 4 '#3b0f70', "
      "5 '#0b0724')\nset cbrange [0:{}]\nset cblabel 'flits carried by a channel'\n"
      "set colorbox\nset key off\n",
      greatest > 0 ? greatest : 1);
  script += squares_text(columns, rows) + used + "EOD\n";
  if (any_idle) script += idle + "EOD\n";
  const double width = std::max(1.5, cell / 18.0);
  const std::string head = "filled size graph 0.012,20 fixed";
  std::vector<std::string> parts;
  parts.push_back(
      "$nodes using 1:2:(0.2):(0.2) with boxxyerror fillcolor rgb '#eeeeee' "
      "fillstyle solid border linecolor rgb '#a0a0a0'");
  if (any_idle)
    parts.push_back(fmt::format(
        "$idle using 1:2:3:4 with vectors {} linewidth 1 linecolor rgb '#d8d8d8'", head));
  if (greatest > 0)
    parts.push_back(
        fmt::format("$load using 1:2:3:4:5 with vectors {} linewidth {:.1f} palette", head, width));
  return script + fmt::format("plot {}\n", fmt::join(parts, ", \\\n     "));
}

}  // namespace flitwave
