// testbenches/plots/partition_picture.cpp: see partition_picture.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/plots/partition_picture.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "testbenches/plots/gnuplot.hpp"

namespace flitwave {
namespace {

// Unit: pixel
constexpr int node_spacing = 34;  ///< Between adjacent nodes.
constexpr int border = 60;
constexpr int heading = 30;
constexpr double dot_radius = 3;
constexpr double node_radius = 6;
constexpr double aside = 3.5;  ///< From a channel to the line between its nodes, on its left.
constexpr double stub = 16;    ///< The length of a channel that wraps around.

struct Point {
  double x = 0;
  double y = 0;
};

/// Numbers of networks.
using Panel = std::vector<int>;

bool share_a_channel(const Subnetwork& a, const Subnetwork& b) {
  return std::any_of(a.channels().begin(), a.channels().end(),
                     [&](ChannelId channel) { return b.has(channel); });
}

/// Each network is in the first panel that has space for it.
std::vector<Panel> panels_of(const std::vector<Subnetwork>& networks) {
  std::vector<Panel> panels;
  for (std::size_t i = 0; i < networks.size(); ++i) {
    const auto fits = [&](const Panel& panel) {
      return std::all_of(panel.begin(), panel.end(), [&](int other) {
        const Subnetwork& there = networks[index(other)];
        return there.directions() == networks[i].directions() &&
               !share_a_channel(there, networks[i]);
      });
    };
    auto panel = std::find_if(panels.begin(), panels.end(), fits);
    if (panel == panels.end()) panel = panels.emplace(panels.end());
    panel->push_back(static_cast<int>(i));
  }
  return panels;
}

const char* text_of(Directions directions) {
  switch (directions) {
    case Directions::positive:
      return "positive channels";
    case Directions::negative:
      return "negative channels";
    case Directions::both:
      break;
  }
  return "channels both ways";
}

/// One panel after another, side by side.
class Picture {
 public:
  explicit Picture(const Partition& partition)
      : partition_(partition), network_(partition.network()), grid_(*network_.grid()) {}

  std::string draw() {
    const std::vector<Panel> panels = panels_of(partition_.ddns());
    const int columns = std::min<int>(static_cast<int>(panels.size()), 2);
    const int rows = (static_cast<int>(panels.size()) + columns - 1) / columns;
    const int width = (grid_.extent(1) - 1) * node_spacing + 2 * border;
    const int height = (grid_.extent(0) - 1) * node_spacing + 2 * border + heading;
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
        "viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
        columns * width, rows * height);
    put_heads();
    for (std::size_t i = 0; i < panels.size(); ++i) {
      const int place = static_cast<int>(i);
      text_ += fmt::format("<g class=\"panel\" transform=\"translate({},{})\">\n",
                           place % columns * width + border,
                           place / columns * height + border + heading);
      put_heading(panels[i]);
      put_blocks();
      put_dots();
      for (std::size_t n = 0; n < panels[i].size(); ++n) put_network(panels[i][n], n);
      text_ += "</g>\n";
    }
    return text_ + "</svg>\n";
  }

 private:
  Point at(NodeId node) const {
    return {1.0 * node_spacing * grid_.coordinate(node, 1),
            1.0 * node_spacing * grid_.coordinate(node, 0)};
  }

  /// An arrowhead for each colour.
  void put_heads() {
    text_ += "<defs>\n";
    for (std::size_t colour = 0; colour < colours; ++colour)
      text_ += fmt::format(
          "<marker id=\"head_{}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" "
          "markerHeight=\"7\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
          "<path d=\"M0,1 L8,4 L0,7 z\" fill=\"{}\"/></marker>\n",
          colour, gnuplot_colour(colour));
    text_ += "</defs>\n";
  }

  void put_heading(const Panel& panel) {
    const Subnetwork& first = partition_.ddns()[index(panel.front())];
    std::string names;
    for (std::size_t n = 0; n < panel.size(); ++n)
      names += fmt::format(R"( <tspan fill="{}" font-weight="bold">{}</tspan>)",
                           gnuplot_colour(n % colours), panel[n]);
    text_ +=
        fmt::format("<text x=\"0\" y=\"{}\" font-size=\"15\">{}, {}: networks{}</text>\n",
                    -border - 2, name_of(partition_.rule()), text_of(first.directions()), names);
    for (int i = 0; i < grid_.extent(1); ++i)
      text_ += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                           i * node_spacing, -border + 24, i);
    for (int i = 0; i < grid_.extent(0); ++i)
      text_ += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", -border + 22,
                           i * node_spacing + 4, i);
  }

  void put_blocks() {
    for (const Subnetwork& block : partition_.dcns()) {
      const Point corner = at(block.nodes().front());
      const Grid& inner = *block.inner().grid();
      const int number = grid_.coordinate(block.nodes().front(), 0) / inner.extent(0) +
                         grid_.coordinate(block.nodes().front(), 1) / inner.extent(1);
      text_ += fmt::format(
          "<rect class=\"block\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n",
          corner.x - node_spacing / 2.0, corner.y - node_spacing / 2.0,
          inner.extent(1) * node_spacing, inner.extent(0) * node_spacing,
          number % 2 == 0 ? "#e4e4e4" : "#f4f4f4");
    }
  }

  void put_dots() {
    for (int node = 0; node < network_.nodes(); ++node)
      put_circle("dot", at(NodeId(node)), dot_radius, "#909090");
  }

  void put_network(int number, std::size_t place) {
    const Subnetwork& network = partition_.ddns()[index(number)];
    const std::size_t colour = place % colours;
    text_ += fmt::format("<g id=\"network_{}\">\n", number);
    for (ChannelId channel : network.channels()) put_channel(network_.channel(channel), colour);
    for (NodeId node : network.nodes())
      put_circle("node", at(node), node_radius, gnuplot_colour(colour));
    text_ += "</g>\n";
  }

  void put_channel(const ChannelEnds& ends, std::size_t colour) {
    const int dimension = Grid::port_dimension(ends.from_port);
    const int step = Grid::port_step(ends.from_port);
    const Point along = dimension == 0 ? Point{0, 1.0 * step} : Point{1.0 * step, 0};
    const bool wraps =
        grid_.coordinate(ends.to, dimension) != grid_.coordinate(ends.from, dimension) + step;
    const double first = node_radius;
    const double last = wraps ? first + stub : node_spacing - node_radius;
    const Point from = at(ends.from);
    // On the screen y grows downwards: this is to the right of the direction of the channel.
    const Point origin{from.x - aside * along.y, from.y + aside * along.x};
    text_ += fmt::format(
        "<path class=\"channel\" d=\"M{:g},{:g} L{:g},{:g}\" stroke=\"{}\" stroke-width=\"1.4\" "
        "marker-end=\"url(#head_{})\"/>\n",
        origin.x + first * along.x, origin.y + first * along.y, origin.x + last * along.x,
        origin.y + last * along.y, gnuplot_colour(colour), colour);
  }

  void put_circle(const char* kind, const Point& middle, double radius, const char* colour) {
    text_ += fmt::format("<circle class=\"{}\" cx=\"{:g}\" cy=\"{:g}\" r=\"{:g}\" fill=\"{}\"/>\n",
                         kind, middle.x, middle.y, radius, colour);
  }

  static constexpr std::size_t colours = 6;  // without black

  const Partition& partition_;
  const Topology& network_;
  const Grid& grid_;
  std::string text_;
};

}  // namespace

std::string partition_picture(const Partition& partition) { return Picture(partition).draw(); }

}  // namespace flitwave
