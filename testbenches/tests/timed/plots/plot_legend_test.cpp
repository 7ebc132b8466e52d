// testbenches/tests/timed/plots/plot_legend_test.cpp: lines of a plot are named in words, and all
// of them are visible.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/plots/plot_legend.hpp"

#include <string>
#include <vector>

#include "testbenches/plots/experiment_plot.hpp"
#include "testbenches/plots/gnuplot.hpp"
#include "testbenches/tests/catch.hpp"

namespace plot_legend_test {

using namespace flitwave;

namespace {

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string in_words(const std::string& value) {
  return words_of_value(ConfigNode::parse(value, "value.yaml"));
}

/// A point with one setting at an offered rate of 0.1, 0.2, ...
Finding timed(const std::string& path, const std::string& value, int place, double latency) {
  Finding made;
  made.settings = {
      {path, ConfigNode::parse(value, "value.yaml")},
      {"traffic.rate",
       ConfigNode::parse("0." + std::to_string(place) + " flit/node/cycle", "rate.yaml")}};
  made.job = "{clock: {period: 1 ns}}";
  made.results.add("latency.mean", latency, "cycle");
  return made;
}

/// Two points for each value of the setting: one of 100 cycles and one of `seconds`.
Drawing drawing(const std::string& path, const std::vector<std::string>& values,
                const std::vector<double>& seconds, const std::string& more = "") {
  std::vector<Finding> points;
  for (std::size_t i = 0; i < values.size(); ++i) {
    points.push_back(timed(path, values[i], 1, 100));
    points.push_back(timed(path, values[i], 2, seconds[i]));
  }
  for (std::size_t i = 0; i < points.size(); ++i) points[i].number = static_cast<int>(i);
  const std::string plot = "{kind: latency_against_load, series: " + path + more + "}";
  return experiment_plot(read_line_plot(ConfigNode::parse(plot, "plot.yaml")),
                         Findings(std::move(points)));
}

std::string script(const std::string& path, const std::vector<std::string>& values,
                   const std::vector<double>& seconds, const std::string& more = "") {
  return drawing(path, values, seconds, more).script;
}

}  // namespace

TEST_CASE("a setting in a legend is named by its words, with abbreviations expanded", "[timed]") {
  CHECK(words_of_setting("channel.vcs") == "virtual channels");
  CHECK(words_of_setting("node.send_overhead") == "send overhead");
  CHECK(words_of_setting("operation.decay") == "decay");
  CHECK(words_of_setting("scenario") == "scenario");
}

TEST_CASE("values in a legend are words, without brackets and underscores", "[timed]") {
  CHECK(in_words("[8, 16]") == "8x16");
  CHECK(in_words("up_down") == "up down");
  CHECK(in_words("{kind: edn_transposition, payload: constant}") ==
        "edn transposition, payload constant");
  CHECK(in_words("160 us") == "160 us");
}

TEST_CASE("a line whose setting is a number is named by the setting and the number", "[timed]") {
  const std::string vcs = script("channel.vcs", {"1", "4"}, {200, 300});
  CHECK(says(vcs, "title 'virtual channels: 1'"));
  CHECK(says(vcs, "title 'virtual channels: 4'"));
  const std::string overhead = script("node.send_overhead", {"10 us", "160 us"}, {200, 300});
  CHECK(says(overhead, "title 'send overhead: 160 us'"));
  const std::string ports = script("node.ports", {"all", "2"}, {200, 300});
  CHECK(says(ports, "title 'ports: all'"));
  CHECK(says(ports, "title 'ports: 2'"));
  const std::string kinds = script("algorithm.kind", {"u_torus", "edn"}, {200, 300});
  CHECK(says(kinds, "title 'u torus'"));
  // A name that begins with a digit is no number.
  const std::string names = script("about", {"4IB", "'U-torus, positive'"}, {200, 300});
  CHECK(says(names, "title '4IB'"));
  CHECK(says(names, "title 'U-torus, positive'"));
}

TEST_CASE("a line that would hide another is dashed, and the legend names the other line",
          "[timed]") {
  const std::string all = script("channel.vcs", {"1", "2", "4", "8"}, {200, 300, 200, 200});

  CHECK(says(all, "with linespoints linetype 1 title 'virtual channels: 1'"));
  CHECK(says(all, "with linespoints linetype 2 title 'virtual channels: 2'"));
  // The last line leaves half of each dash of the line below it visible.
  CHECK(says(all, "dashtype (12,12) title 'virtual channels: 4 (same as virtual channels: 1)'"));
  CHECK(says(all, "dashtype (6,18) title 'virtual channels: 8 (same as virtual channels: 1)'"));
  const std::string picture =
      gnuplot_picture(drawing("channel.vcs", {"1", "2", "4", "8"}, {200, 300, 200, 200}));
  CHECK(says(picture, "stroke-dasharray"));
  CHECK(says(picture, "virtual channels: 4 (same as virtual channels: 1)"));
}

TEST_CASE("lines closer than a line's width count as equal, others do not", "[timed]") {
  // The picture spans 0 to 1000, and a line is a 250th of it wide.
  const std::string near = script("channel.vcs", {"1", "2", "4"}, {500, 503, 1000});
  CHECK(says(near, "virtual channels: 2 (close to virtual channels: 1)"));
  const std::string apart = script("channel.vcs", {"1", "2", "4"}, {500, 505, 1000});
  CHECK_FALSE(says(apart, "close to"));
  // From 100 to 1000 on a logarithmic axis: a 250th of it is a factor of 1.0093.
  const std::string log = ", log_y: true";
  CHECK(says(script("channel.vcs", {"1", "2", "4"}, {500, 504, 1000}, log), "close to"));
  CHECK_FALSE(says(script("channel.vcs", {"1", "2", "4"}, {500, 506, 1000}, log), "close to"));
}

}  // namespace plot_legend_test
