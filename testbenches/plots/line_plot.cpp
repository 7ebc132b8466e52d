// testbenches/plots/line_plot.cpp: see line_plot.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/plots/line_plot.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "testbenches/plots/plot_lines.hpp"
#include "testbenches/plots/plot_titles.hpp"

namespace flitwave {

namespace {

/// The part after the head of a script. A y axis starts at 0; gnuplot chooses all other ranges and
/// tics.
constexpr const char* script_template = R"(set grid linecolor rgb '#e0e0e0' linetype 1 linewidth 1
set title {title} font ',{title_size}'
set xlabel {x_label}
set ylabel {y_label}
set key {key}
{axes}{linetypes}{asymptotes}if (!exists('data')) data = {data}
plot {lines}
)";

enum class Bars { none, intervals, draws };

Bars bars_of(const PlotLine& line) {
  const auto any = [&](auto has) { return std::any_of(line.dots.begin(), line.dots.end(), has); };
  if (any([](const PlotDot& dot) { return dot.least && dot.greatest; })) return Bars::draws;
  return any([](const PlotDot& dot) { return dot.y.half_width.has_value(); }) ? Bars::intervals
                                                                              : Bars::none;
}

Bars bars_of(const std::vector<PlotLine>& lines) {
  Bars bars = Bars::none;
  for (const PlotLine& line : lines) bars = std::max(bars, bars_of(line));
  return bars;
}

/// The requested range of an axis, extended to the asymptotes, which gnuplot ignores. `least`: the
/// lower end where none is requested.
std::string range_text(const char* axis, const AxisRange& range, const std::vector<double>& at,
                       std::string least) {
  std::string greatest = "*";
  if (!at.empty()) {
    const auto [first, last] = std::minmax_element(at.begin(), at.end());
    if (least == "*") least += "<" + number_text(*first);
    greatest = number_text(*last) + "<*";
  }
  if (range.least) least = number_text(*range.least);
  if (range.greatest) greatest = number_text(*range.greatest);
  if (least == "*" && greatest == "*") return "";
  return fmt::format("set {}range [{}:{}]\n", axis, least, greatest);
}

std::vector<double> places_of_asymptotes(const PlotLines& plot, bool vertical) {
  std::vector<double> at;
  for (const PlotLine& line : plot.lines)
    if (vertical && line.asymptote) at.push_back(*line.asymptote);
  for (const PlotAsymptote& asymptote : plot.asymptotes)
    if (asymptote.vertical == vertical) at.push_back(asymptote.at);
  return at;
}

std::string axes_text(const LinePlotParams& params, const PlotLines& plot) {
  const PlotAxis& axis = plot.axis;
  const bool powers_of_two = params.log_x && axis.unit == "B";
  std::string script;
  if (params.log_x) script += powers_of_two ? "set logscale x 2\n" : "set logscale x\n";
  if (params.log_y) script += "set logscale y\n";
  const char* const unit = !axis.unit_at_tics ? "" : axis.unit == "us" ? " µs" : " B";
  if (axis.unit_at_tics || powers_of_two)
    script += fmt::format("set format x '{}{}'\n", powers_of_two ? "%.0f" : "%g", unit);
  std::vector<std::string> words;
  for (const std::string& word : axis.words)
    words.push_back(fmt::format("{} {}", gnuplot_text(word), words.size() + 1));
  if (!words.empty())
    script += fmt::format("set xtics rotate by 20 right ({})\nset offsets 0.5, 0.5, 0, 0\n",
                          fmt::join(words, ", "));
  script += range_text("x", params.x_range, places_of_asymptotes(plot, true), "*");
  script += range_text("y", params.y_range, places_of_asymptotes(plot, false),
                       params.log_y ? "*" : "*<0");
  return script;
}

/// Each series has its own line type; if there is one series only, each metric has.
std::string linetypes_text(const std::vector<PlotLine>& lines) {
  std::size_t looks = 0;
  bool has_variants = false;
  for (const PlotLine& line : lines) {
    looks = std::max(looks, line.look + 1);
    has_variants = has_variants || line.is_variant;
  }
  std::string text;
  for (std::size_t i = 0; i < looks; ++i)
    text += fmt::format(
        "set linetype {} linecolor rgb '{}' linewidth 2 pointtype {} pointsize 0.9 dashtype {}\n",
        i + 1, gnuplot_colour(i), gnuplot_mark(i), has_variants ? "solid" : gnuplot_dashes(i));
  return text;
}

/// The style by which a line differs from others of its series. Of coinciding lines, each draws
/// half of the dash length of the line before it and has hollow marks, so that the others remain
/// visible.
std::string look_text(const PlotLine& line) {
  std::string look = fmt::format("linetype {}", line.look + 1);
  if (line.covers > 0) {
    constexpr double period = 24;
    const std::size_t below = std::min<std::size_t>(line.covers, 4);
    const double on = period / static_cast<double>(std::size_t{1} << below);
    return look + fmt::format(" pointtype {} pointsize {} dashtype ({},{})",
                              gnuplot_hollow_mark(line.look),
                              1.1 + 0.3 * static_cast<double>(std::min<std::size_t>(below, 3)), on,
                              period - on);
  }
  if (!line.is_variant) return look;
  return look + fmt::format(" pointtype {} dashtype {}", gnuplot_hollow_mark(line.look),
                            gnuplot_dashes(line.metric));
}

/// The elements of `plot` for a line: its bars and the line above them, or only an entry in the
/// key.
std::vector<std::string> elements(const PlotLine& line, std::size_t block,
                                  const std::string& title) {
  const std::string look = look_text(line);
  const std::string titled = fmt::format("with linespoints {} title {}", look, gnuplot_text(title));
  if (!line.has_numbers()) return {"keyentry " + titled};
  const std::string source = fmt::format("data skip 1 index {} using ", block);
  std::vector<std::string> parts;
  const Bars bars = bars_of(line);
  if (bars != Bars::none)
    parts.push_back(fmt::format(
        "{}2:3:{} with yerrorbars linetype {} linewidth 1.5 dashtype solid pointtype 0 notitle",
        source, bars == Bars::draws ? "4:5" : "4", line.look + 1));
  parts.push_back(source + "2:3 " + titled);
  return parts;
}

std::string arrow_text(double at, bool vertical, const std::string& colour) {
  const std::string place = number_text(at);
  return fmt::format(
      "set arrow from {} to {} nohead linewidth 1.5 dashtype (7,4) linecolor rgb '{}'\n",
      vertical ? place + ", graph 0" : "graph 0, first " + place,
      vertical ? place + ", graph 1" : "graph 1, first " + place, colour);
}

constexpr const char* colour_of_all = "#606060";

std::string asymptotes_text(const PlotLines& plot) {
  std::string text;
  for (const PlotLine& line : plot.lines)
    if (line.asymptote) text += arrow_text(*line.asymptote, true, gnuplot_colour(line.look));
  for (const PlotAsymptote& one : plot.asymptotes)
    text +=
        arrow_text(one.at, one.vertical, one.series ? gnuplot_colour(*one.series) : colour_of_all);
  return text;
}

/// An entry in the key for each title of asymptotes.
std::vector<std::string> asymptote_entries(const PlotLines& plot) {
  std::vector<std::string> titles;
  for (const PlotAsymptote& one : plot.asymptotes)
    if (!one.title.empty() && std::find(titles.begin(), titles.end(), one.title) == titles.end())
      titles.push_back(one.title);
  for (std::string& title : titles)
    title =
        fmt::format("keyentry with lines linewidth 1.5 dashtype (7,4) linecolor rgb '{}' title {}",
                    colour_of_all, gnuplot_text(title));
  return titles;
}

std::string column(std::string text) {
  std::replace(text.begin(), text.end(), '"', '\'');
  return '"' + text + '"';
}

std::string cell(const std::optional<double>& number) {
  return number ? number_text(*number) : "NaN";
}

std::string data_text(const LinePlotParams& params, const Findings& findings,
                      const PlotLines& plot) {
  const Bars bars = bars_of(plot.lines);
  std::string x = fmt::format("{}", fmt::join(x_label(params, plot, findings), " "));
  if (plot.axis.unit_at_tics) x += " (" + plot.axis.unit + ")";
  const std::string y = fmt::format("{}", fmt::join(y_label(params, findings), " "));
  std::vector<std::string> cells{column("series"), column(x), column(y)};
  if (bars == Bars::draws) cells.insert(cells.end(), {column("least"), column("greatest")});
  if (bars == Bars::intervals) cells.push_back(column("half of the 95 % interval"));
  if (!plot.axis.words.empty()) cells.push_back(column("label"));
  std::string text = fmt::format("{}\n", fmt::join(cells, "\t"));
  const char* between = "";
  for (const PlotLine& line : plot.lines) {
    if (!line.has_numbers()) continue;
    text += between;
    between = "\n\n";
    const std::string name = line_name(line, params);
    for (const PlotDot& dot : line.dots) {
      cells = {column(name.empty() ? title_of_metric(params, params.y.front()) : name), cell(dot.x),
               cell(dot.y.value)};
      if (bars == Bars::draws) cells.insert(cells.end(), {cell(dot.least), cell(dot.greatest)});
      if (bars == Bars::intervals) cells.push_back(cell(dot.y.half_width));
      if (!plot.axis.words.empty())
        cells.push_back(column(plot.axis.words.at(static_cast<std::size_t>(dot.x) - 1)));
      text += fmt::format("{}\n", fmt::join(cells, "\t"));
    }
  }
  return text;
}

}  // namespace

Drawing line_plot(const LinePlotParams& params, const Findings& findings) {
  const PlotLines plot = plot_lines(params, findings);
  std::vector<std::string> parts;
  std::size_t block = 0;
  bool named = false;
  for (std::size_t i = 0; i < plot.lines.size(); ++i) {
    const std::string title = legend_entry(i, plot.lines, params);
    named = named || !title.empty();
    for (std::string& part : elements(plot.lines[i], block, title))
      parts.push_back(std::move(part));
    if (plot.lines[i].has_numbers()) ++block;
  }
  if (block == 0) return {};
  for (std::string& entry : asymptote_entries(plot)) {
    named = true;
    parts.push_back(std::move(entry));
  }
  const std::string script = fmt::format(
      script_template, fmt::arg("title", gnuplot_text(title_lines(params))),
      fmt::arg("title_size", params.font_size + 2),
      fmt::arg("x_label", gnuplot_text(x_label(params, plot, findings))),
      fmt::arg("y_label", gnuplot_text(y_label(params, findings))),
      fmt::arg("key", named ? "bmargin center horizontal Left reverse samplen 4 height 1" : "off"),
      fmt::arg("axes", axes_text(params, plot)), fmt::arg("linetypes", linetypes_text(plot.lines)),
      fmt::arg("asymptotes", asymptotes_text(plot)),
      fmt::arg("data", gnuplot_text(params.stem() + ".dat")),
      fmt::arg("lines", fmt::format("{}", fmt::join(parts, ", \\\n     "))));
  return {gnuplot_head(params.look()) + script, data_text(params, findings, plot)};
}

}  // namespace flitwave
