// tools/commands/model_tau.cpp: flitwave model tau: a table of T_s and T_n as a tau-plot.
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <fmt/format.h>

#include "configs/table.hpp"
#include "tools/commands/model.hpp"

namespace flitwave {

namespace {

struct TauOptions {
  std::string file;
  std::string plot;
};

int tau(const TauOptions& options) {
  require_picture(options.plot);
  const std::vector<TauTrace> traces = tau_traces(load_csv(options.file), options.file);
  std::vector<TauTrace::Point> points;
  for (const TauTrace& trace : traces)
    for (const auto& [name, point] : trace.points) {
      const std::string& own = name.empty() ? trace.name : name;
      points.push_back({own.empty() ? fmt::format("row {}", points.size() + 1) : own, point});
    }
  print_points(points, 0);
  draw(traces, std::filesystem::path(options.file).stem(), options.plot);
  return 0;
}

}  // namespace

Command model_tau_command() {
  const auto options = std::make_shared<TauOptions>();
  return {
      "tau",
      "a table of T_s and T_n: tau, and the least one by length",
      {Option("FILE", &options->file, "CSV with columns startup, per_byte, name, trace").required(),
       {"--plot", &options->plot, "SVG file for a tau-plot"}},
      [options] { return tau(*options); },
      {}};
}

}  // namespace flitwave
