// testbenches/plots/plot_titles.cpp: see plot_titles.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/plots/plot_titles.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "testbenches/job/declared_metrics.hpp"
#include "testbenches/plots/plot_legend.hpp"

namespace flitwave {

namespace {

const MetricInfos& known_metrics() {
  static const MetricInfos known = declared_metrics(standard_catalog());
  return known;
}

/// A name in plain words, without its unit, which is at the axis.
std::string plain_words(std::string name) {
  constexpr std::string_view unit = "_us";
  if (name.size() > unit.size() && name.compare(name.size() - unit.size(), unit.size(), unit) == 0)
    name.resize(name.size() - unit.size());
  std::replace(name.begin(), name.end(), '_', ' ');
  std::replace(name.begin(), name.end(), '.', ' ');
  return name;
}

/// "latency (cycle)"; a title that names the unit needs no other.
std::string with_unit(const std::string& title, const std::string& unit) {
  if (unit.empty() || title.find(unit) != std::string::npos) return title;
  return title + " (" + (unit == "us" ? "µs" : unit) + ")";
}

/// Text split between words into lines of similar length.
std::vector<std::string> lines_of(const std::string& text, std::size_t widest) {
  const std::size_t count = text.size() / widest + 1;
  std::vector<std::string> lines;
  std::size_t begin = 0;
  for (std::size_t left = count; left > 1; --left) {
    const std::size_t middle = begin + (text.size() - begin) / left;
    const std::size_t end = text.find(' ', middle);
    if (end == std::string::npos) break;
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  lines.push_back(text.substr(begin));
  return lines;
}

/// The number of characters that fit in a line.
std::size_t characters_in(int pixels, int font_size) {
  constexpr double mean_width = 0.55;  // of a character, in sizes of its font
  return static_cast<std::size_t>(std::max(1.0, pixels / (mean_width * font_size)));
}

/// The text of the legend about dots of a line that have no number.
std::string lack_text(const PlotLine& line) {
  if (line.asymptote) return fmt::format(" (saturated from {})", four_digits(*line.asymptote));
  if (line.lacking == 0 && line.has_numbers()) return "";
  if (!line.has_numbers()) return " (no value)";
  return fmt::format(" (no value at {} of {})", line.lacking, line.places);
}

}  // namespace

std::string title_of_metric(const LinePlotParams& params, const std::string& name) {
  if (const ConfigNode* own = params.titles.find(name)) return own->text();
  const std::string declared = title_of_metric(known_metrics(), name);
  return declared.empty() ? plain_words(name) : declared;
}

std::vector<std::string> x_label(const LinePlotParams& params, const PlotLines& plot,
                                 const Findings& findings) {
  std::string label = params.x_label;
  if (label.empty()) {
    const std::string title = plot.axis.is_metric
                                  ? title_of_metric(params, params.x)
                                  : title_of_setting(params.x, findings, params.titles);
    label = with_unit(title, plot.axis.unit_at_tics ? "" : plot.axis.unit);
  }
  return lines_of(label, characters_in(params.look().width * 4 / 5, params.font_size));
}

std::vector<std::string> y_label(const LinePlotParams& params, const Findings& findings) {
  std::string label = params.y_label;
  if (label.empty()) {
    const std::string common = findings.unit(params.y.front());
    const bool alike =
        std::all_of(params.y.begin(), params.y.end(),
                    [&](const std::string& metric) { return findings.unit(metric) == common; });
    std::vector<std::string> titles;
    for (const std::string& metric : params.y)
      titles.push_back(
          with_unit(title_of_metric(params, metric), alike ? "" : findings.unit(metric)));
    label = with_unit(fmt::format("{}", fmt::join(titles, "; ")), alike ? common : "");
  }
  return lines_of(label, characters_in(params.look().height * 4 / 5, params.font_size));
}

std::vector<std::string> title_lines(const LinePlotParams& params) {
  return lines_of(params.title, characters_in(params.look().width, params.font_size + 2));
}

std::string line_name(const PlotLine& line, const LinePlotParams& params) {
  if (params.y.size() == 1) return line.title;
  return line.title + (line.title.empty() ? "" : ", ") +
         title_of_metric(params, params.y[line.metric]);
}

std::string legend_entry(std::size_t number, const std::vector<PlotLine>& lines,
                         const LinePlotParams& params) {
  const PlotLine& line = lines[number];
  const std::string name = line_name(line, params);
  std::string note = lack_text(line);
  if (line.covers > 0)
    note += (line.equals ? " (same as " : " (close to ") +
            line_name(lines[line.first_covered], params) + ")";
  return name.empty() && !note.empty() ? title_of_metric(params, params.y.front()) + note
                                       : name + note;
}

}  // namespace flitwave
