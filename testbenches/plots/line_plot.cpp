// testbenches/plots/line_plot.cpp: see line_plot.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/plots/line_plot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "algorithms/cost_models/measurements.hpp"
#include "algorithms/cost_models/tau_model.hpp"
#include "testbenches/plots/gnuplot.hpp"
#include "testbenches/plots/plot_lines.hpp"

namespace flitwave {

namespace {

bool has_intervals(const PlotLine& line) {
  return std::any_of(line.dots.begin(), line.dots.end(),
                     [](const PlotDot& dot) { return dot.y.half_width.has_value(); });
}

bool has_draws(const PlotLine& line) {
  return std::any_of(line.dots.begin(), line.dots.end(),
                     [](const PlotDot& dot) { return dot.least && dot.greatest; });
}

std::string shown_unit(const std::string& unit) { return unit == "us" ? "µs" : unit; }

std::string labelled(const std::string& what, const std::string& unit) {
  return unit.empty() ? what : what + " (" + shown_unit(unit) + ")";
}

std::string y_label(const LinePlotParams& params, const Findings& findings) {
  if (!params.y_label.empty()) return params.y_label;
  const std::string unit = findings.unit(params.y.front());
  return labelled(params.kind == PlotKind::lines ? params.y.front() : "latency", unit);
}

/// What a picture must show, along both axes.
struct Extent {
  double left = std::numeric_limits<double>::infinity();
  double right = -std::numeric_limits<double>::infinity();
  double bottom = std::numeric_limits<double>::infinity();
  double first_dot = std::numeric_limits<double>::infinity();
};

Extent extent_of(const std::vector<PlotLine>& lines) {
  Extent extent;
  for (const PlotLine& line : lines) {
    for (const PlotDot& dot : line.dots) {
      if (!dot.y.value) continue;
      extent.first_dot = std::min(extent.first_dot, dot.x);
      extent.left = std::min(extent.left, dot.x);
      extent.right = std::max(extent.right, dot.x);
      extent.bottom = std::min(extent.bottom, *dot.y.value);
    }
    if (!line.asymptote) continue;
    extent.left = std::min(extent.left, *line.asymptote);
    extent.right = std::max(extent.right, *line.asymptote);
  }
  return extent;
}

/// Whether the x axis begins at 0: places are seen from there where they come as near to it as a
/// quarter of what they span.
bool begins_at_zero(const LinePlotParams& params, const PlotAxis& axis, const Extent& extent) {
  return !params.log_x && !axis.words && extent.left >= 0 && extent.right > 0 &&
         4 * extent.left <= extent.right - extent.left;
}

/// What is nowhere below 0 is not drawn as if it could be, and a height is seen from 0. gnuplot
/// takes dots into account by itself, and asymptotes, which are arrows, only if it is told where
/// they are.
std::string ranges_script(const LinePlotParams& params, const PlotAxis& axis,
                          const std::vector<PlotLine>& lines) {
  const Extent extent = extent_of(lines);
  const bool from_zero = begins_at_zero(params, axis, extent);
  const bool asymptotes = std::any_of(
      lines.begin(), lines.end(), [](const PlotLine& line) { return line.asymptote.has_value(); });
  std::string least = from_zero ? "0" : "*";
  if (!from_zero && extent.left < extent.first_dot) least = "*<" + number_text(extent.left);
  const std::string greatest = asymptotes ? number_text(extent.right) + "<*" : "*";
  std::string script;
  if (from_zero || asymptotes) script += fmt::format("set xrange [{}:{}]\n", least, greatest);
  if (!params.log_y && extent.bottom >= 0) script += "set yrange [0:*]\n";
  // What is at a border is seen whole.
  return script + fmt::format("set offsets graph {}, graph 0.03, 0, 0\n", from_zero ? "0" : "0.03");
}

/// The tics of an axis. A number that would reach into the one before it is left out; words are
/// written aslant where one would.
std::string tics_script(const LinePlotParams& params, const PlotAxis& axis, const Extent& extent) {
  constexpr double character = 0.0115;  // of the width of the axis
  const double left = begins_at_zero(params, axis, extent) ? 0 : extent.left;
  const auto along = [&](double place) {
    return params.log_x ? std::log(place / left) / std::log(extent.right / left)
                        : (place - left) / (extent.right - left);
  };
  std::vector<std::string> tics;
  bool crowded = false;
  double end = -std::numeric_limits<double>::infinity();
  for (const PlotAxis::Tic& tic : axis.tics) {
    const double half = character * (static_cast<double>(tic.label.size()) + 1) / 2;
    const bool fits = extent.left >= extent.right || along(tic.place) - half >= end;
    if (fits) end = along(tic.place) + half;
    crowded = crowded || !fits;
    tics.push_back(
        fmt::format("{} {}", gnuplot_text(fits || axis.words ? tic.label : ""), tic.place));
  }
  // gnuplot would leave room for labels as if they were crowded at the border.
  const bool aslant = crowded && axis.words;
  const double last = aslant ? 0 : static_cast<double>(axis.tics.back().label.size());
  return fmt::format("set xtics {}({})\nset mxtics 1\nset rmargin at screen {:.3f}\n",
                     aslant ? "rotate by 20 right " : "", fmt::join(tics, ", "),
                     0.985 - last * 0.005);
}

std::string axes_script(const LinePlotParams& params, const Findings& findings,
                        const PlotAxis& axis, const Extent& extent) {
  std::string script;
  const std::string x = !params.x_label.empty() ? params.x_label : labelled(params.x, axis.unit);
  script += "set xlabel " + gnuplot_text(x) + "\n";
  script += "set ylabel " + gnuplot_text(y_label(params, findings)) + "\n";
  const bool bytes = params.kind == PlotKind::latency_against_size;
  if (params.log_x) script += bytes ? "set logscale x 2\n" : "set logscale x\n";
  if (params.log_y) script += "set logscale y\n";
  if (!axis.tics.empty()) script += tics_script(params, axis, extent);
  return script;
}

/// A kind or a metric as a reader would write it: without underscores, and without a unit, which is
/// at the axis.
std::string plain_words(std::string name) {
  constexpr std::string_view unit = "_us";
  if (name.size() > unit.size() && name.compare(name.size() - unit.size(), unit.size(), unit) == 0)
    name.resize(name.size() - unit.size());
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

/// A metric without the part before its first point, when all share that: "max".
std::string short_name(const std::vector<std::string>& metrics, std::size_t which) {
  const std::string subject = metrics.front().substr(0, metrics.front().find('.') + 1);
  for (const std::string& metric : metrics)
    if (subject.empty() || metric.compare(0, subject.size(), subject) != 0)
      return plain_words(metrics[which]);
  return plain_words(metrics[which].substr(subject.size()));
}

/// What the legend says of places where a line has no number.
std::string lack_text(const PlotLine& line) {
  if (line.asymptote) return fmt::format(" (saturated from {})", four_digits(*line.asymptote));
  if (line.lacking == 0 && line.has_numbers()) return "";
  if (!line.has_numbers()) return " (no value)";
  return fmt::format(" (no value at {} of {})", line.lacking, line.places);
}

/// What a line is called.
std::string line_name(const PlotLine& line, const LinePlotParams& params) {
  if (params.y.size() == 1) return line.title;
  return line.title + (line.title.empty() ? "" : ", ") + short_name(params.y, line.dash);
}

/// What the legend says of a line: its name, and what cannot be seen of it.
std::string title_of(std::size_t number, const std::vector<PlotLine>& lines,
                     const LinePlotParams& params) {
  const PlotLine& line = lines[number];
  const std::string name = line_name(line, params);
  std::string note = lack_text(line);
  if (line.covers > 0)
    note += (line.equals ? " (same as " : " (close to ") +
            line_name(lines[line.first_covered], params) + ")";
  return name.empty() && !note.empty() ? params.y.front() + note : name + note;
}

/// A title that is too long for the picture, broken between words into lines of like length.
std::vector<std::string> lines_of_title(const std::string& title) {
  constexpr std::size_t widest = 90;  // characters
  const std::size_t count = title.size() / widest + 1;
  std::vector<std::string> lines;
  std::size_t begin = 0;
  for (std::size_t left = count; left > 1; --left) {
    const std::size_t middle = begin + (title.size() - begin) / left;
    const std::size_t end = title.find(' ', middle);
    if (end == std::string::npos) break;
    lines.push_back(title.substr(begin, end - begin));
    begin = end + 1;
  }
  lines.push_back(title.substr(begin));
  return lines;
}

/// Title, then the key in rows, then the axes: nothing lies over the lines.
std::string layout_script(const LinePlotParams& params, const std::vector<PlotLine>& lines) {
  constexpr double title_height = 0.07;
  constexpr double further_line = 0.04;
  constexpr double row_height = 0.042;
  std::string script;
  double top = 0.97;
  if (!params.title.empty()) {
    const std::vector<std::string> parts = lines_of_title(params.title);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      script += fmt::format("set label {} {} at screen 0.5,{:.3f} center font ',16'\n", i + 1,
                            gnuplot_text(parts[i]), top - 0.015);
      top -= i + 1 < parts.size() ? further_line : title_height;
    }
  }
  std::size_t longest = 0;
  for (std::size_t i = 0; i < lines.size(); ++i)
    longest = std::max(longest, title_of(i, lines, params).size());
  if (longest > 0) {
    constexpr std::size_t narrow = 18;
    constexpr std::size_t wide = 32;
    const std::size_t columns = longest <= narrow ? 4 : longest <= wide ? 2 : 1;
    const std::size_t rows = (lines.size() + columns - 1) / columns;
    script += fmt::format(
        "set key at screen 0.5,{:.3f} center top horizontal Left reverse samplen 3 "
        "maxcols {} maxrows {} width 1\n",
        top, columns, rows);
    top -= row_height * static_cast<double>(rows);
  } else {
    script += "set key off\n";
  }
  return script + fmt::format("set tmargin at screen {:.3f}\n", top - 0.02);
}

}  // namespace

std::vector<std::string> names_of(PlotKind) {
  return {"latency_against_size", "latency_against_load", "lines", "tau_plot"};
}

Schema<LinePlotParams> line_plot_schema() {
  using P = LinePlotParams;
  return Schema<P>{}
      .required("kind", &P::kind,
                "what is drawn; the first two know their axes; a tau_plot has a "
                "point for the line that times follow over operation.message")
      .optional("x", &P::x,
                "setting, or metric, along the x axis; of a tau_plot, the setting along a trace")
      .optional("y", &P::y, "metrics along the y axis")
      .optional("series", &P::series, "settings with a line, or trace, for each value")
      .optional("of", &P::of,
                "settings of the points that are drawn, e.g. {topology.shape: [8, 8]}, or a list "
                "of such, of which a point has one")
      .optional("average", &P::average, "how the points that share a place become one")
      .optional("over", &P::over, over_sentence)
      .optional("draws", &P::draws,
                "bars from the least to the greatest draw of a point (NAME.min to NAME.max), "
                "where it has several draws")
      .optional("log_x", &P::log_x, "logarithmic x axis; always so for latency_against_size")
      .optional("log_y", &P::log_y, "logarithmic y axis")
      .optional("beside", &P::beside,
                "of a tau_plot: measured tables that are drawn too, e.g. [tsai_1997/table_5_1]")
      .optional("title", &P::title, "stands above the picture")
      .optional("x_label", &P::x_label, "stands below the x axis, instead of its setting's name")
      .optional("y_label", &P::y_label, "stands beside the y axis, instead of its metric's name")
      .optional("file", &P::file,
                "name of the picture; plot.svg, and plot_2.svg for a second picture");
}

namespace {

/// A tau-plot knows its axes, and draws one metric.
void check_tau_plot(const ConfigNode& section, const LinePlotParams& params) {
  for (const char* key : {"log_x", "log_y", "x_label", "y_label"})
    if (const ConfigNode* node = section.find(key))
      throw node->error("a tau_plot has axes of its own", "leave it out");
  if (const ConfigNode* node = section.find("draws"))
    throw node->error("a tau_plot has no bars", "leave it out");
  if (params.y.size() > 1)
    throw section.at("y").error("a tau_plot has points for the lines of one metric",
                                "name one, and make another plot for another");
  for (std::size_t i = 0; i < params.beside.size(); ++i) {
    try {
      tau_traces(measurements(params.beside[i]), params.beside[i]);
    } catch (const ConfigError& error) {
      throw section.at("beside").items()[i].error(error.problem(), error.remedy());
    } catch (const SystemFailure&) {
      throw section.at("beside").items()[i].error("the table " +
                                                      detail::in_quotes(params.beside[i]) +
                                                      " has no start-ups and times by byte",
                                                  "name another, e.g. tsai_1997/table_5_1");
    }
  }
}

}  // namespace

LinePlotParams read_line_plot(const ConfigNode& section) {
  // `y` may be one metric.
  const ConfigNode* y = section.find("y");
  const bool one = y && y->is_scalar();
  LinePlotParams params =
      line_plot_schema().parse(one ? section.with("y", ConfigNode::list({*y})) : section);
  const auto fill = [&](const char* x, const char* metric, const char* label) {
    if (params.x.empty()) params.x = x;
    if (params.y.empty()) params.y = {metric};
    if (params.x_label.empty()) params.x_label = label;
  };
  if (params.kind == PlotKind::latency_against_size) {
    fill("operation.message", "collective.max_us", "message length");
    params.log_x = true;
  }
  if (params.kind == PlotKind::latency_against_load)
    fill("traffic.rate", "latency.mean", "offered load (flit/node/cycle)");
  if (params.kind == PlotKind::tau_plot) {
    check_tau_plot(section, params);
    if (params.y.empty()) params.y = {"collective.max_us"};
  } else if (!params.beside.empty()) {
    throw section.at("beside").error("measured tables stand beside a tau_plot only",
                                     "write `kind: tau_plot`, or leave `beside` out");
  } else if (params.x.empty() || params.y.empty())
    throw section.error("lines need `x` and `y`",
                        "write e.g. `{kind: lines, x: channel.vcs, y: latency.mean}`");
  const std::string& file = params.file;
  if (!file.empty() && (file.size() < 5 || file.compare(file.size() - 4, 4, ".svg") != 0 ||
                        file.find('/') != std::string::npos))
    throw section.at("file").error("a picture is an SVG file in the folder of the results",
                                   "write e.g. latency.svg");
  return params;
}

std::vector<std::size_t> drawn_points(const LinePlotParams& params, const Findings& findings) {
  if (params.of.is_null()) return all_points(findings);
  const bool several = params.of.is_list();
  std::set<std::size_t> drawn;
  for (const ConfigNode& of : several ? params.of.items() : std::vector<ConfigNode>{params.of}) {
    const Settings settings = read_settings(of);
    const std::vector<std::size_t> found = findings.select(settings);
    if (found.empty())
      throw of.error("no point has " + settings_text(settings),
                     "name settings and values of the sweep");
    drawn.insert(found.begin(), found.end());
  }
  return {drawn.begin(), drawn.end()};
}

namespace {

std::string cell_text(const std::optional<double>& number) {
  return number ? " " + number_text(*number) : " ?";
}

/// A line's numbers, and the ends of their draws or else half the width of their intervals where
/// one has any.
std::string data_script(const PlotLine& line, std::size_t number) {
  const bool draws = has_draws(line);
  const bool intervals = !draws && has_intervals(line);
  std::string script = fmt::format("$line{} << EOD\n", number);
  for (const PlotDot& dot : line.dots) {
    if (dot.y.value) script += number_text(dot.x) + " " + number_text(*dot.y.value);
    if (dot.y.value && draws) script += cell_text(dot.least) + cell_text(dot.greatest);
    if (dot.y.value && intervals) script += cell_text(dot.y.half_width);
    script += "\n";
  }
  return script + "EOD\n";
}

/// Of lines that lie on one another each leaves half of what the one before it has.
std::string dash_type(const PlotLine& line) {
  if (line.covers == 0) return std::to_string(line.dash + 1);
  constexpr double period = 24;
  const double on =
      period / static_cast<double>(std::size_t{1} << std::min<std::size_t>(line.covers, 4));
  return fmt::format("({},{})", on, period - on);
}

/// What `plot` is given for a line: its error bars below the line, or its place in the key alone.
std::vector<std::string> elements(const PlotLine& line, std::size_t number,
                                  const std::string& title) {
  const std::string colour = gnuplot_colour(line.colour);
  // A line that lies on others has gaps and hollow marks, in which these are seen.
  const bool covers = line.covers > 0;
  const int mark = covers ? gnuplot_hollow_mark(line.colour) : gnuplot_mark(line.colour);
  const std::string look = fmt::format(
      "with linespoints linewidth 2 pointsize {} linecolor rgb '{}' pointtype {} "
      "dashtype {} title {}",
      covers ? 1.1 + 0.3 * static_cast<double>(std::min<std::size_t>(line.covers, 3)) : 0.9, colour,
      mark, dash_type(line), gnuplot_text(title));
  if (!line.has_numbers()) return {"keyentry " + look};
  std::vector<std::string> parts;
  if (has_draws(line) || has_intervals(line))
    parts.push_back(fmt::format(
        "$line{} using 1:2:3{} with yerrorbars pointtype 0 linewidth 1.5 linecolor rgb '{}' "
        "notitle",
        number, has_draws(line) ? ":4" : "", colour));
  parts.push_back(fmt::format("$line{} using 1:2 {}", number, look));
  return parts;
}

std::string asymptote_script(const PlotLine& line) {
  if (!line.asymptote) return "";
  const std::string x = number_text(*line.asymptote);
  return fmt::format(
      "set arrow from {0}, graph 0 to {0}, graph 1 nohead linewidth 1.5 dashtype 2 "
      "linecolor rgb '{1}'\n",
      x, gnuplot_colour(line.colour));
}

}  // namespace

std::string line_plot_script(const LinePlotParams& params, const Findings& findings) {
  const auto [lines, axis] = plot_lines(params, findings);
  if (std::none_of(lines.begin(), lines.end(),
                   [](const PlotLine& line) { return line.has_numbers(); }))
    return "";
  std::string script = gnuplot_head(820, 560) +
                       axes_script(params, findings, axis, extent_of(lines)) +
                       ranges_script(params, axis, lines);
  script += "set grid linecolor rgb '#e0e0e0' linetype 1 linewidth 1\n";
  script += "set datafile missing '?'\n";
  script += layout_script(params, lines);
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    script += asymptote_script(lines[i]);
    if (lines[i].has_numbers()) script += data_script(lines[i], i);
    for (std::string& part : elements(lines[i], i, title_of(i, lines, params)))
      parts.push_back(std::move(part));
  }
  return script + fmt::format("plot {}\n", fmt::join(parts, ", \\\n     "));
}

}  // namespace flitwave
