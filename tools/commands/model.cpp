// tools/commands/model.cpp: flitwave model: closed forms, tau-plots and fits, without simulation.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <filesystem>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "flitwave/algorithms/cost_models/closed_forms.hpp"
#include "flitwave/algorithms/cost_models/machines.hpp"
#include "flitwave/algorithms/cost_models/schedule_models.hpp"
#include "flitwave/configs/quantity.hpp"
#include "flitwave/testbenches/gnuplot.hpp"
#include "flitwave/testbenches/job.hpp"
#include "flitwave/testbenches/plan.hpp"
#include "flitwave/testbenches/run_files.hpp"
#include "flitwave/testbenches/tau_plot.hpp"
#include "flitwave/tools/commands/commands.hpp"
#include "flitwave/tools/commands/job_file.hpp"

namespace flitwave {

namespace {

/// A machine by name, or by its figures.
struct MachineOptions {
  std::string name;
  std::string alpha;
  std::string beta;
  std::string gamma;
};

void add_machine(CLI::App& command, MachineOptions& machine) {
  CLI::Option* name =
      command.add_option("--machine", machine.name, "one that `flitwave model machines` lists");
  const auto figure = [&](const char* option, std::string& value, const char* what) {
    command.add_option(option, value, what)->excludes(name);
  };
  figure("--alpha", machine.alpha, "send overhead, e.g. 0.5us");
  figure("--beta", machine.beta, "time of a byte on a channel, e.g. 0.01us");
  figure("--gamma", machine.gamma, "receive overhead; that of sending when left out");
}

/// Unit: us
double microseconds(const char* option, const std::string& text) {
  try {
    return static_cast<double>(Codec<Duration>::read(ConfigNode::scalar(text)).picoseconds) / 1e6;
  } catch (const ConfigError& error) {
    throw ConfigError(option, error.problem(), error.remedy());
  }
}

AlphaBetaGamma cost_of(const MachineOptions& options) {
  if (!options.name.empty()) return machine(options.name).cost;
  if (options.alpha.empty() || options.beta.empty())
    throw ConfigError("", "the machine is not told",
                      "add --machine NAME, or --alpha and --beta, e.g. --alpha 0.5us --beta 10ns");
  const double alpha = microseconds("--alpha", options.alpha);
  return {alpha, microseconds("--beta", options.beta),
          options.gamma.empty() ? alpha : microseconds("--gamma", options.gamma)};
}

std::string bytes_text(double bytes) { return fmt::format("{:.0f} B", std::round(bytes)); }

/// Every point; then which is least for which lengths. `bytes`: one column more, when positive.
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

void draw(const std::vector<TauTrace>& traces, const std::string& title, const std::string& file) {
  if (file.empty()) return;
  write_file(file, gnuplot_picture(tau_plot_script(traces, title)));
  fmt::print("{}\n", file);
}

struct BroadcastOptions {
  MachineOptions machine;
  int width = 0;
  std::vector<int> segments{2, 4, 8};
  std::string message;
  std::string plot;
};

/// n, of a width of 2^n.
int exponent_of(int width) {
  int n = 0;
  while (n < 15 && (1 << n) < width) ++n;
  if (width < 4 || (1 << n) != width)
    throw ConfigError("--mesh", fmt::format("the formulas are not for a width of {}", width),
                      "give a power of two from 4 to 32768");
  return n;
}

int broadcast(const BroadcastOptions& options) {
  const int n = exponent_of(options.width);
  const AlphaBetaGamma cost = cost_of(options.machine);
  double bytes = 0;
  if (!options.message.empty())
    bytes = static_cast<double>(Codec<Bytes>::read(ConfigNode::scalar(options.message)).count);
  std::vector<TauTrace::Point> points{{"dimensional", dimensional_broadcast(n).point(cost)},
                                      {"edn", edn(n).point(cost)}};
  for (int segments : options.segments)
    points.push_back(
        {fmt::format("fibonacci_{}", segments), fibonacci_tree(n, segments).point(cost)});
  points.push_back({"scatter_collect", scatter_collect(n).point(cost)});
  fmt::print("broadcast on {} x {} nodes, alpha {:g} us, beta {:g} us/byte, gamma {:g} us\n",
             options.width, options.width, cost.alpha, cost.beta, cost.gamma);
  print_points(points, bytes);
  draw({{"", points}}, fmt::format("Broadcast on {0} x {0} nodes", options.width), options.plot);
  return 0;
}

struct TableOptions {
  std::string file;
  std::string plot;
  bool minima = false;
};

int tau(const TableOptions& options) {
  const std::vector<TauTrace> traces = tau_traces(load_csv(options.file), options.file);
  std::vector<TauTrace::Point> points;
  for (const TauTrace& trace : traces)
    for (const auto& [name, point] : trace.points)
      points.push_back({name.empty() ? trace.name : name, point});
  print_points(points, 0);
  draw(traces, std::filesystem::path(options.file).stem(), options.plot);
  return 0;
}

int fit(const TableOptions& options) {
  const Table table = load_csv(options.file);
  std::vector<MeasuredTime> samples;
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    samples.push_back(
        {table.number(row, "bytes", options.file), table.number(row, "time", options.file)});
  const TauPoint line = options.minima ? fit_minima(samples) : fit_line(samples);
  fmt::print("T_s {:.6g} us, T_n {:.6g} us/byte, tau {:.4g} 1/byte\n", line.startup, line.per_byte,
             line.tau());
  return 0;
}

int list_machines(const std::string& name) {
  if (name.empty()) {
    fmt::print("{:<18} {:>10} {:>13} {:>10}\n", "", "alpha (us)", "beta (us)", "gamma (us)");
    for (const Machine& known : machines())
      fmt::print("{:<18} {:>10.6g} {:>13.5g} {:>10.6g}  {}; {}\n", known.name, known.cost.alpha,
                 known.cost.beta, known.cost.gamma, known.system, known.source);
    return 0;
  }
  const Machine& known = machine(name);
  const auto duration = [](double time) {
    return to_string(Duration{static_cast<std::int64_t>(std::llround(time * 1e6))});
  };
  fmt::print("# {}; {}\n", known.system, known.source);
  fmt::print("clock: {{period: {}}}\nchannel: {{width: 1 B}}\n", duration(known.cost.beta));
  fmt::print("node: {{send_overhead: {}, receive_overhead: {}, overhead: serialized}}\n",
             duration(known.cost.alpha), duration(known.cost.gamma));
  return 0;
}

struct ScheduleOptions {
  JobFile file;
  MachineOptions machine;
};

/// The models whose parameters follow from alpha, beta and gamma.
int schedule(const ScheduleOptions& options) {
  const AlphaBetaGamma cost = cost_of(options.machine);
  if (!(cost.beta > 0))
    throw ConfigError("--beta", "Hockney's model has a bandwidth, 1 / beta", "give more than 0");
  const Job job = Job::read(load(options.file), standard_catalog());
  const Plan plan = Plan::make(job, Plan::Check::always);
  if (!plan.schedule)
    throw ConfigError("operation", "the job has no schedule to predict",
                      "give it sections `operation` and `algorithm`");
  const double overhead = (cost.alpha + cost.gamma) / 2;
  fmt::print("Hockney: {:.6g} us\n",
             predict(*plan.schedule, Hockney{cost.alpha + cost.gamma, 1 / cost.beta}));
  fmt::print("LogGP: {:.6g} us\n",
             predict(*plan.schedule, LogGP{cost.beta, overhead, overhead, cost.beta}));
  fmt::print("BSP: {:.6g} us\n", predict(*plan.schedule, Bsp{cost.beta, cost.alpha + cost.gamma}));
  return 0;
}

/// A sub-command of `model` with its options.
template <class Options, class Perform>
std::pair<CLI::App*, std::shared_ptr<Options>> add(CLI::App& model, Action& action,
                                                   const char* name, const char* what,
                                                   Perform perform) {
  CLI::App* command = model.add_subcommand(name, what);
  auto options = std::make_shared<Options>();
  command->callback(
      [options, perform, &action] { action = [options, perform] { return perform(*options); }; });
  return {command, options};
}

}  // namespace

void add_model(CLI::App& program, Action& action) {
  CLI::App* model = program.add_subcommand("model", "predict by formulas, without simulation");
  model->require_subcommand(1);

  const auto [on_mesh, mesh] =
      add<BroadcastOptions>(*model, action, "broadcast",
                            "four broadcasts on a square mesh and their crossovers", broadcast);
  on_mesh->add_option("--mesh", mesh->width, "nodes in a row: a power of two")->required();
  on_mesh->add_option("--segments", mesh->segments, "of the Fibonacci trees, e.g. 2,4,8")
      ->delimiter(',');
  on_mesh->add_option("--message", mesh->message, "adds the latency of that size, e.g. 1KiB");
  on_mesh->add_option("--plot", mesh->plot, "SVG file for a tau-plot");
  add_machine(*on_mesh, mesh->machine);

  const auto [of_points, points] = add<TableOptions>(
      *model, action, "tau", "a table of T_s and T_n: tau, and which is least when", tau);
  of_points->add_option("FILE", points->file, "CSV with columns startup, per_byte, name, trace")
      ->required();
  of_points->add_option("--plot", points->plot, "SVG file for a tau-plot");

  const auto [of_samples, samples] = add<TableOptions>(
      *model, action, "fit", "the line of least squares through measured times", fit);
  of_samples->add_option("FILE", samples->file, "CSV with columns bytes, time (us)")->required();
  of_samples->add_flag("--minima", samples->minima, "through the least time of each size");

  const auto [of_machines, machine_name] = add<std::string>(
      *model, action, "machines", "machines by name; of one, lines for a job", list_machines);
  of_machines->add_option("NAME", *machine_name, "of one machine");

  const auto [of_job, job] =
      add<ScheduleOptions>(*model, action, "schedule",
                           "when a job's schedule is done, by models without channels", schedule);
  add_job_file(*of_job, job->file);
  add_machine(*of_job, job->machine);
}

}  // namespace flitwave
