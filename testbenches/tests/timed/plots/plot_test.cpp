// testbenches/tests/timed/plots/plot_test.cpp: plots of runs and experiments.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/plot.hpp"

#include <set>

#include "testbenches/experiments/experiment.hpp"
#include "testbenches/plots/gnuplot.hpp"
#include "testbenches/plots/mesh_plot.hpp"
#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"

namespace plot_test {

using namespace flitwave;

using flitwave::test::ScratchFolder;

namespace {

Results run_on(const std::string& topology) {
  return simulate(Scenario::parse(R"(
scenario: drawn
topology: )" + topology + R"(
channel: {vcs: 2}
router: {kind: wormhole, preset: single_cycle}
traffic: {rate: 0.2 flit/node/cycle, packet: 2 flit, warmup: 10 cycle, measure: 300 cycle}
)"));
}

std::string mesh_script(const std::string& topology) {
  return mesh_plot_script(run_on(topology).table("channel_load"), "load");
}

/// The script without the plot's data.
std::string ranges(const std::string& script) { return script.substr(0, script.find("$nodes")); }

/// Line `number` of a plot, from 0, in its data: its rows without the name in the first column.
std::vector<std::string> line(const std::string& data, std::size_t number) {
  std::vector<std::string> lines;
  std::size_t empty = 0;
  std::istringstream text(data);
  std::string row;
  std::getline(text, row);  // the header
  while (std::getline(text, row)) {
    if (row.empty())
      ++empty;
    else if (empty == 2 * number)
      lines.push_back(row.substr(row.find('\t') + 1));
  }
  return lines;
}

/// Lines of the data block `name` of a script.
std::vector<std::string> block(const std::string& script, const std::string& name) {
  std::vector<std::string> lines;
  const std::string head = "$" + name + " << EOD\n";
  const std::size_t start = script.find(head);
  if (start == std::string::npos) return lines;
  std::istringstream text(script.substr(start + head.size()));
  for (std::string line; std::getline(text, line) && line != "EOD";) lines.push_back(line);
  return lines;
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Scenario lengths(const std::string& plot) {
  return Scenario::parse(R"(
experiment: lengths
scenario:
  topology: {kind: mesh, shape: [2, 2]}
  operation: {kind: broadcast, root: 0, message: 8 B}
  observe: [{kind: steps}]
sweep:
  algorithm.kind: [separate, recursive_doubling]
  operation.message: [1 KiB, 8 B]
plot: )" + plot + "\n");
}

}  // namespace

TEST_CASE("row 0 is at the bottom of a mesh's plot and at the top of an array's", "[timed]") {
  const Table load = run_on("{kind: mesh, shape: [3, 2]}").table("channel_load");

  const std::string mesh = ranges(mesh_plot_script(load, "load"));
  const std::string array = ranges(mesh_plot_script(load, "load", FirstRow::top));

  REQUIRE(says(mesh, "set ylabel 'y'"));
  REQUIRE(says(mesh, "set yrange [-0.7:1.7]"));
  REQUIRE(says(array, "set ylabel 'row'"));
  REQUIRE(says(array, "set yrange [1.7:-0.7]"));
}

TEST_CASE("a tau-plot has a point for each line of times", "[timed]") {
  const ScratchFolder folder;
  ExperimentOptions options;
  options.out = folder.path("out");
  const auto outcome = run_experiment(
      lengths("{kind: tau_plot, series: algorithm.kind, beside: [tsai_1997/table_5_7], "
              "file: tau.svg}"),
      standard_catalog(), options);
  REQUIRE(outcome.exit_code() == 0);
  const std::string script = folder.read("out/tau.gp");

  REQUIRE(says(script, "set label 'separate' at"));
  REQUIRE(says(script, "set label 'recursive doubling' at"));
  REQUIRE(says(script, "title 'A, measured'"));
  REQUIRE(line(folder.read("out/tau.dat"), 1).size() == 3);
  REQUIRE(line(folder.read("out/tau.dat"), 0).size() == 2);
}

TEST_CASE("an impossible tau-plot is rejected at its key", "[timed]") {
  const auto error_with = [](const std::string& plot, const std::string& message) {
    const ScratchFolder folder;
    ExperimentOptions options;
    options.out = folder.path("out");
    try {
      run_experiment(lengths(plot).with("sweep.operation.message", message), standard_catalog(),
                     options);
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string two = "[8 B, 16 B]";
  REQUIRE(says(error_with("{kind: tau_plot}", "[8 B]"), "messages of two lengths"));
  REQUIRE(says(error_with("{kind: tau_plot, beside: [tsai_1997/table_5_8]}", two),
               "did you mean `tsai_1997/table_5_"));
  REQUIRE(says(error_with("{kind: latency_against_size, beside: [tsai_1997/table_5_7]}", two),
               "in a tau_plot only"));
  REQUIRE(says(error_with("{kind: tau_plot, beside: [tsai_1997/parameter_sets]}", two),
               "plot.beside[0]: the table `tsai_1997/parameter_sets` has no start-ups"));
  REQUIRE(says(error_with("{kind: tau_plot, y: [collective.max_us, collective.mean_us]}", two),
               "a tau_plot shows one metric"));
  REQUIRE(says(error_with("{kind: tau_plot, log_x: true}", two), "has axes of its own"));
  REQUIRE(says(error_with("{kind: tau_plot, x: collective.max, series: algorithm.kind}", two),
               "follows a setting"));
}

TEST_CASE("a mesh is plotted with a square for each node and an arrow for each channel",
          "[timed]") {
  const std::string script = mesh_script("{kind: mesh, shape: [4, 3]}");

  REQUIRE(block(script, "nodes").size() == 12);
  REQUIRE(block(script, "load").size() + block(script, "idle").size() == 34);
  REQUIRE(says(gnuplot_picture(script), "</svg>"));
}

TEST_CASE("wrap-around channels are plotted as stubs at the border", "[timed]") {
  const std::string torus = mesh_script("{kind: torus, shape: [4, 3]}");
  const std::string narrow = mesh_script("{kind: torus, shape: [2, 3]}");

  REQUIRE(block(torus, "load").size() == 48);
  REQUIRE(block(narrow, "load").size() + block(narrow, "idle").size() == 24);
  int stubs = 0;
  for (const std::string& line : block(torus, "load"))
    stubs += says(line, " 0.300 ") || says(line, " -0.300 ") ? 1 : 0;
  REQUIRE(stubs == 14);
}

TEST_CASE("a network without a plane is rejected with an explanation", "[timed]") {
  for (const char* topology : {"{kind: mesh, shape: [2, 2, 2]}", "{kind: ring, nodes: 5}"}) {
    std::string said;
    try {
      mesh_script(topology);
    } catch (const ConfigError& error) {
      said = error.what();
    }
    REQUIRE(says(said, "two-dimensional grid"));
  }
}

TEST_CASE("latency is plotted against message length, with a line for each algorithm", "[timed]") {
  const ScratchFolder folder;
  ExperimentOptions options;
  options.out = folder.path("out");
  run_experiment(lengths("{kind: latency_against_size, series: algorithm.kind}"),
                 standard_catalog(), options);

  const std::string script = folder.read("out/plot.gp");
  const std::string data = folder.read("out/plot.dat");
  REQUIRE(line(data, 0).size() == 2);
  REQUIRE(line(data, 1).size() == 2);
  REQUIRE(line(data, 0)[0].compare(0, 2, "8\t") == 0);  // ascending, for the line to be plotted
  REQUIRE(says(script, "set logscale x 2"));
  REQUIRE(says(folder.read("out/plot.svg"), ">1024<"));
  REQUIRE(says(script, "title 'recursive doubling'"));
  REQUIRE(says(folder.read("out/plot.svg"), "</svg>"));
}

TEST_CASE("a title that is too long for the plot is split into two lines", "[timed]") {
  const ScratchFolder folder;
  ExperimentOptions options;
  options.out = folder.path("out");
  const std::string title =
      "Broadcasts of a message to all nodes of a small mesh by separate messages and by recursive "
      "doubling, in steps";
  run_experiment(
      lengths("[{kind: lines, x: operation.message, y: steps, series: algorithm.kind, title: '" +
              title +
              "'}, {kind: lines, x: operation.message, y: steps, series: algorithm.kind, "
              "title: short, file: short.svg}]"),
      standard_catalog(), options);

  const std::string script = folder.read("out/plot.gp");
  CHECK(says(script,
             "set title 'Broadcasts of a message to all nodes of a small mesh by'.\"\\n\"."
             "'separate messages and by recursive doubling, in steps' font"));
  CHECK(says(folder.read("out/short.gp"), "set title 'short' font"));
}

TEST_CASE("a plot may show selected points only", "[timed]") {
  const ScratchFolder folder;
  ExperimentOptions options;
  options.out = folder.path("out");
  const std::string lines = "{kind: lines, x: operation.message, y: steps, series: algorithm.kind";
  run_experiment(lengths("[" + lines + ", of: {algorithm.kind: separate}}, " + lines +
                         ", file: all.svg}, " + lines +
                         ", of: [{algorithm.kind: recursive_doubling}, {algorithm.kind: separate}],"
                         " file: both.svg}]"),
                 standard_catalog(), options);

  const std::string some = folder.read("out/plot.gp");
  REQUIRE(says(some, "title 'separate'"));
  REQUIRE_FALSE(says(some, "recursive doubling"));
  REQUIRE(says(folder.read("out/all.gp"), "title 'recursive doubling'"));
  REQUIRE(line(folder.read("out/both.dat"), 1) == line(folder.read("out/all.dat"), 1));
}

TEST_CASE("the x axis of a plot may have words, and its lines may be metrics", "[timed]") {
  const ScratchFolder folder;
  ExperimentOptions options;
  options.out = folder.path("out");
  run_experiment(lengths("[{kind: lines, x: algorithm.kind, y: [steps, collective.mean], "
                         "average: max}, {kind: lines, x: collective.mean, y: collective.max, "
                         "file: metrics.svg, log_y: true}]"),
                 standard_catalog(), options);

  const std::string words = folder.read("out/plot.gp");
  REQUIRE(says(words, "'separate' 1, 'recursive doubling' 2"));
  REQUIRE_FALSE(says(words, "set xrange"));
  REQUIRE(line(folder.read("out/plot.dat"), 0) ==
          std::vector<std::string>{"1\t3\t\"separate\"", "2\t2\t\"recursive doubling\""});
  REQUIRE(line(folder.read("out/metrics.dat"), 0).size() == 4);
  REQUIRE(says(folder.read("out/metrics.gp"), "set logscale y"));
}

TEST_CASE("the y axis starts at 0, or below if there are negative numbers", "[timed]") {
  const ScratchFolder folder;
  ExperimentOptions options;
  options.out = folder.path("out");
  const std::string lines = "{kind: lines, x: operation.count, y: steps.traffic";
  run_experiment(Scenario::parse(R"(
experiment: axes
scenario:
  evaluation: untimed
  draws: 10
  topology: {kind: hypercube, dimensions: 4}
  operation: {kind: multicast, source: 0, count: 1, message: 8 B}
  algorithm: {kind: greedy_multicast}
  compare: {kind: separate}
  observe: []
sweep: {operation.count: [2, 7, 8, 10]}
plot:
  - )" + lines + R"(, file: near.svg}
  - )" + lines + R"(, of: {operation.count: 7}, file: alone.svg}
  - )" + lines + R"(, log_x: true, log_y: true, file: logarithms.svg}
  - {kind: lines, x: operation.count, y: steps.traffic.excess, file: below.svg}
  - )" + lines + R"(, x_range: [0, '*'], y_range: ['*', 50], file: ranges.svg}
)"),
                 standard_catalog(), options);

  const auto script = [&](const std::string& name) { return folder.read("out/" + name + ".gp"); };
  for (const char* name : {"near", "alone", "below"}) {
    CHECK(says(script(name), "set yrange [*<0:*]"));
    CHECK_FALSE(says(script(name), "set xrange"));
    CHECK(says(folder.read(std::string("out/") + name + ".svg"), "</svg>"));
  }
  CHECK(says(folder.read("out/near.svg"), "> 0<"));
  CHECK(says(folder.read("out/below.svg"), ">-"));
  CHECK_FALSE(says(script("logarithms"), "range"));
  CHECK(says(script("ranges"), "set xrange [0:*]\nset yrange [*<0:50]\n"));
}

TEST_CASE("plots are made again from a folder of results, optionally into another folder",
          "[timed]") {
  const ScratchFolder folder;
  ExperimentOptions options;
  options.out = folder.path("out");
  run_experiment(lengths("{kind: latency_against_size, series: algorithm.kind}"),
                 standard_catalog(), options);

  const auto files = plot_results(folder.path("out"), folder.path("pictures"));
  REQUIRE(files.size() == 4);
  for (const char* name : {"plot.svg", "plot.pdf", "plot.dat", "plot.gp"})
    CHECK(folder.read(std::string("pictures/") + name) == folder.read(std::string("out/") + name));
  CHECK(folder.read("out/plot.pdf").compare(0, 5, "%PDF-") == 0);
  REQUIRE_THROWS_AS(plot_results(folder.path("nowhere")), SystemFailure);
}

TEST_CASE("an error of gnuplot is reported with gnuplot's message", "[timed]") {
  std::string said;
  try {
    gnuplot_picture("plot nonsense(\n");
  } catch (const SystemFailure& error) {
    said = error.what();
  }
  REQUIRE(says(said, "gnuplot produced no picture"));
  REQUIRE(says(said, "nonsense"));
}

TEST_CASE("12 lines of a plot differ in each of colour, mark and dashes, and 144 in colour or mark",
          "[timed]") {
  std::set<std::string> colours;
  std::set<int> marks;
  std::set<std::string> dashes;
  for (std::size_t line = 0; line < distinct_lines; ++line) {
    colours.insert(gnuplot_colour(line));
    marks.insert(gnuplot_mark(line));
    dashes.insert(gnuplot_dashes(line));
  }
  CHECK(colours.size() == 12);
  CHECK(marks.size() == 12);
  CHECK(dashes.size() == 12);

  std::set<std::pair<std::string, int>> looks;
  for (std::size_t line = 0; line < 144; ++line)
    looks.emplace(gnuplot_colour(line), gnuplot_mark(line));
  CHECK(looks.size() == 144);
}

TEST_CASE("quotes and line breaks in a text do not end its quotation", "[timed]") {
  REQUIRE(gnuplot_text("it's\na test") == "'it''sa test'");
}

}  // namespace plot_test
