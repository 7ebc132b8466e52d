// tools/commands/plot.cpp: flitwave plot: plots of existing results.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/plot.hpp"

#include <fmt/format.h>

#include "tools/commands/commands.hpp"

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

Command plot_command() {
  const auto options = std::make_shared<PlotOptions>();
  return {"plot",
          "plot the results of a run or an experiment: SVG, PDF, and their data",
          {Option("RESULTS", &options->folder, "the folder of the results").required(),
           {"--out", &options->out, "folder of the plots; by default that of the results"}},
          [options] { return plot(*options); },
          {}};
}

}  // namespace flitwave
