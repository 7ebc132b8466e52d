// testbenches/plots/tau_plot.cpp: see tau_plot.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/plots/tau_plot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "configs/error.hpp"
#include "testbenches/plots/gnuplot.hpp"

namespace flitwave {

namespace {

constexpr const char* tau_label = "τ = T_n / T_s (1/byte)";
constexpr const char* startup_label = "T_s (µs)";

std::string data_text(const std::vector<TauTrace>& traces) {
  std::string text =
      fmt::format("\"trace\"\t\"point\"\t\"{}\"\t\"{}\"\n", tau_label, startup_label);
  for (std::size_t i = 0; i < traces.size(); ++i) {
    if (i > 0) text += "\n\n";
    for (const auto& [name, point] : traces[i].points)
      text +=
          fmt::format("\"{}\"\t\"{}\"\t{}\t{}\n", traces[i].name, name, point.tau(), point.startup);
  }
  return text;
}

/// The range of an axis that contains all points, with a margin.
struct Scale {
  bool logarithmic = true;
  double least = std::numeric_limits<double>::infinity();
  double greatest = 0;

  void widen(double value) {
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  }
  /// Extends the range, so that labels fit in.
  void pad(double low, double high) {
    if (logarithmic) {
      least /= low;
      greatest *= high;
    } else {
      greatest = greatest > 0 ? greatest * high : 1;
    }
  }
  /// 0 at the left or lower end, 1 at the other.
  double place(double value) const {
    if (!logarithmic) return (value - least) / (greatest - least);
    return std::log(value / least) / std::log(greatest / least);
  }
  std::string text() const { return fmt::format("[{:.6g}:{:.6g}]", least, greatest); }
};

/// Puts names beside points so that none covers another name or a point, where possible.
class Labels {
 public:
  Labels(const Scale& x, const Scale& y) : x_(x), y_(y) {}

  void keep_free(const TauPoint& point) {
    const Box at = box(point, 0, 0, 0);
    taken_.push_back({at.left - 0.006, at.right + 0.006, at.low + 0.005, at.high - 0.005});
  }

  std::string text(const std::string& name, const TauPoint& point) {
    struct Side {
      const char* justify;
      double x;      // offset, in characters
      double y;      // offset, in lines
      double start;  // share of the name that is to the left of its anchor
    };
    static constexpr Side sides[] = {
        {"left", 0.8, 0, 0},      {"right", -0.8, 0, 1},    {"center", 0, 0.9, 0.5},
        {"center", 0, -0.9, 0.5}, {"left", 0.8, 0.6, 0},    {"left", 0.8, -0.6, 0},
        {"right", -0.8, 0.6, 1},  {"right", -0.8, -0.6, 1}, {"left", 0.8, 1.4, 0},
        {"left", 0.8, -1.4, 0},   {"right", -0.8, 1.4, 1},  {"right", -0.8, -1.4, 1},
        {"left", 0.8, 2.5, 0},    {"left", 0.8, -2.5, 0},   {"right", -0.8, 2.5, 1},
        {"right", -0.8, -2.5, 1}};
    const auto length = static_cast<double>(name.size());
    const Side* chosen = &sides[0];
    for (const Side& side : sides)
      if (is_free(box(point, side.x - side.start * length, side.y, length))) {
        chosen = &side;
        break;
      }
    taken_.push_back(box(point, chosen->x - chosen->start * length, chosen->y, length));
    return fmt::format("set label {} at {},{} {} offset {},{} font ',10' noenhanced\n",
                       gnuplot_text(name), point.tau(), point.startup, chosen->justify, chosen->x,
                       chosen->y);
  }

 private:
  struct Box {
    double left;
    double right;
    double low;
    double high;
  };
  static constexpr double character = 0.011;  // of the width of the plot
  static constexpr double line = 0.034;       // of its height

  Box box(const TauPoint& point, double from, double up, double length) const {
    const double x = x_.place(point.tau()) + from * character;
    const double y = y_.place(point.startup) + up * line;
    return {x, x + length * character, y - line / 2, y + line / 2};
  }
  bool is_free(const Box& box) const {
    if (box.left < 0 || box.right > 1) return false;
    return std::none_of(taken_.begin(), taken_.end(), [&](const Box& other) {
      return box.left < other.right && other.left < box.right && box.low < other.high &&
             other.low < box.high;
    });
  }

  Scale x_;
  Scale y_;
  std::vector<Box> taken_;
};

std::string labels_text(const std::vector<TauTrace>& traces, const Scale& x, const Scale& y) {
  Labels labels(x, y);
  for (const TauTrace& trace : traces)
    for (const auto& [name, point] : trace.points) labels.keep_free(point);
  std::string text;
  for (const TauTrace& trace : traces)
    if (trace.name.empty())
      for (const auto& [name, point] : trace.points) text += labels.text(name, point);
  return text;
}

std::string plot_text(std::size_t number, const TauTrace& trace) {
  const std::string style = fmt::format("pointsize 0.9 linecolor rgb '{}' pointtype {}",
                                        gnuplot_colour(number), gnuplot_mark(number));
  if (trace.name.empty())
    return fmt::format("data skip 1 index {} using 3:4 with points {} notitle", number, style);
  return fmt::format(
      "data skip 1 index {} using 3:4 with linespoints linewidth 2 dashtype {} {} title {}", number,
      gnuplot_dashes(number), style, gnuplot_text(trace.name));
}

}  // namespace

Drawing tau_plot(const std::vector<TauTrace>& traces, const std::string& title,
                 const PictureLook& look, const std::string& stem) {
  Scale x;
  Scale y;
  for (const TauTrace& trace : traces)
    for (const auto& [name, point] : trace.points) {
      x.logarithmic = x.logarithmic && point.per_byte > 0;
      x.widen(point.tau());
      y.widen(point.startup);
    }
  if (y.greatest <= 0) throw ConfigError("", "a tau-plot needs points", "give the table rows");
  x.pad(1.6, 2.2);
  y.pad(1.6, 1.6);
  std::string script = gnuplot_head(look);
  script += fmt::format("set logscale {}\n", x.logarithmic ? "xy" : "y");
  script += fmt::format("set xrange {}\nset yrange {}\n", x.text(), y.text());
  script += "set format x '%g'\nset format y '%g'\n";
  script += "set title " + gnuplot_text(title) + "\n";
  script += fmt::format("set xlabel '{}'\nset ylabel '{}'\n", tau_label, startup_label);
  script += "set grid linecolor rgb '#e0e0e0' linetype 1 linewidth 1\n";
  const bool named = std::any_of(traces.begin(), traces.end(),
                                 [](const TauTrace& trace) { return !trace.name.empty(); });
  script += named ? "set key outside right top noenhanced\n"
                  : "set key off\nset rmargin at screen 0.97\n";
  script += labels_text(traces, x, y);
  script += fmt::format("if (!exists('data')) data = {}\n", gnuplot_text(stem + ".dat"));
  std::string plots;
  for (std::size_t i = 0; i < traces.size(); ++i)
    plots += (i > 0 ? ", \\\n     " : "") + plot_text(i, traces[i]);
  return {script + "plot " + plots + "\n", data_text(traces)};
}

}  // namespace flitwave
