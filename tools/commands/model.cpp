// tools/commands/model.cpp: flitwave model: closed forms, tau-plots and fits, without simulation.
// SPDX-License-Identifier: Apache-2.0
#include "tools/commands/model.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "algorithms/cost_models/machines.hpp"
#include "configs/quantity.hpp"
#include "testbenches/plots/gnuplot.hpp"
#include "testbenches/plots/tau_plot.hpp"
#include "testbenches/run/run_files.hpp"

namespace flitwave {

namespace {

/// Throws: ConfigError, naming the option.
template <class Value>
Value read_option(const char* option, const std::string& text) {
  try {
    return Codec<Value>::read(ConfigNode::scalar(text));
  } catch (const ConfigError& error) {
    throw ConfigError(option, error.problem(), error.remedy());
  }
}

std::string bytes_text(double bytes) { return fmt::format("{:.0f} B", std::round(bytes)); }

}  // namespace

double microseconds(const char* option, const std::string& text) {
  return static_cast<double>(read_option<Duration>(option, text).picoseconds) / 1e6;
}

std::vector<Option> with_machine(std::vector<Option> options, MachineOptions& machine) {
  options.emplace_back("--machine", &machine.name, "a machine listed by `flitwave model machines`");
  const auto figure = [&](const char* option, std::string& value, const char* what) {
    options.push_back(Option(option, &value, what).excludes("--machine"));
  };
  figure("--alpha", machine.alpha, "send overhead, e.g. 0.5us");
  figure("--beta", machine.beta, "time of a byte on a channel, e.g. 0.01us");
  figure("--gamma", machine.gamma, "receive overhead; that of sending when left out");
  return options;
}

AlphaBetaGamma cost_of(const MachineOptions& options) {
  if (!options.name.empty()) return machine(options.name).cost;
  if (options.alpha.empty() || options.beta.empty())
    throw ConfigError("", "no machine is given",
                      "add --machine NAME, or --alpha and --beta, e.g. --alpha 0.5us --beta 10ns");
  const double alpha = microseconds("--alpha", options.alpha);
  return {alpha, microseconds("--beta", options.beta),
          options.gamma.empty() ? alpha : microseconds("--gamma", options.gamma)};
}

std::int64_t bytes_of(const char* option, const std::string& text) {
  const std::int64_t bytes = read_option<Bytes>(option, text).count;
  if (bytes < 1) throw ConfigError(option, "a length below one byte", "give 1B or more");
  return bytes;
}

void print_points(const std::vector<TauTrace::Point>& points, double bytes) {
  std::size_t width = 9;
  for (const auto& point : points) width = std::max(width, point.name.size());
  fmt::print("{:<{}}  {:>10}  {:>13}  {:>12}", "", width, "T_s (us)", "T_n (us/byte)",
             "tau (1/byte)");
  if (bytes > 0) fmt::print("  {:>14}", bytes_text(bytes) + " (us)");
  fmt::print("\n");
  for (const auto& [name, point] : points) {
    fmt::print("{:<{}}  {:>10.5g}  {:>13.4g}  {:>12.3g}", name, width, point.startup,
               point.per_byte, point.tau());
    if (bytes > 0) fmt::print("  {:>14.6g}", point.at(bytes));
    fmt::print("\n");
  }
  std::vector<TauPoint> bare;
  for (const auto& point : points) bare.push_back(point.at);
  const std::vector<Stretch> stretches = least_latency(bare);
  std::string least;
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    least += (i > 0 ? ", " : "") + points[stretches[i].point].name;
    if (i > 0) least += " from " + bytes_text(stretches[i].from);
  }
  fmt::print("least latency: {}{}\n", least, stretches.size() == 1 ? " for all lengths" : "");
}

void require_picture(const std::string& file) {
  if (file.empty() || std::filesystem::path(file).extension() == ".svg") return;
  throw ConfigError("--plot", detail::in_quotes(file) + " is not the name of an SVG file",
                    "give a file name that ends in .svg");
}

void draw(const std::vector<TauTrace>& traces, const std::string& title, const std::string& file) {
  if (file.empty()) return;
  write_file(file, gnuplot_picture(tau_plot(traces, title)));
  fmt::print("{}\n", file);
}

Command model_command(const Catalog& catalog) {
  return {"model",
          "predict by formulas, without simulation",
          {},
          {},
          {model_broadcast_command(), model_tau_command(), model_fit_command(),
           model_hops_command(), model_machines_command(), model_schedule_command(catalog)}};
}

}  // namespace flitwave
