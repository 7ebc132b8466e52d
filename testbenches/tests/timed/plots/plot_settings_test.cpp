// testbenches/tests/timed/plots/plot_settings_test.cpp: labels in words, and settings of plots in
// jobs.
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "testbenches/experiments/experiment.hpp"
#include "testbenches/plots/experiment_plot.hpp"
#include "testbenches/plots/gnuplot.hpp"
#include "testbenches/plots/plot_titles.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"

namespace plot_settings_test {

using namespace flitwave;

using flitwave::test::ScratchFolder;

namespace {

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A point for each number of virtual channels at each of three loads.
Findings loads(int most_vcs) {
  std::vector<Finding> points;
  for (int vcs = 1; vcs <= most_vcs; ++vcs)
    for (const int place : {1, 2, 3}) {
      Finding& made = points.emplace_back();
      made.number = static_cast<int>(points.size()) - 1;
      made.settings = {
          {"channel.vcs", ConfigNode::parse(std::to_string(vcs), "vcs.yaml")},
          {"traffic.rate",
           ConfigNode::parse("0." + std::to_string(place) + " flit/node/cycle", "rate.yaml")}};
      made.job = "{clock: {period: 1 ns}}";
      made.results.add("latency.mean", 10 * vcs + place, "cycle");
      made.results.add("latency.p99", 20 * vcs + place, "cycle");
      made.results.add("throughput.bound", vcs < 3 ? 0.5 : 0.75, "flit/node/cycle");
    }
  return Findings(std::move(points));
}

LinePlotParams params_of(const std::string& plot) {
  return read_line_plot(ConfigNode::parse(plot, "plot.yaml"));
}

Drawing drawn(const std::string& more, int most_vcs = 2) {
  return experiment_plot(params_of("{kind: latency_against_load, series: channel.vcs" + more + "}"),
                         loads(most_vcs));
}

std::string error_with(const std::string& more) {
  try {
    params_of("{kind: latency_against_load" + more + "}");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("axes and legend have titles and units instead of keys", "[timed]") {
  const std::string one = drawn("").script;
  CHECK(says(one, "set xlabel 'offered load (flit/node/cycle)'\n"));
  CHECK(says(one, "set ylabel 'mean latency (cycle)'\n"));
  CHECK(says(one, "title 'virtual channels: 2'"));

  const std::string both = drawn(", y: [latency.mean, latency.p99]").script;
  CHECK(says(both, "set ylabel 'mean latency; 99th percentile of latency (cycle)'\n"));
  CHECK(says(both, "title 'virtual channels: 2, 99th percentile of latency'"));

  const std::string over_metric =
      experiment_plot(params_of("{kind: lines, x: throughput.bound, y: latency.mean}"), loads(1))
          .script;
  CHECK(says(over_metric, "set xlabel 'bound by the busiest channel (flit/node/cycle)'\n"));
  const std::string over_setting =
      experiment_plot(params_of("{kind: lines, x: channel.vcs, y: latency.mean, series: "
                                "traffic.rate}"),
                      loads(2))
          .script;
  CHECK(says(over_setting, "set xlabel 'virtual channels per channel'\n"));
  for (const std::string& script : {one, both, over_metric, over_setting})
    for (const char* key : {"latency.mean", "latency.p99", "throughput.bound", "channel.vcs",
                            "traffic.rate", "flit_"})
      CHECK_FALSE(says(script, key));
}

TEST_CASE("a form of a metric is named after the metric", "[timed]") {
  const auto title_of = [](const std::string& metric) {
    return title_of_metric(params_of("{kind: latency_against_load}"), metric);
  };
  CHECK(title_of("latency.requests.mean") == "mean latency, requests");
  CHECK(title_of("steps.traffic.excess.sd") == "traffic, excess, standard deviation");
  CHECK(title_of("collective.max_us") == "time to the last node");
  CHECK(title_of("faults.valid_share") == "share of random sets of faults that were valid");
  CHECK(title_of("my_own.count_us") == "my own count");
}

TEST_CASE("a plot may define titles", "[timed]") {
  const std::string script =
      drawn(", titles: {1: one, channel.vcs: VCs, latency.mean: average}").script;
  CHECK(says(script, "set ylabel 'average (cycle)'\n"));
  CHECK(says(script, "title 'VCs: one'"));
  CHECK(says(script, "title 'VCs: 2'"));
  CHECK(says(error_with(", titles: {a: [b]}"), "titles.a: a title is text"));
}

TEST_CASE("each of 12 lines has its own colour, mark and dashes", "[timed]") {
  const Drawing drawing = drawn("", 12);
  for (std::size_t line = 0; line < 12; ++line)
    CHECK(says(drawing.script, "set linetype " + std::to_string(line + 1) + " linecolor rgb '" +
                                   gnuplot_colour(line) + "' linewidth 2 pointtype " +
                                   std::to_string(gnuplot_mark(line)) + " pointsize 0.9 dashtype " +
                                   gnuplot_dashes(line) + "\n"));
  CHECK(says(gnuplot_picture(drawing), "virtual channels: 12"));
}

TEST_CASE("the same data produce the same bytes of SVG and PDF", "[timed]") {
  for (const PictureFormat format : {PictureFormat::svg, PictureFormat::pdf})
    CHECK(gnuplot_picture(drawn("", 12), format) == gnuplot_picture(drawn("", 12), format));
  CHECK_FALSE(says(gnuplot_picture(drawn(""), PictureFormat::pdf), "CreationDate"));
}

TEST_CASE("a job may set ranges, size, font and files of a plot", "[timed]") {
  const std::string script = drawn(
                                 ", x_range: [0, 0.5], y_range: [5, '*'], size: [400, 300], font: "
                                 "Times, font_size: 10, file: small.svg")
                                 .script;
  CHECK(says(script, "set xrange [0:0.5]\nset yrange [5:*]\n"));
  CHECK(says(script, "set terminal svg size 400,300 noenhanced font 'Times,10'"));
  CHECK(says(script, "set terminal pdfcairo size 4.167in,3.125in noenhanced font 'Times,10'"));
  CHECK(says(script, "data = 'small.dat'"));

  const ScratchFolder folder;
  using Names = std::vector<std::string>;
  CHECK(write_picture(folder.path(""), "a", drawn(""), {PictureFormat::pdf}) ==
        Names{"a.gp", "a.dat", "a.pdf"});
  CHECK(write_picture(folder.path(""), "a", drawn(""), {PictureFormat::svg}) ==
        Names{"a.gp", "a.dat", "a.svg"});
}

TEST_CASE("asymptotes are plotted at numbers and at metrics of a line's points", "[timed]") {
  const std::string script =
      drawn(", asymptotes: {x: [throughput.bound, 0.9], y: 60}, titles: {0.9: most}", 3).script;
  // Two lines have the same bound, so its asymptote has the colour of neither.
  CHECK(says(script,
             "set arrow from 0.5, graph 0 to 0.5, graph 1 nohead linewidth 1.5 dashtype "
             "(7,4) linecolor rgb '#606060'\n"));
  CHECK(says(script, std::string("set arrow from 0.75, graph 0 to 0.75, graph 1 nohead linewidth "
                                 "1.5 dashtype (7,4) linecolor rgb '") +
                         gnuplot_colour(2) + "'\n"));
  CHECK(says(script, "set arrow from 0.9, graph 0"));
  CHECK(says(script, "set arrow from graph 0, first 60 to graph 1, first 60"));
  CHECK(says(script, "set xrange [*<0.5:0.9<*]\nset yrange [*<0:60<*]\n"));
  CHECK(says(script, "title 'bound by the busiest channel'"));
  CHECK(says(script, "title 'most'"));
}

TEST_CASE("an invalid setting of a plot is rejected at its key", "[timed]") {
  CHECK(says(error_with(", x_range: [1]"), "x_range: a range has two ends"));
  CHECK(says(error_with(", x_range: [1, 0]"), "x_range: the ends of a range must ascend"));
  CHECK(says(error_with(", log_y: true, y_range: [0, 1]"), "y_range: a logarithmic axis has only"));
  CHECK(says(error_with(", size: [820]"), "size: a picture has a width and a height"));
  CHECK(says(error_with(", size: [820, 5]"), "size: a picture has a width and a height"));
  CHECK(says(error_with(", font_size: 1"), "font_size: must be 6 .. 72, found 1"));
  CHECK(says(error_with(", format: [png]"), "format[0]: "));
  CHECK(says(error_with(", asymptotes: {z: 1}"), "asymptotes.z: unknown key"));
  CHECK(says(error_with(", file: a.pdf"), "file: a picture is an SVG file"));
}

TEST_CASE("a job's plot settings are part of the resolved job and refer to its points", "[timed]") {
  const auto experiment = [](const std::string& more) {
    return Experiment::read(Scenario::parse(R"(
experiment: settings
scenario:
  topology: {kind: mesh, shape: [2, 2]}
  operation: {kind: broadcast, root: 0, message: 8 B}
  observe: [{kind: steps}]
sweep:
  algorithm.kind: [separate, recursive_doubling]
  operation.message: [1 KiB, 8 B]
plot: {kind: latency_against_size, series: algorithm.kind)" +
                                            more + "}\n"),
                            standard_catalog());
  };
  const auto rejected = [&](const std::string& more) {
    try {
      experiment(more);
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string();
  };

  const std::string settings =
      ", x_range: [1, \"*\"], asymptotes: {y: [collective.mean_us, 3]}, titles: {separate: apart}, "
      "size: [400, 300], format: [svg]";
  const ConfigNode resolved = experiment(settings).resolved();
  const ConfigNode& plot = resolved.at("plot").items().at(0);
  CHECK(plot.at("titles").at("separate").text() == "apart");
  CHECK(Experiment::read(Scenario(resolved), standard_catalog()).resolved() == resolved);
  CHECK(rejected("").empty());
  CHECK(says(rejected(", titles: {sepparate: apart}"),
             "titles.sepparate: the plot has no metric, setting or value `sepparate`; did you mean "
             "`separate`?"));
  CHECK(says(rejected(", asymptotes: {y: collective.men}"),
             "plot.asymptotes: no run reports a metric `collective.men`"));
}

}  // namespace plot_settings_test
