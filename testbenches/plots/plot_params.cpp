// testbenches/plots/plot_params.cpp: see plot_params.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/plots/plot_params.hpp"

#include <algorithm>
#include <set>

#include "algorithms/cost_models/measurements.hpp"
#include "algorithms/cost_models/tau_model.hpp"

namespace flitwave {

std::vector<std::string> names_of(PlotKind) {
  return {"latency_against_size", "latency_against_load", "lines", "tau_plot"};
}

namespace {

constexpr const char* open_end = "*";  // an end of a range that gnuplot chooses

std::optional<double> read_end(const ConfigNode& node) {
  if (node.is_scalar() && node.text() == open_end) return std::nullopt;
  return Codec<double>::read(node);
}

std::string end_text(const std::optional<double>& end) {
  return end ? Codec<double>::print(*end) : Codec<std::string>::print(open_end);
}

/// One asymptote or several.
std::vector<ConfigNode> read_places(const ConfigNode* node) {
  if (!node) return {};
  if (node->is_scalar()) return {*node};
  std::vector<ConfigNode> places = Codec<std::vector<ConfigNode>>::read(*node);
  for (const ConfigNode& place : places) Codec<std::string>::read(place);
  return places;
}

}  // namespace

AxisRange Codec<AxisRange>::read(const ConfigNode& node) {
  const std::vector<ConfigNode>& ends = detail::read_list(node);
  if (ends.empty()) return {};
  if (ends.size() != 2) throw node.error("a range has two ends", "write e.g. [0, 0.5] or [0, '*']");
  return {read_end(ends[0]), read_end(ends[1])};
}

std::string Codec<AxisRange>::print(const AxisRange& value) {
  if (!value.is_given()) return "[]";
  return detail::print_list({end_text(value.least), end_text(value.greatest)});
}

ValueType Codec<AxisRange>::type() {
  return {"list of two numbers or *", "[0, 0.5]",
          R"({"type":"array","items":{"type":["number","string"]},"maxItems":2})"};
}

std::vector<std::string> Asymptotes::metrics() const {
  std::vector<std::string> names;
  for (const std::vector<ConfigNode>* places : {&x, &y})
    for (const ConfigNode& place : *places)
      if (!magnitude_of(place)) names.push_back(place.text());
  return names;
}

Asymptotes Codec<Asymptotes>::read(const ConfigNode& node) {
  if (node.is_null()) return {};
  detail::reject_unknown_keys(node, {"x", "y"});
  return {read_places(node.find("x")), read_places(node.find("y"))};
}

std::string Codec<Asymptotes>::print(const Asymptotes& value) {
  Printed parts;
  if (!value.x.empty()) parts.emplace_back("x", Codec<std::vector<ConfigNode>>::print(value.x));
  if (!value.y.empty()) parts.emplace_back("y", Codec<std::vector<ConfigNode>>::print(value.y));
  return map_text(parts);
}

ValueType Codec<Asymptotes>::type() {
  return {"map of numbers and metrics", "{x: throughput.bound}",
          R"({"type":"object","additionalProperties":false,"properties":{"x":{},"y":{}}})"};
}

std::string LinePlotParams::stem() const {
  constexpr std::size_t ending = 4;  // ".svg"
  return file.empty() ? "plot" : file.substr(0, file.size() - ending);
}

Schema<LinePlotParams> line_plot_schema() {
  using P = LinePlotParams;
  return Schema<P>{}
      .required("kind", &P::kind,
                "kind of picture; the first two define their axes; a tau_plot has a "
                "point for each line that times follow over operation.message")
      .optional("x", &P::x,
                "setting, or metric, along the x axis; of a tau_plot, the setting along a trace")
      .optional("y", &P::y, "metrics along the y axis")
      .optional("series", &P::series, "settings with a line, or trace, for each value")
      .optional("of", &P::of,
                "settings of the plotted points, e.g. {topology.shape: [8, 8]}, or a list "
                "of such maps, of which a point matches one")
      .optional("average", &P::average, "how points at the same position are combined")
      .optional("over", &P::over, over_sentence)
      .optional("draws", &P::draws,
                "bars from the least to the greatest draw of a point (NAME.min to NAME.max), "
                "where it has several draws")
      .optional("log_x", &P::log_x, "logarithmic x axis; always so for latency_against_size")
      .optional("log_y", &P::log_y, "logarithmic y axis")
      .optional(
          "beside", &P::beside,
          "of a tau_plot: measured tables that are plotted as well, e.g. [tsai_1997/table_5_1]")
      .optional("x_range", &P::x_range, "shown range of the x axis, e.g. [0, 0.5] or [0, '*']")
      .optional("y_range", &P::y_range, "shown range of the y axis, likewise")
      .optional("asymptotes", &P::asymptotes,
                "straight lines across the picture: vertical ones at `x`, horizontal ones at `y`, "
                "each at a number, or at a metric of the points of each line, e.g. {x: "
                "throughput.bound}")
      .optional("title", &P::title, "text above the picture")
      .optional("x_label", &P::x_label,
                "text below the x axis, instead of the meaning of its setting or metric")
      .optional("y_label", &P::y_label,
                "text beside the y axis, instead of the meaning of its metric")
      .optional("titles", &P::titles,
                "words for metrics, settings and values in labels and legend, e.g. {edn: EDN, "
                "latency.p99: slowest 1 %}")
      .optional("size", &P::size, "width and height of the picture in pixels, 96 to an inch")
      .optional("font", &P::font, "family of the letters")
      .optional("font_size", &P::font_size, "size of the letters in pixels", between(6, 72))
      .optional("format", &P::format, "files of the picture, beside its data and its script")
      .optional("file", &P::file,
                "name of the picture; plot.svg, and plot_2.svg for a second picture; its other "
                "files differ in the ending");
}

namespace {

void check_range(const ConfigNode& section, const char* key, const AxisRange& range, bool log) {
  const bool ascends = !range.least || !range.greatest || *range.least < *range.greatest;
  if (!ascends)
    throw section.at(key).error("the ends of a range must ascend", "write e.g. [0, 0.5]");
  if (log && ((range.least && *range.least <= 0) || (range.greatest && *range.greatest <= 0)))
    throw section.at(key).error("a logarithmic axis has only numbers above 0",
                                "begin the range above 0");
}

/// Size, letters and files of a picture.
void check_look(const ConfigNode& section, const LinePlotParams& params) {
  constexpr int least = 100;
  constexpr int greatest = 10000;
  const bool fits = params.size.size() == 2 &&
                    std::all_of(params.size.begin(), params.size.end(),
                                [&](int pixels) { return pixels >= least && pixels <= greatest; });
  if (!fits)
    throw section.at("size").error("a picture has a width and a height of 100 .. 10000 pixels",
                                   "write e.g. [820, 560]");
  const std::string& file = params.file;
  if (!file.empty() && (file.size() < 5 || file.compare(file.size() - 4, 4, ".svg") != 0 ||
                        file.find('/') != std::string::npos))
    throw section.at("file").error("a picture is an SVG file in the folder of the results",
                                   "write e.g. latency.svg");
  if (params.titles.is_null()) return;
  detail::require_map(params.titles);
  for (const auto& [name, title] : params.titles.entries())
    if (!title.is_scalar()) throw title.error("a title is text", "write e.g. {edn: EDN}");
}

/// A tau-plot has its own axes and shows one metric.
void check_tau_plot(const ConfigNode& section, const LinePlotParams& params) {
  for (const char* key : {"log_x", "log_y", "x_label", "y_label", "x_range", "y_range"})
    if (const ConfigNode* node = section.find(key))
      throw node->error("a tau_plot has axes of its own", "leave it out");
  if (const ConfigNode* node = section.find("draws"))
    throw node->error("a tau_plot has no bars", "leave it out");
  if (const ConfigNode* node = section.find("asymptotes"))
    throw node->error("a tau_plot has no asymptotes", "leave it out");
  if (params.y.size() > 1)
    throw section.at("y").error("a tau_plot shows one metric",
                                "name one metric, and add another plot for another");
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
    fill("operation.message", "collective.max_us", "message length (B)");
    params.log_x = true;
  }
  if (params.kind == PlotKind::latency_against_load)
    fill("traffic.rate", "latency.mean", "offered load (flit/node/cycle)");
  if (params.kind == PlotKind::tau_plot) {
    check_tau_plot(section, params);
    if (params.y.empty()) params.y = {"collective.max_us"};
  } else if (!params.beside.empty()) {
    throw section.at("beside").error("measured tables can be plotted in a tau_plot only",
                                     "write `kind: tau_plot`, or leave `beside` out");
  } else if (params.x.empty() || params.y.empty())
    throw section.error("lines need `x` and `y`",
                        "write e.g. `{kind: lines, x: channel.vcs, y: latency.mean}`");
  check_range(section, "x_range", params.x_range, params.log_x);
  check_range(section, "y_range", params.y_range, params.log_y);
  check_look(section, params);
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

}  // namespace flitwave
