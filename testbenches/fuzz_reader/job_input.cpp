// testbenches/fuzz_reader/job_input.cpp: see job_input.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/fuzz_reader/job_input.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "testbenches/experiments/experiment.hpp"
#include "testbenches/job/plan/plan.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"
#include "topologies/measures/measures.hpp"

namespace flitwave::fuzz_reader {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view part_mark = "#=== ";
constexpr std::string_view settings_part = "set";
constexpr std::int64_t most_nodes = 100;
constexpr std::int64_t most_messages = 400'000;        // more take many seconds if instrumented
constexpr std::int64_t rejected_releases = 1'000'000;  // more are rejected when the job is read
constexpr std::int64_t most_cycles = 1'000'000'000'000;
constexpr std::int64_t most_dimensions = 6;
constexpr std::size_t most_points = 12;

/// Writes the parts of an input as files. Returns: the job's file.
std::string write_to(const test::ScratchFolder& folder, const JobInput& input) {
  const auto write = [&folder](const std::string& name, const std::string& text) {
    std::ofstream(folder.path(name), std::ios::binary) << text;
  };
  write("job.yaml", input.job);
  for (const auto& [part, text] : input.parts) write(part, text);
  return folder.path("job.yaml");
}

bool is_part_name(std::string_view name) {
  const std::string_view signs = "abcdefghijklmnopqrstuvwxyz0123456789_.";
  return !name.empty() && name.size() <= 20 && name[0] != '.' && name != "job.yaml" &&
         name.find_first_not_of(signs) == std::string_view::npos;
}

/// The job with the settings of the part `set`, as --set passes them.
Scenario load(const JobInput& input, const std::string& file) {
  Scenario scenario = Scenario::load(file);
  for (const auto& [part, text] : input.parts) {
    if (part != settings_part) continue;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::string line = text.substr(at, end - at);
      at = end + 1;
      const std::size_t sign = line.find('=');
      if (sign == 0 || sign == std::string::npos) continue;
      const std::string key = line.substr(0, sign);
      const std::string value = line.substr(sign + 1);
      scenario = scenario.tree().find("experiment") ? with_override(scenario, key, value, "--set")
                                                    : scenario.with(key, value, "--set");
    }
  }
  return scenario;
}

const Catalog& kinds() {
  static const Catalog catalog = standard_catalog();
  return catalog;
}

void require_equal(const ConfigNode& first, const ConfigNode& second) {
  if (first != second)
    throw ModelError("a printed job is not read back as the same job:\n" + first.to_yaml() +
                     "\nbecomes\n" + second.to_yaml());
}

/// A whole number of a tree; 1 for anything else.
std::int64_t number_in(const ConfigNode& node) {
  std::int64_t value = 1;
  const std::string& text = node.text();
  std::from_chars(text.data(), text.data() + text.size(), value);
  return std::max<std::int64_t>(1, value);
}

/// The product of all whole numbers in a tree, up to `most_nodes` + 1.
std::int64_t product_in(const ConfigNode& node) {
  std::int64_t product = std::min(number_in(node), most_nodes + 1);
  for (const ConfigNode& item : node.items())
    product = std::min(product * product_in(item), most_nodes + 1);
  for (const auto& entry : node.entries())
    product = std::min(product * product_in(entry.second), most_nodes + 1);
  return product;
}

std::int64_t nodes_of(const ConfigNode& topology) {
  if (const ConfigNode* dimensions = topology.find("dimensions"))
    return std::int64_t{1} << std::min<std::int64_t>(number_in(*dimensions), 20);
  if (const ConfigNode* shape = topology.find("shape")) return product_in(*shape);
  const ConfigNode* nodes = topology.find("nodes");
  return nodes && nodes->is_scalar() ? number_in(*nodes) : 1;
}

/// Whether the value at a path such as `topology.shape` is small: one value, or a list of them.
bool extent_small(const std::string& path, const ConfigNode& value) {
  if (!value.items().empty() && !value.items().front().is_scalar())
    return std::all_of(value.items().begin(), value.items().end(),
                       [&](const ConfigNode& item) { return extent_small(path, item); });
  const bool exponent = path.find("dimensions") != std::string::npos;
  return product_in(value) <= (exponent ? most_dimensions : most_nodes);
}

/// Whether the whole numbers of a setting of multicasts that an experiment names, e.g. by a path as
/// `operation.count`, give few messages, whatever its other settings are.
bool multicasts_small(const std::string& path, const ConfigNode& value) {
  struct Limits {
    const char* key;
    std::int64_t least;
    std::int64_t most;
  };
  constexpr Limits limits[] = {{"count", 0, 4'000},
                               {"gap", 1'000, most_cycles},
                               {"warmup", 0, 10'000},
                               {"measure", 0, 10'000},
                               {"cooldown", 0, 10'000}};
  for (const ConfigNode& item : value.items())
    if (!multicasts_small(path, item)) return false;
  const std::string key = path.substr(path.rfind('.') + 1);
  return !value.is_scalar() || std::all_of(std::begin(limits), std::end(limits), [&](Limits limit) {
    return key != limit.key || (number_in(value) >= limit.least && number_in(value) <= limit.most);
  });
}

/// Whether every topology in an experiment or a part of it is small, and every operation.
bool all_small(const ConfigNode& node, bool within_topology) {
  if (within_topology)
    for (const char* key : {"dimensions", "shape", "nodes"})
      if (node.find(key) && nodes_of(node) > most_nodes) return false;
  for (const ConfigNode& item : node.items())
    if (!all_small(item, within_topology)) return false;
  for (const auto& [key, value] : node.entries()) {
    if (!multicasts_small(key, value)) return false;
    const bool named = key.find("topology") != std::string::npos;
    if (key.find('.') != std::string::npos && (named || within_topology) &&
        !extent_small(key, value))
      return false;
    if (!all_small(value, within_topology || named)) return false;
  }
  return true;
}

/// The approximate number of multicasts: `count` of them, or those of all sources, each with a gap.
std::int64_t releases_of(const ConfigNode& operation, std::int64_t nodes) {
  const ConfigNode* gap = operation.find("gap");
  if (gap && gap->is_scalar() && gap->text().rfind('0', 0) != 0) {
    std::int64_t cycles = 0;
    for (const char* key : {"warmup", "measure", "cooldown"})
      if (const ConfigNode* window = operation.find(key))
        cycles += std::min(number_in(*window), most_cycles);
    const ConfigNode* sources = operation.find("sources");
    const bool listed = sources && !sources->items().empty();
    return cycles / number_in(*gap) *
           (listed ? static_cast<std::int64_t>(sources->items().size()) : nodes);
  }
  const ConfigNode* count = operation.find("count");
  return count && count->is_scalar() ? number_in(*count) : 0;
}

/// The greatest number of destinations of a multicast, given as a number or a range.
std::int64_t destinations_of(const ConfigNode& operation) {
  const ConfigNode* destinations = operation.find("destinations");
  if (!destinations) return 1;
  return number_in(destinations->items().empty() ? *destinations : destinations->items().back());
}

/// Whether an operation has few messages, or so many that it is rejected before they are planned.
bool has_few_messages(const ConfigNode& operation, std::int64_t nodes) {
  const std::int64_t releases = releases_of(operation, nodes);
  return releases > rejected_releases ||
         releases * std::min(destinations_of(operation), nodes) <= most_messages;
}

/// Whether a job's network and its messages are few enough to be planned quickly. In an experiment
/// every value below a key of a topology counts.
bool is_small(const ConfigNode& job) {
  if (job.find("experiment") || job.find("sweep")) return all_small(job, false);
  const ConfigNode* topology = job.find("topology");
  if (!topology) return true;
  const std::int64_t nodes = nodes_of(*topology);
  const ConfigNode* operation = job.find("operation");
  return nodes <= most_nodes && (!operation || has_few_messages(*operation, nodes));
}

/// The number of points of a sweep, if none of its lists is random.
std::size_t points_of(const ConfigNode& sweep) {
  std::size_t points = 1;
  for (const auto& entry : sweep.entries()) {
    const std::size_t values = entry.second.is_map()
                                   ? most_points + 1
                                   : std::max<std::size_t>(1, entry.second.items().size());
    points = std::min(points * values, most_points + 1);
  }
  return points;
}

Verdict take_experiment(const Scenario& scenario) {
  const ConfigNode* sweep = scenario.tree().find("sweep");
  if (sweep && points_of(*sweep) > most_points) return Verdict::large;
  if (!is_small(scenario.tree())) return Verdict::large;
  if (const ConfigNode* base = scenario.tree().find("base"))
    if (base->is_scalar()) {
      const fs::path folder = fs::path(base->place().file).parent_path();
      if (!is_small(Scenario::load((folder / base->text()).string()).tree())) return Verdict::large;
    }
  const Experiment experiment = Experiment::read(scenario, kinds());
  const ConfigNode resolved = experiment.resolved();
  const Experiment again =
      Experiment::read(Scenario::parse(resolved.to_yaml(), "resolved"), kinds());
  require_equal(resolved, again.resolved());
  return Verdict::planned;
}

Verdict take_job(const Scenario& scenario) {
  const Job job = Job::read(scenario, kinds());
  const ConfigNode resolved = job.resolved();
  const Job again = Job::read(Scenario::parse(resolved.to_yaml(), "resolved"), kinds());
  require_equal(resolved, again.resolved());
  if (!is_small(resolved)) return Verdict::large;
  const Plan plan = Plan::make(job, Plan::Check::always);
  measure(*plan.topology);
  return Verdict::planned;
}

}  // namespace

JobInput JobInput::parse(std::string_view bytes) {
  JobInput input;
  std::string* text = &input.job;
  while (!bytes.empty()) {
    const std::string_view line = bytes.substr(0, bytes.find('\n') + 1);
    const std::string_view all = line.empty() ? bytes : line;
    bytes.remove_prefix(all.size());
    const bool marked = !line.empty() && line.substr(0, part_mark.size()) == part_mark;
    const std::string_view name =
        marked ? line.substr(part_mark.size(), line.size() - part_mark.size() - 1) : "";
    if (is_part_name(name)) {
      input.parts.emplace_back(std::string(name), "");
      text = &input.parts.back().second;
    } else {
      *text += all;
    }
  }
  return input;
}

std::string JobInput::text() const {
  std::string text = job;
  for (const auto& [name, content] : parts) {
    if (!text.empty() && text.back() != '\n') text += '\n';
    text += std::string(part_mark) + name + "\n" + content;
  }
  return text;
}

Verdict take(const JobInput& input) {
  const test::ScratchFolder folder;
  try {
    const Scenario scenario = load(input, write_to(folder, input));
    return scenario.tree().find("experiment") ? take_experiment(scenario) : take_job(scenario);
  } catch (const ConfigError&) {
    return Verdict::rejected;
  }
}

}  // namespace flitwave::fuzz_reader
