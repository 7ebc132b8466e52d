// testbenches/experiments/experiment_read.cpp: reads an experiment's points, tables, plots and
// claims from its file.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "testbenches/experiments/experiment.hpp"
#include "testbenches/experiments/experiment_full.hpp"
#include "testbenches/job/plan/plan.hpp"
#include "testbenches/plots/experiment_plot.hpp"

namespace flitwave {

namespace {

/// The keys of an experiment.
struct ExperimentParams {
  std::string experiment;
  std::string about;
  std::string remarks;
  std::uint64_t seed = 1;
  std::string base;
  ConfigNode scenario;
  std::vector<std::string> drop;
  ConfigNode set;
  ConfigNode sweep;
  ConfigNode full;
  ConfigNode saturation;
  ClaimOrigin origin = ClaimOrigin::unstated;
  Paths over;
  ConfigNode table;
  ConfigNode plot;
  ConfigNode wave_of;
  ConfigNode wave;
  ConfigNode expect;
};

Schema<ExperimentParams> experiment_schema() {
  using P = ExperimentParams;
  return Schema<P>{}
      .required("experiment", &P::experiment, "name of the experiment and of its results")
      .optional("about", &P::about, "purpose of the experiment")
      .optional("remarks", &P::remarks,
                "remarks for readers of the results; tools/reproduce writes them below the results")
      .optional("seed", &P::seed,
                "makes every random choice repeatable: random nodes, and the seed of every "
                "point; that of the base unless given")
      .optional("base", &P::base, "scenario that is varied, relative to this file")
      .optional("scenario", &P::scenario, "the scenario itself, instead of `base`")
      .optional("drop", &P::drop, "settings of the base to leave out, e.g. [expect, wave]")
      .optional("set", &P::set, "settings of all points, e.g. {clock.period: 450 ns}")
      .optional("sweep", &P::sweep,
                "lists of values by setting; the points are their product, the first list slowest. "
                "{sample_nodes: 16} denotes a number of random nodes of the topology. The list of "
                "`together` has maps of settings that change together. May be left out beside "
                "`saturation`")
      .optional("full", &P::full,
                "additions of `--full`: further values of swept settings, and claims on them")
      .optional("saturation", &P::saturation,
                "search at every point for the greatest offered rate that the network carries: "
                "metric `saturation`")
      .optional("origin", &P::origin,
                "origin of the claims' figures: `printed` in a source, `read` from its "
                "text or plotted figures, or `ours`; tools/reproduce needs it")
      .optional("over", &P::over,
                "settings besides `seed` in which the points of a mean may differ, in every table, "
                "plot and claim, e.g. operation.root; other means are rejected")
      .optional("table", &P::table, "a table of averages, or a list of tables")
      .optional("plot", &P::plot, "a plot, or a list of plots")
      .optional("wave_of", &P::wave_of,
                "settings; the wave of the first point that has them is recorded")
      .optional("wave", &P::wave, "what is recorded, instead of the base's section `wave`")
      .optional("expect", &P::expect, "a list of claims on the results; a miss is exit code 4");
}

/// A section that may be one map or a list of maps.
std::vector<ConfigNode> one_or_more(const ConfigNode& node) {
  if (node.is_null()) return {};
  if (node.is_list()) return node.items();
  return {node};
}

/// Gives every file a name of its own: STEM.EXT, STEM_2.EXT, ...
template <class Params>
void name_files(std::vector<Params>& params, const std::string& stem, const std::string& extension,
                const ConfigNode& section) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < params.size(); ++i) {
    std::string& name = params[i].file;
    if (name.empty()) name = stem + (i > 0 ? fmt::format("_{}", i + 1) : "") + extension;
    const bool suits =
        name.size() > extension.size() && name.find('/') == std::string::npos &&
        name.compare(name.size() - extension.size(), extension.size(), extension) == 0;
    if (!suits)
      throw section.error(
          detail::in_quotes(name) + " is not a name of a " + extension + " file in this folder",
          "write e.g. `file: " + stem + extension + "`");
    if (name == experiment_points_file)
      throw section.error(detail::in_quotes(name) + " contains the points of the sweep",
                          "give the table another `file`, e.g. `file: " + stem + extension + "`");
    if (!names.insert(name).second)
      throw section.error("two of them are written to " + detail::in_quotes(name),
                          "give one another `file`");
  }
}

/// Channel dependencies are the same for all points with one network and routing.
std::string network_of(const ConfigNode& job) {
  return Codec<ConfigNode>::print(job.at("topology")) + Codec<ConfigNode>::print(job.at("routing"));
}

/// A search reads the metrics of the latency observer.
void check_observed(const Job& job, const ConfigNode& saturation) {
  for (const auto& observer : job.observers)
    if (observer.kind() == "latency") return;
  throw saturation.error("a search needs latencies; the job does not observe them",
                         "add {kind: latency} to `observe` of the base");
}

}  // namespace

std::vector<SectionInfo> experiment_sections() {
  return {{"experiment", "a sweep: a job with a key `experiment`", experiment_schema().describe()},
          {"full", "the larger experiment that `--full` runs", full_info()},
          {"saturation", "the search for the greatest rate at which a run is not saturated",
           saturation_schema().describe()},
          {"table", "a table of an experiment", table_schema().describe()},
          {"plot", "a plot of an experiment", line_plot_schema().describe()},
          {"expect", "a claim on an experiment, with one of less_than, more_than, between, equals",
           claim_info()}};
}

Experiment Experiment::read(const Scenario& written, const Catalog& catalog) {
  const ExperimentParams params = experiment_schema().parse(written.tree());
  if (!params.full.is_null()) with_full(written.tree());  // its keys and settings must be valid
  Experiment experiment;
  experiment.written_ = written.tree();
  experiment.name_ = read_name(written.tree().at("experiment"));
  experiment.sweep_ = params.sweep;
  experiment.over_ = params.over;
  experiment.claims_ = read_claims(params.expect, params.origin);
  experiment.read_views(written.tree());
  experiment.read_base(written.tree());
  experiment.read_saturation(written.tree());
  experiment.read_points(catalog);
  experiment.choose_wave_point();
  if (experiment.wave_point_) {
    ExperimentPoint& point = experiment.points_[index(*experiment.wave_point_)];
    const Job job = Job::read(experiment.scenario(point.number), catalog);
    Plan::make(job, Plan::Check::skip);  // whether a wave can be recorded
    point.job = job.resolved().to_yaml();
  }
  experiment.check_names(catalog);
  experiment.check_settings();
  return experiment;
}

void Experiment::read_base(const ConfigNode& written) {
  const ConfigNode* file = written.find("base");
  const ConfigNode* inside = written.find("scenario");
  if ((file != nullptr) == (inside != nullptr))
    throw ConfigError(written.place(), "base",
                      file ? "an experiment has either `base` or `scenario`; this one has both"
                           : "an experiment varies a scenario; this one names none",
                      "write `base: ../scenarios/x.yaml`, or `scenario: {...}`");
  if (file) {
    namespace fs = std::filesystem;
    const fs::path path(Codec<std::string>::read(*file));
    base_ = Scenario::load((fs::path(file->place().file).parent_path() / path).lexically_normal());
  } else {
    detail::require_map(*inside);
    base_ = Scenario(*inside);
  }
  if (base_.tree().find("experiment"))
    throw base_.tree().error("an experiment cannot be the base of another", "name a scenario");
  const ConfigNode& drop = written.find("drop") ? written.at("drop") : ConfigNode();
  for (const ConfigNode& path : drop.items()) {
    if (!base_.tree().find_path(path.text()))
      throw path.error("the base has no `" + path.text() + "`", "drop only settings that it has");
    base_ = base_.without(path.text());
  }
  if (!base_.tree().find("scenario"))
    base_ = Scenario(base_.tree().with("scenario", ConfigNode::scalar(name_)));
  const ConfigNode& set = written.find("set") ? written.at("set") : ConfigNode();
  if (!set.is_null()) detail::require_map(set);
  for (const auto& [path, value] : set.entries()) {
    for (const Setting& swept : swept_settings(sweep_))
      if (covers(swept.path, path))
        throw value.error("`" + path + "` is swept, so it cannot be set for all points",
                          "remove it from `set`, or from `sweep`");
    if (path == "seed")
      throw value.error("the seed is the experiment's", "write `seed` at its top");
    base_ = Scenario(base_.tree().with(path, value));
  }
  if (const ConfigNode* seed = written.find("seed"))
    base_ = Scenario(base_.tree().with("seed", *seed));
  if (const ConfigNode* seed = base_.tree().find("seed")) seed_ = Codec<std::uint64_t>::read(*seed);
  if (const ConfigNode* expect = base_.tree().find("expect"))
    throw expect->error("the base expects something of one run",
                        "add `drop: [expect]`; an experiment has an `expect` of its own");
  const ConfigNode* wave = base_.tree().find("wave");
  const bool wanted = written.find("wave_of") || written.find("wave");
  if (wave && !wanted)
    throw wave->error("the base records a wave, but no point is selected for it",
                      "add `wave_of: {SETTING: VALUE}` or `drop: [wave]`");
  if (wave) wave_ = *wave;
  if (const ConfigNode* own = written.find("wave")) wave_ = *own;
  if (wanted && wave_.is_null())
    throw written.at("wave_of").error("neither the experiment nor its base has a section `wave`",
                                      "add e.g. `wave: {file: point.vcd}`");
  base_ = base_.without("wave");
  // Where deadlocks are studied, runs are not ended at saturation, because deadlocks occur after a
  // long overload.
  const bool of_deadlocks =
      base_.tree().find("allow_deadlock") || base_.tree().find("count_deadlock");
  if (base_.tree().find("traffic") && !of_deadlocks && !base_.tree().find_path("stop.saturated"))
    base_ = base_.with("stop.saturated", "true");
}

void Experiment::read_saturation(const ConfigNode& written) {
  const ConfigNode* section = written.find("saturation");
  if (!section && sweep_.is_null())
    throw written.error("the key `sweep` is missing",
                        "add it, e.g. `sweep: {operation.message: [32 B, 64 B]}`, or `saturation`");
  if (!section) return;
  saturation_ = flitwave::read_saturation(*section);
  if (!wave_.is_null())
    throw section->error("a search consists of many runs; a wave belongs to one run",
                         "add `drop: [wave]`, and record a wave of a single scenario");
  const ConfigNode* traffic = base_.tree().find("traffic");
  if (!traffic)
    throw section->error("a rate is searched, but the base has no section `traffic`",
                         "add e.g. `traffic: {pattern: uniform, packet: 4 flit}` to the base");
  for (const Setting& swept : swept_settings(sweep_))
    if (covers(swept.path, "traffic.rate") || covers("traffic.rate", swept.path))
      throw swept.value.error("the search sets the rate, so it cannot be swept",
                              "remove it from `sweep`, or remove `saturation`");
  // The search sets the rate anew; this one is for the checks, and must be present when the job is
  // read.
  base_ = Scenario(
      base_.tree().with("traffic.rate", ConfigNode::scalar(to_string(saturation_->rate.back()))));
}

void Experiment::read_points(const Catalog& catalog) {
  std::set<std::string> checked;
  std::vector<Settings> points(1);
  if (!sweep_.is_null()) points = expand_sweep(sweep_, base_, seed_, catalog.topologies);
  for (Settings& settings : points) {
    const int number = static_cast<int>(points_.size());
    points_.push_back({number, std::move(settings), ""});
    try {
      const Job job = Job::read(scenario(number), catalog);
      const ConfigNode resolved = job.resolved();
      if (saturation_) check_observed(job, written_.at("saturation"));
      const bool known = !checked.insert(network_of(resolved)).second;
      const Plan plan = Plan::make(job, known ? Plan::Check::skip : Plan::Check::when_small);
      for (const std::string& warning : plan.warnings)
        warnings_.add(number, points_.back().settings, warning);
      points_.back().job = resolved.to_yaml();
      if (number == 0) filled_ = resolved.entries();
      const auto varies = [&](const ConfigNode::Entry& section) {
        const ConfigNode* here = resolved.find(section.first);
        return !here || *here != section.second;
      };
      filled_.erase(std::remove_if(filled_.begin(), filled_.end(), varies), filled_.end());
    } catch (const ConfigError& error) {
      if (number == 0) throw;
      throw ConfigError(
          error.place(), error.key(),
          error.problem() + " (at the point " + settings_text(points_.back().settings) + ")",
          error.remedy());
    }
  }
  for (const Setting& swept : swept_settings(sweep_)) {
    const auto touched = [&](const ConfigNode::Entry& section) {
      return covers(section.first, swept.path);
    };
    filled_.erase(std::remove_if(filled_.begin(), filled_.end(), touched), filled_.end());
  }
}

void Experiment::read_views(const ConfigNode& written) {
  if (const ConfigNode* section = written.find("table")) {
    written_tables_ = one_or_more(*section);
    for (const ConfigNode& table : written_tables_) tables_.push_back(table_schema().parse(table));
    name_files(tables_, "table", ".csv", *section);
  }
  if (const ConfigNode* section = written.find("plot")) {
    written_plots_ = one_or_more(*section);
    for (const ConfigNode& plot : written_plots_) plots_.push_back(read_line_plot(plot));
    name_files(plots_, "plot", ".svg", *section);
  }
}

void Experiment::choose_wave_point() {
  if (wave_.is_null()) return;
  const ConfigNode* node = written_.find("wave_of");
  const std::vector<std::size_t> found =
      unfinished().select(node ? read_settings(*node) : Settings());
  if (found.empty())
    throw node->error("no point has these settings", "name settings and values of the sweep");
  wave_point_ = static_cast<int>(found.front());
}

Scenario Experiment::scenario(int point) const {
  const Scenario scenario = with_settings(base_, points_[index(point)].settings);
  return wave_point_ == point ? Scenario(scenario.tree().with("wave", wave_)) : scenario;
}

ConfigNode Experiment::resolved() const {
  std::vector<ConfigNode::Entry> sections = filled_;
  for (const auto& section : base_.tree().entries()) {
    if (section.first == "seed") continue;  // that of the experiment, or swept
    const bool known = std::any_of(sections.begin(), sections.end(),
                                   [&](const auto& other) { return other.first == section.first; });
    if (!known) sections.push_back(section);
  }
  std::vector<ConfigNode::Entry> entries;
  entries.emplace_back("experiment", ConfigNode::scalar(name_));
  for (const char* key : {"about", "remarks"})
    if (const ConfigNode* text = written_.find(key)) entries.emplace_back(key, *text);
  entries.emplace_back("seed", ConfigNode::scalar(std::to_string(seed_)));
  entries.emplace_back("scenario", ConfigNode::map(std::move(sections)));
  if (!sweep_.is_null()) entries.emplace_back("sweep", sweep_);
  if (saturation_)
    entries.emplace_back("saturation", to_map(saturation_schema().print(*saturation_)));
  if (!over_.empty())
    entries.emplace_back("over", ConfigNode::parse(Codec<Paths>::print(over_), "default"));
  std::vector<ConfigNode> views;
  for (const TableParams& table : tables_) views.push_back(to_map(table_schema().print(table)));
  if (!views.empty()) entries.emplace_back("table", ConfigNode::list(std::move(views)));
  views.clear();
  for (const LinePlotParams& plot : plots_) views.push_back(to_map(line_plot_schema().print(plot)));
  if (!views.empty()) entries.emplace_back("plot", ConfigNode::list(std::move(views)));
  for (const char* key : {"wave_of", "origin", "full", "expect"})
    if (const ConfigNode* node = written_.find(key)) entries.emplace_back(key, *node);
  if (!wave_.is_null()) entries.emplace_back("wave", wave_);
  return ConfigNode::map(std::move(entries));
}

ConfigNode Experiment::identity() const { return identity(resolved()); }

ConfigNode Experiment::identity(ConfigNode tree) {
  for (const char* key : {"about", "remarks", "origin", "full", "over", "table", "plot", "expect"})
    tree = tree.without(key);
  return tree;
}

Scenario with_override(const Scenario& experiment, const std::string& path,
                       const std::string& value, const std::string& origin) {
  const std::string key = path.substr(0, path.find('.'));
  for (const ParameterInfo& parameter : experiment_schema().describe())
    if (parameter.name == key) return experiment.with(path, value, origin);
  // Read at its own path, so that an error in the value names it.
  const Scenario read = Scenario(ConfigNode::map({})).with(path, value, origin);
  const ConfigNode* node = read.tree().find_path(path);
  std::vector<ConfigNode::Entry> entries;
  if (const ConfigNode* set = experiment.tree().find("set")) entries = set->entries();
  const auto place = std::find_if(entries.begin(), entries.end(),
                                  [&](const auto& entry) { return entry.first == path; });
  if (place == entries.end())
    entries.emplace_back(path, *node);
  else
    place->second = *node;
  return Scenario(experiment.tree().with("set", ConfigNode::map(std::move(entries))));
}

}  // namespace flitwave
