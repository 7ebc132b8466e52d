// testbenches/experiments/plot.cpp: see plot.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/plot.hpp"

#include <filesystem>

#include "configs/error.hpp"
#include "configs/node.hpp"
#include "configs/table.hpp"
#include "testbenches/experiments/experiment_folder.hpp"
#include "testbenches/plots/experiment_plot.hpp"
#include "testbenches/plots/gnuplot.hpp"
#include "testbenches/plots/mesh_plot.hpp"

namespace flitwave {

namespace fs = std::filesystem;

namespace {

/// Arrays have row 0 at the top.
FirstRow first_row_of(const ConfigNode& job) {
  const ConfigNode* operation = job.find("operation");
  const ConfigNode* kind = operation && operation->is_map() ? operation->find("kind") : nullptr;
  const bool is_array =
      kind && (kind->text() == "array_assignment" || kind->text() == "redistribute");
  return is_array ? FirstRow::top : FirstRow::bottom;
}

std::vector<std::string> draw_run(const std::string& folder, const ConfigNode& job,
                                  const std::string& out) {
  const ConfigNode* name = job.find("scenario");
  const std::string loads = folder + "/channel_load.csv";
  if (!fs::exists(loads))
    throw ConfigError("observe",
                      folder + " has no table of channel loads, and nothing else to plot",
                      "run the job with `observe: [{kind: channel_load}]`");
  const Table table = load_csv(loads);
  std::string script;
  try {
    script = mesh_plot_script(table, "Load of the channels: " + (name ? name->text() : ""),
                              first_row_of(job));
  } catch (const SystemFailure& error) {
    throw SystemFailure(loads + ": " + error.what());
  }
  return write_picture(out, "channel_load", {script, ""}, {PictureFormat::svg, PictureFormat::pdf});
}

std::vector<std::string> draw_experiment(const std::string& folder, const ConfigNode& job,
                                         const std::string& out) {
  const ConfigNode* section = job.find("plot");
  if (!section)
    throw job.error("the experiment has no section `plot`",
                    "add e.g. `plot: {kind: latency_against_size}` and run it again; finished "
                    "points are kept");
  const Findings findings(load_findings(folder));
  std::vector<std::string> files;
  for (const ConfigNode& plot : section->items()) {
    const LinePlotParams params = read_line_plot(plot);
    const Drawing drawing = experiment_plot(params, findings);
    if (drawing.script.empty())
      throw plot.error("no point has " + detail::either(params.y),
                       "run more points, or name other metrics");
    for (std::string& file : write_picture(out, params.stem(), drawing, params.format))
      files.push_back(std::move(file));
  }
  return files;
}

}  // namespace

std::vector<std::string> plot_results(const std::string& folder, const std::string& out) {
  if (!fs::exists(folder + "/job.yaml") || !fs::exists(folder + "/results.json"))
    throw SystemFailure(folder + " contains no results: job.yaml or results.json is missing");
  const ConfigNode job = ConfigNode::load(folder + "/job.yaml");
  const std::string& to = out.empty() ? folder : out;
  std::error_code error;
  fs::create_directories(to, error);
  if (error) throw SystemFailure("cannot make the folder " + to + ": " + error.message());
  const bool swept = job.find("experiment") != nullptr;
  std::vector<std::string> files =
      swept ? draw_experiment(folder, job, to) : draw_run(folder, job, to);
  for (std::string& file : files) file = (fs::path(to) / file).string();
  return files;
}

}  // namespace flitwave
