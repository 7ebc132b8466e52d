// testbenches/tau_plot.cpp: see tau_plot.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/tau_plot.hpp"

#include <fmt/format.h>

#include "flitwave/configs/error.hpp"
#include "flitwave/testbenches/gnuplot.hpp"

namespace flitwave {

namespace {

std::string data_text(std::size_t number, const TauTrace& trace) {
  std::string text = fmt::format("$trace{} << EOD\n", number);
  for (const auto& [name, point] : trace.points)
    text += fmt::format("{} {}\n", point.tau(), point.startup);
  return text + "EOD\n";
}

std::string labels_text(const TauTrace& trace) {
  std::string text;
  for (const auto& [name, point] : trace.points)
    text += fmt::format("set label {} at {},{} left offset 0.8,0 font ',11'\n", gnuplot_text(name),
                        point.tau(), point.startup);
  return text;
}

std::string plot_text(std::size_t number, const TauTrace& trace) {
  const std::string style = fmt::format("pointsize 0.9 linecolor rgb '{}' pointtype {}",
                                        gnuplot_colour(number), gnuplot_mark(number));
  if (trace.name.empty())
    return fmt::format("$trace{} using 1:2 with points {} notitle", number, style);
  return fmt::format("$trace{} using 1:2 with linespoints linewidth 2 {} title {}", number, style,
                     gnuplot_text(trace.name));
}

}  // namespace

std::string tau_plot_script(const std::vector<TauTrace>& traces, const std::string& title) {
  bool free_of_length = false;  // tau is 0
  std::size_t points = 0;
  for (const TauTrace& trace : traces)
    for (const auto& [name, point] : trace.points) {
      free_of_length = free_of_length || point.per_byte == 0;
      ++points;
    }
  if (points == 0) throw ConfigError("", "a tau-plot needs points", "give the table rows");
  std::string script = gnuplot_head(820, 560);
  script += fmt::format("set logscale {}\n", free_of_length ? "y" : "xy");
  script += "set format x '%g'\nset format y '%g'\n";
  script += "set title " + gnuplot_text(title) + "\n";
  script += "set xlabel 'τ = T_n / T_s (1/byte)'\nset ylabel 'T_s (µs)'\n";
  script += "set grid linecolor rgb '#e0e0e0' linetype 1 linewidth 1\n";
  script +=
      "set key outside right top\nset offsets graph 0.05, graph 0.2, graph 0.05, graph 0.05\n";
  std::string plots;
  for (std::size_t i = 0; i < traces.size(); ++i) {
    script += data_text(i, traces[i]);
    if (traces[i].name.empty()) script += labels_text(traces[i]);
    plots += (i > 0 ? ", \\\n     " : "") + plot_text(i, traces[i]);
  }
  return script + "plot " + plots + "\n";
}

}  // namespace flitwave
