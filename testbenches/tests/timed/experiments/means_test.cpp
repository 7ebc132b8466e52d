// testbenches/tests/timed/experiments/means_test.cpp: means, intervals and plots over several
// points of an experiment.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "testbenches/experiments/experiment.hpp"
#include "testbenches/experiments/findings/claims.hpp"
#include "testbenches/experiments/findings/latency_line.hpp"
#include "testbenches/experiments/findings/point_notes.hpp"
#include "testbenches/job/results/statistics.hpp"
#include "testbenches/plots/experiment_plot.hpp"
#include "testbenches/plots/gnuplot.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"

namespace means_test {

using namespace flitwave;

using flitwave::test::ScratchFolder;

namespace {

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A point at an offered rate; without a latency it is saturated.
Finding loaded(double rate, int vcs, int seed, std::optional<double> latency) {
  Finding made;
  made.settings = {{"channel.vcs", ConfigNode::scalar(std::to_string(vcs))},
                   {"traffic.rate", ConfigNode::scalar(number_text(rate) + " flit/node/cycle")},
                   {"seed", ConfigNode::scalar(std::to_string(seed))}};
  made.job = "{clock: {period: 1 ns}}";
  if (latency) made.results.add("latency.mean", *latency, "cycle");
  made.results.add("saturated", latency ? 0 : 1, "");
  return made;
}

Findings numbered(std::vector<Finding> points) {
  for (std::size_t i = 0; i < points.size(); ++i) points[i].number = static_cast<int>(i);
  return Findings(std::move(points));
}

/// Three seeds at each rate: all have a latency at 0.1, one lacks it at 0.2, all at 0.3.
Findings knee() {
  return numbered({loaded(0.1, 1, 1, 10), loaded(0.1, 1, 2, 12), loaded(0.1, 1, 3, 14),
                   loaded(0.2, 1, 1, 50), loaded(0.2, 1, 2, {}), loaded(0.2, 1, 3, 54),
                   loaded(0.3, 1, 1, {}), loaded(0.3, 1, 2, {}), loaded(0.3, 1, 3, {})});
}

ExperimentTable latencies(const Findings& findings) {
  TableParams params;
  params.rows = {{"traffic.rate"}};
  params.value = "latency.mean";
  return make_table(params, findings);
}

Verdict judged(const std::string& claim, const Findings& findings) {
  return judge(read_claims(ConfigNode::parse("[" + claim + "]", "expect.yaml")).at(0), findings);
}

Drawing drawing_of(const std::string& plot, const Findings& findings) {
  return experiment_plot(read_line_plot(ConfigNode::parse(plot, "plot.yaml")), findings);
}

std::string script_of(const std::string& plot, const Findings& findings) {
  return drawing_of(plot, findings).script;
}

/// The data of a plot without its header.
std::string rows_of(const Drawing& drawing) {
  return drawing.data.substr(drawing.data.find('\n') + 1);
}

const std::string by_load = "{kind: latency_against_load, series: channel.vcs}";

}  // namespace

TEST_CASE("a mean is over all points of a cell, or the cell states how many lack the metric",
          "[timed]") {
  const std::string text = latencies(knee()).text();

  REQUIRE(says(text, "latency.mean (cycle), mean of 3 points over 3 seeds, ± its 95 % confidence"));
  REQUIRE(says(text, "0.1 flit/node/cycle          12.0 ± 5.0\n"));
  REQUIRE(says(text, "0.2 flit/node/cycle  saturated (1 of 3)\n"));
  REQUIRE(says(text, "0.3 flit/node/cycle  saturated (3 of 3)\n"));
}

TEST_CASE("the extreme of several points, one of which has no value, is no number", "[timed]") {
  for (const Average average : {Average::mean, Average::max, Average::min})
    REQUIRE_FALSE(knee().average({3, 4, 5}, "latency.mean", average).value);
}

TEST_CASE("a point that lacks a metric and is not saturated is reported as missing", "[timed]") {
  std::vector<Finding> points = knee().points();
  points[0].results.outcome = Outcome::crashed;
  points[3].results.metrics.clear();
  const Findings findings(points);

  REQUIRE(findings.average({0, 1, 2}, "latency.mean", Average::mean).lack() == "missing (1 of 3)");
  REQUIRE(findings.average({3, 4, 5}, "latency.mean", Average::mean).lack() ==
          "saturated (1 of 3), missing (1 of 3)");
  REQUIRE(findings.average({6}, "latency.mean", Average::mean).lack() == "saturated");
}

TEST_CASE("a table's file leaves a cell without a number empty and states why in a note",
          "[timed]") {
  const Table table = latencies(knee()).csv();

  REQUIRE(table.columns == std::vector<std::string>{"traffic.rate", "latency.mean",
                                                    "latency.mean.ci95", "latency.mean.note"});
  REQUIRE(table.number(0, "latency.mean", "t.csv") == 12);
  REQUIRE(table.number(0, "latency.mean.ci95", "t.csv") == Approx(4.3027 * 2 / std::sqrt(3)));
  REQUIRE(table.rows.at(0).at(3).empty());
  REQUIRE(table.rows.at(1) ==
          std::vector<std::string>{"0.2 flit/node/cycle", "", "", "saturated (1 of 3)"});
}

TEST_CASE("a confidence interval is over seeds only, whatever else the mean is over", "[timed]") {
  const Findings findings = numbered(
      {loaded(0.1, 1, 1, 10), loaded(0.1, 2, 1, 20), loaded(0.1, 1, 2, 12), loaded(0.1, 2, 2, 22)});
  const auto average = [&](const std::vector<std::size_t>& points) {
    return findings.average(points, "latency.mean", Average::mean);
  };

  REQUIRE(average({0, 1, 2, 3}).value == 16);
  REQUIRE(average({0, 1, 2, 3}).half_width == Approx(half_width_of_mean({15, 17})));
  REQUIRE_FALSE(average({0, 1}).half_width);
  REQUIRE_FALSE(average({0, 1, 2}).half_width);
  REQUIRE_FALSE(findings.average({0, 2}, "latency.mean", Average::max).half_width);
  REQUIRE(varying_text(findings, {0, 1, 2, 3}) == "channel.vcs and 2 seeds");
}

TEST_CASE("a number is printed with as many digits as its interval supports", "[timed]") {
  REQUIRE(interval_text(123.456, 4.321) == "123.5 ± 4.3");
  REQUIRE(interval_text(123.456, 43.21) == "123 ± 43");
  REQUIRE(interval_text(12.3456, 0.0123) == "12.346 ± 0.012");
  REQUIRE(interval_text(4, 0) == "4 ± 0");
}

TEST_CASE("a claim is left open when some points have no value, and states how many", "[timed]") {
  const Verdict some = judged(
      "{value: latency.mean, of: {traffic.rate: 0.2 flit/node/cycle}, between: [40, 60]}", knee());
  REQUIRE_FALSE(some.holds);
  REQUIRE_FALSE(some.judged);
  REQUIRE(some.found == "saturated (1 of 3)");

  const Verdict beside = judged(
      "{value: latency.mean, of: {traffic.rate: 0.1 flit/node/cycle}, "
      "less_than: {of: {traffic.rate: 0.2 flit/node/cycle}}}",
      knee());
  REQUIRE_FALSE(beside.holds);
  REQUIRE(says(beside.expected, "unknown: saturated (1 of 3)"));
}

TEST_CASE("a claim on a mean over seeds states the number of seeds and the interval", "[timed]") {
  const Verdict verdict = judged(
      "{value: latency.mean, of: {traffic.rate: 0.1 flit/node/cycle}, between: [11, 13]}", knee());

  REQUIRE(verdict.holds);
  REQUIRE(verdict.claim == "latency.mean of traffic.rate: 0.1 flit/node/cycle, over 3 seeds");
  REQUIRE(verdict.found == "12.0 ± 5.0");
}

TEST_CASE("a line of times uses all lengths, or there is no line", "[timed]") {
  const auto timed = [](const std::string& length, std::optional<double> time) {
    Finding made;
    made.settings = {{"operation.message", ConfigNode::scalar(length)}};
    made.job = "{}";
    if (time) made.results.add("time", *time, "us");
    return made;
  };
  std::vector<Finding> points{timed("1 KiB", 1), timed("2 KiB", 2), timed("3 KiB", 3)};

  REQUIRE(latency_line(numbered(points), {0, 1, 2}, "time", Average::mean));
  points.push_back(timed("4 KiB", {}));
  REQUIRE_FALSE(latency_line(numbered(points), {0, 1, 2, 3}, "time", Average::mean));
  const Verdict verdict = judged("{value: time, line: startup, equals: 0}", numbered(points));
  REQUIRE(verdict.found == "missing (1 of 4)");
}

TEST_CASE("a curve ends at its last number, and an asymptote marks the next load", "[timed]") {
  const Drawing drawing = drawing_of(by_load, knee());
  const std::string& script = drawing.script;
  const std::string rows = rows_of(drawing);

  REQUIRE(rows.compare(0, 33, "\"virtual channels: 1\"\t0.1\t12\t4.96") == 0);
  REQUIRE(std::count(rows.begin(), rows.end(), '\n') == 1);
  REQUIRE(says(script, "set arrow from 0.2, graph 0 to 0.2, graph 1 nohead"));
  REQUIRE(says(script, "title 'virtual channels: 1 (saturated from 0.2)'"));
  REQUIRE(says(script, "set xrange [*<0.2:0.2<*]"));
  REQUIRE(says(gnuplot_picture(drawing), "</svg>"));
}

TEST_CASE("means over seeds have error bars", "[timed]") {
  const Drawing drawing = drawing_of(by_load, knee());
  REQUIRE(says(drawing.script, "data skip 1 index 0 using 2:3:4 with yerrorbars"));
  REQUIRE(says(drawing.data, "\"mean latency (cycle)\"\t\"half of the 95 % interval\"\n"));
  // A mark of size 0 makes a picture that some viewers reject.
  REQUIRE_FALSE(says(gnuplot_picture(drawing), "scale(0.00)"));

  const std::string alone = script_of(by_load, numbered({loaded(0.1, 1, 1, 10)}));
  REQUIRE_FALSE(says(alone, "yerrorbars"));
}

TEST_CASE("error bars span the least and the greatest draw of a point, if requested", "[timed]") {
  Finding drawn = loaded(0.1, 1, 1, 10);
  drawn.results.add("latency.mean.min", 7, "cycle");
  drawn.results.add("latency.mean.max", 19, "cycle");
  const Findings findings = numbered({drawn, loaded(0.2, 1, 1, 12)});

  const Drawing drawing =
      drawing_of("{kind: latency_against_load, series: channel.vcs, draws: true}", findings);

  REQUIRE(rows_of(drawing) ==
          "\"virtual channels: 1\"\t0.1\t10\t7\t19\n\"virtual channels: 1\"\t0.2\t12\tNaN\tNaN\n");
  REQUIRE(says(drawing.script, "data skip 1 index 0 using 2:3:4:5 with yerrorbars"));
  REQUIRE(says(gnuplot_picture(drawing), "</svg>"));
  REQUIRE_FALSE(says(script_of(by_load, findings), "yerrorbars"));
}

TEST_CASE("a metric that a series never reports has no line in that series", "[timed]") {
  Finding bounded = loaded(0.1, 1, 1, 10);
  bounded.results.add("bound", 5, "cycle");
  const Findings findings = numbered({bounded, loaded(0.1, 2, 1, 9)});

  const std::string script = script_of(
      "{kind: lines, x: traffic.rate, y: [latency.mean, bound], series: channel.vcs}", findings);

  REQUIRE(says(script, "virtual channels: 1, bound"));
  REQUIRE_FALSE(says(script, "virtual channels: 2, bound"));
  REQUIRE_FALSE(says(script, "no value"));
}

TEST_CASE("the order in which loads are swept changes no table and no curve", "[timed]") {
  std::vector<Finding> backward = knee().points();
  std::reverse(backward.begin(), backward.end());

  REQUIRE(latencies(numbered(backward)).text() == latencies(knee()).text());
  REQUIRE(script_of(by_load, numbered(backward)) == script_of(by_load, knee()));
  REQUIRE(rows_of(drawing_of(by_load, numbered(backward))) == rows_of(drawing_of(by_load, knee())));
}

TEST_CASE("a line without any number stays in the legend", "[timed]") {
  std::vector<Finding> points = knee().points();
  points.push_back(loaded(0.1, 2, 1, {}));
  points.push_back(loaded(0.2, 2, 1, {}));
  Finding crashed = loaded(0.1, 4, 1, 10);
  crashed.results.outcome = Outcome::crashed;
  points.push_back(crashed);

  const Drawing drawing = drawing_of(by_load, numbered(points));
  const std::string& script = drawing.script;
  REQUIRE(says(script, "keyentry with linespoints"));
  REQUIRE(says(script, "title 'virtual channels: 2 (saturated from 0.1)'"));
  REQUIRE(says(script, "title 'virtual channels: 4 (no value)'"));
  REQUIRE(says(gnuplot_picture(drawing), "virtual channels: 4 (no value)"));
}

TEST_CASE("a line is interrupted where it has no number", "[timed]") {
  const Drawing drawing = drawing_of(
      by_load, numbered({loaded(0.1, 1, 1, 10), loaded(0.2, 1, 1, {}), loaded(0.3, 1, 1, 30)}));
  const std::string& script = drawing.script;
  const std::string name = "\"virtual channels: 1\"\t";

  REQUIRE(rows_of(drawing) == name + "0.1\t10\n" + name + "0.2\tNaN\n" + name + "0.3\t30\n");
  REQUIRE(says(script, "title 'virtual channels: 1 (no value at 1 of 3)'"));
  REQUIRE_FALSE(says(script, "set arrow"));
  REQUIRE(says(gnuplot_picture(drawing), "</svg>"));
}

TEST_CASE("a line over a metric has its asymptote at the first point that is saturated",
          "[timed]") {
  std::vector<Finding> points{loaded(0.1, 1, 1, 10), loaded(0.3, 1, 1, {}), loaded(0.2, 1, 1, 20)};
  for (std::size_t i = 0; i < points.size(); ++i)
    points[i].results.add("throughput.offered", std::vector<double>{0.1, 0.3, 0.2}[i], "");

  const Drawing drawing =
      drawing_of("{kind: lines, x: throughput.offered, y: latency.mean}", numbered(points));
  REQUIRE(rows_of(drawing) == "\"mean latency\"\t0.1\t10\n\"mean latency\"\t0.2\t20\n");
  REQUIRE(says(drawing.script, "set arrow from 0.3, graph 0"));
  REQUIRE(says(drawing.script, "title 'mean latency (saturated from 0.3)'"));
  REQUIRE(says(drawing.script, "set xlabel 'offered load'\n"));
}

TEST_CASE("words along an axis become its tics; numbers keep gnuplot's tics", "[timed]") {
  const auto sized = [](const std::string& path, const std::vector<std::string>& values) {
    std::vector<Finding> points;
    for (const std::string& value : values) {
      Finding& made = points.emplace_back();
      made.settings = {{path, ConfigNode::scalar(value)}};
      made.job = "{}";
      made.results.add("time", 1, "us");
    }
    return numbered(points);
  };

  const Drawing numbers =
      drawing_of("{kind: lines, x: operation.message, y: time}",
                 sized("operation.message", {"64 B", "1536 B", "1664 B", "2 KiB", "1 KiB"}));
  REQUIRE_FALSE(says(numbers.script, "set xtics"));
  REQUIRE(says(numbers.script, "(B)'\n"));
  REQUIRE(says(numbers.script, "set ylabel 'time (µs)'"));
  REQUIRE(says(gnuplot_picture(numbers), "> 1000<"));
  const Drawing words = drawing_of("{kind: lines, x: algorithm.kind, y: time}",
                                   sized("algorithm.kind", {"recursive_doubling", "u_torus"}));
  REQUIRE(says(words.script, "('recursive doubling' 1, 'u torus' 2)"));
  REQUIRE(rows_of(words) ==
          "\"time\"\t1\t1\t\"recursive doubling\"\n\"time\"\t2\t1\t\"u torus\"\n");
  REQUIRE(says(gnuplot_picture(words), "recursive doubling"));
}

TEST_CASE("a plot without any number produces no picture", "[timed]") {
  REQUIRE(script_of(by_load, numbered({loaded(0.1, 1, 1, {})})).empty());
}

TEST_CASE("notes name their points; of many equal notes only the first few are printed",
          "[timed]") {
  PointNotes notes;
  for (int point = 0; point < 26; ++point)
    notes.add(point, {{"seed", ConfigNode::scalar(std::to_string(point + 1))}},
              "saturated: " + std::to_string(100 + point) + " of 200 packets");
  for (int point = 0; point < 30; ++point) notes.add(point, {}, "a note on all");
  for (const int point : {3, 7, 7}) notes.add(point, {}, "a note on some");

  REQUIRE(notes.lines(30) ==
          std::vector<std::string>{"point 0 (seed: 1): saturated: 100 of 200 packets",
                                   "point 1 (seed: 2): saturated: 101 of 200 packets",
                                   "point 2 (seed: 3): saturated: 102 of 200 packets",
                                   "point 3 (seed: 4): saturated: 103 of 200 packets",
                                   "point 4 (seed: 5): saturated: 104 of 200 packets",
                                   "and 21 more points: saturated: ...", "a note on all",
                                   "point 3 and 1 more: a note on some"});
}

namespace {

Scenario loads(const std::string& sweep, const std::string& more) {
  return Scenario::parse(R"(
experiment: loads
scenario:
  topology: {kind: mesh, shape: [4, 4]}
  routing: {kind: dimension_order}
  channel: {buffer: 2 flit}
  router: {kind: wormhole, preset: single_cycle}
  traffic: {pattern: uniform, packet: 4 flit, warmup: 100 cycle, measure: 500 cycle, drain: 500 cycle}
  observe: [{kind: latency}]
sweep: )" + sweep + "\n" + more,
                         "experiment.yaml");
}

const std::string saturated_first =
    "{traffic.rate: [0.9 flit/node/cycle, 0.05 flit/node/cycle], channel.vcs: [1, 2]}";

ExperimentOutcome run_into(const ScratchFolder& folder, const Scenario& experiment) {
  ExperimentOptions options;
  options.out = folder.path("out");
  options.jobs = 2;
  return run_experiment(experiment, standard_catalog(), options);
}

/// The error with which an experiment is rejected when it is read; empty when it is accepted.
std::string error_of(const Scenario& experiment) {
  try {
    Experiment::read(experiment, standard_catalog());
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a sweep whose first points saturate runs and shows the others", "[timed]") {
  const ScratchFolder folder;
  const ExperimentOutcome outcome = run_into(
      folder, loads(saturated_first,
                    "table: {rows: traffic.rate, columns: channel.vcs, value: latency.mean}\n"
                    "plot: {kind: latency_against_load, series: channel.vcs}\n"));

  REQUIRE(outcome.exit_code() == 0);
  const auto& cells = outcome.tables.at(0).parts.at(0).cells;
  REQUIRE(cells.at(0).at(0).value);
  REQUIRE(cells.at(1).at(0).lack() == "saturated");
  REQUIRE(says(folder.read("out/plot.gp"), "(saturated from 0.9)"));
  REQUIRE(says(outcome.notes.at(0), "point 0 (traffic.rate: 0.9 flit/node/cycle, channel.vcs: 1)"));
}

TEST_CASE("a table of latencies has the same rows in whatever order the loads are written",
          "[timed]") {
  const auto lines = [](const std::string& rates) {
    const ScratchFolder folder;
    const ExperimentOutcome outcome =
        run_into(folder, loads("{traffic.rate: [" + rates + "], channel.vcs: [1, 2]}",
                               "table: {rows: traffic.rate, columns: channel.vcs, "
                               "value: latency.mean, file: latency.csv}\n"));
    REQUIRE(outcome.exit_code() == 0);
    std::istringstream text(folder.read("out/latency.csv"));
    std::multiset<std::string> found;
    for (std::string line; std::getline(text, line);) found.insert(line);
    return found;
  };
  const std::multiset<std::string> ascending =
      lines("0.05 flit/node/cycle, 0.3 flit/node/cycle, 0.6 flit/node/cycle, 0.9 flit/node/cycle");

  REQUIRE(ascending.size() == 5);
  REQUIRE(ascending == lines("0.9 flit/node/cycle, 0.6 flit/node/cycle, 0.3 flit/node/cycle, "
                             "0.05 flit/node/cycle"));
  REQUIRE(ascending == lines("0.6 flit/node/cycle, 0.05 flit/node/cycle, 0.9 flit/node/cycle, "
                             "0.3 flit/node/cycle"));
}

TEST_CASE("a sweep all of whose points saturate completes, without a picture", "[timed]") {
  const ScratchFolder folder;
  const ExperimentOutcome outcome =
      run_into(folder, loads("{traffic.rate: [0.8 flit/node/cycle, 0.9 flit/node/cycle]}",
                             "plot: {kind: latency_against_load}\n"));

  REQUIRE(outcome.exit_code() == 0);
  REQUIRE_FALSE(folder.has("out/plot.svg"));
  REQUIRE(outcome.notes.back() == "plot.svg is not plotted: no point has latency.mean");
}

TEST_CASE("a metric that no point reports is an error even after a saturated point", "[timed]") {
  const ScratchFolder folder;
  const Scenario job = loads(
      saturated_first, "table: {rows: traffic.rate, columns: channel.vcs, value: latency.meen}\n");

  REQUIRE_THROWS_WITH(run_into(folder, job), Catch::Matchers::Contains("`latency.mean`?"));
  REQUIRE_FALSE(folder.has("out"));
}

TEST_CASE("a mean over settings that the table does not name is rejected with a remedy",
          "[timed]") {
  const std::string sweep =
      "{channel.vcs: [1, 2], traffic.rate: [0.05 flit/node/cycle, 0.1 flit/node/cycle], seed: [1, "
      "2]}";
  const auto rejection = [&](const std::string& more) { return error_of(loads(sweep, more)); };

  REQUIRE(says(rejection("table: {rows: traffic.rate, value: latency.mean}\n"),
               "experiment.yaml:11:1: table: this is a mean over points that also differ in "
               "channel.vcs; name it in `rows`, `columns` or `split`, or write `over: "
               "channel.vcs`"));
  REQUIRE(
      says(rejection("plot: {kind: latency_against_load}\n"), "plot: this is a mean over points"));
  REQUIRE(says(rejection("expect: [{value: latency.mean, of: {channel.vcs: 1}, less_than: 9}]\n"),
               "expect[0]: this is a mean over points that also differ in traffic.rate"));
  REQUIRE(says(rejection("expect: [{value: latency.mean, of: {channel.vcs: 1, traffic.rate: 0.1 "
                         "flit/node/cycle}, more_than: {value: saturated}, over: channel.vc}]\n"),
               "expect[0].over: no point has a setting `channel.vc`"));
  REQUIRE(says(rejection("expect: [{value: latency.mean, less_than: 9}]\n"),
               "differ in channel.vcs or traffic.rate; name one of its values in `of`, or "
               "write `over: [channel.vcs, traffic.rate]`"));
}

TEST_CASE("a mean over named settings and seeds, or the greatest over any settings, is accepted",
          "[timed]") {
  const std::string sweep =
      "{channel.vcs: [1, 2], traffic.rate: [0.05 flit/node/cycle, 0.1 flit/node/cycle], seed: [1, "
      "2]}";
  const auto accepted = [&](const std::string& more) {
    return error_of(loads(sweep, more)).empty();
  };

  REQUIRE(accepted("table: {rows: traffic.rate, columns: channel.vcs, value: latency.mean}\n"));
  REQUIRE(accepted("table: {rows: traffic.rate, value: latency.mean, over: channel.vcs}\n"));
  REQUIRE(accepted("table: {rows: traffic.rate, value: latency.mean, average: max}\n"));
  REQUIRE(accepted("over: [channel]\nplot: {kind: latency_against_load}\n"));
  REQUIRE(accepted("plot: {kind: lines, x: throughput.offered, y: latency.mean}\n"));
  REQUIRE(
      accepted("expect: [{value: latency.mean, of: {channel.vcs: 1}, over: traffic.rate, "
               "minus: {of: {channel.vcs: 2}}, less_than: 9}]\n"));
  REQUIRE(
      accepted("over: [channel.vcs, traffic.rate]\n"
               "expect: [{value: latency.mean, less_than: 9}]\n"));
}

}  // namespace means_test
