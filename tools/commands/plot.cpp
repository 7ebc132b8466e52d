// tools/commands/plot.cpp: flitwave plot: pictures of results that are there already.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/plot.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "flitwave/tools/commands/commands.hpp"

namespace flitwave {

namespace {

struct PlotOptions {
  std::string folder;
  std::string out;
};

int plot(const PlotOptions& options) {
  for (const std::string& file : plot_results(options.folder, options.out))
    fmt::print("{}\n", file);
  return 0;
}

}  // namespace

void add_plot(CLI::App& program, Action& action) {
  CLI::App* command =
      program.add_subcommand("plot", "draw SVG pictures of the results of a run or an experiment");
  auto options = std::make_shared<PlotOptions>();
  command->add_option("RESULTS", options->folder, "the folder of the results")->required();
  command->add_option("--out", options->out, "folder of the pictures; that of the results");
  command->callback([options, &action] { action = [options] { return plot(*options); }; });
}

}  // namespace flitwave
