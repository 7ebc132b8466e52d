// testbenches/experiments/findings/sweep.cpp: see sweep.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/findings/sweep.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "configs/random.hpp"
#include "configs/schema.hpp"

namespace flitwave {

namespace {

struct SampleParams {
  int nodes = 0;
};

const std::string together = "together";

/// One key of a sweep.
struct Dimension {
  std::string path;                ///< Or `together`.
  std::vector<ConfigNode> values;  ///< Empty for a sample.
  int sample = 0;
  ConfigNode written;
};

void reject_twins(const Dimension& dimension) {
  for (std::size_t i = 0; i < dimension.values.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (dimension.values[i] == dimension.values[j])
        throw dimension.values[i].error("the value is already in the list", "remove one");
}

Dimension read_dimension(const std::string& path, const ConfigNode& node) {
  Dimension dimension{path, {}, 0, node};
  if (node.is_map()) {
    dimension.sample = Schema<SampleParams>{}
                           .required("sample_nodes", &SampleParams::nodes,
                                     "number of random nodes of the topology", at_least(1))
                           .parse(node)
                           .nodes;
    return dimension;
  }
  if (!node.is_list() || node.items().empty())
    throw node.error("a swept setting is a list of values",
                     "write e.g. `operation.message: [32 B, 64 B]` or "
                     "`operation.root: {sample_nodes: 16}`");
  dimension.values = node.items();
  reject_twins(dimension);
  return dimension;
}

/// The settings of one value of a dimension.
Settings settings_of(const Dimension& dimension, const ConfigNode& value) {
  if (dimension.path != together) return {{dimension.path, value}};
  Settings settings;
  for (const auto& [path, part] : value.entries()) settings.push_back({path, part});
  return settings;
}

Settings paths_of(const ConfigNode& values) {
  Settings paths;
  if (values.is_list() && !values.items().empty() && values.items().front().is_map())
    for (const auto& [path, value] : values.items().front().entries())
      paths.push_back({path, value});
  return paths;
}

/// All maps of `together` set the same settings.
void check_together(const ConfigNode& values) {
  const Settings first = paths_of(values);
  if (values.is_map())
    throw values.error("settings that change together must be a list of maps",
                       "write `together: [{...}]`");
  for (const ConfigNode& value : values.items()) {
    bool same = value.is_map() && value.entries().size() == first.size();
    for (std::size_t i = 0; same && i < first.size(); ++i)
      same = value.entries()[i].first == first[i].path;
    for (std::size_t i = 0; same && i < first.size(); ++i)
      if (value.entries()[i].second.is_map() && value.entries()[i].second.find("sample_nodes"))
        throw value.error("random nodes need a list of their own",
                          "sweep " + first[i].path + " outside `together`");
    if (!same || first.empty())
      throw value.error(
          "settings that change together must be maps of the same settings in one order",
          "write e.g. `together: [{clock.period: 1 ns, node.send_overhead: 5 us}, "
          "{clock.period: 2 ns, node.send_overhead: 3 us}]`");
  }
}

/// No setting overwrites an earlier one, or the topology whose nodes were sampled.
void check_order(const ConfigNode& sweep) {
  const Settings paths = swept_settings(sweep);
  for (std::size_t i = 0; i < paths.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const std::string& before = paths[j].path;
      if (covers(paths[i].path, before))
        throw paths[i].value.error(
            fmt::format("it would overwrite `{}`, which precedes it", before),
            "put the larger part of the job first, or sweep one of them");
      if (paths[j].value.is_map() && paths[j].value.find("sample_nodes") &&
          covers("topology", paths[i].path))
        throw paths[i].value.error(
            fmt::format("`{}` samples nodes of the topology, so the topology must come first",
                        before),
            fmt::format("put it before `{}`", before));
    }
}

std::vector<Dimension> read_dimensions(const ConfigNode& sweep) {
  if (!sweep.is_map() || sweep.entries().empty())
    throw sweep.error("a sweep is a map from settings to lists of values",
                      "write e.g. `sweep: {operation.message: [32 B, 64 B]}`");
  std::vector<Dimension> dimensions;
  for (const auto& [path, node] : sweep.entries()) {
    if (path == together) check_together(node);
    dimensions.push_back(read_dimension(path, node));
  }
  check_order(sweep);
  return dimensions;
}

/// A node as named in a job.
ConfigNode name_of(NodeId node, const Topology& topology) {
  const auto number = [](int value) { return ConfigNode::scalar(std::to_string(value)); };
  if (!topology.grid()) {
    const std::string label = topology.label(node);
    const bool digits = label.find_first_not_of("0123456789") == std::string::npos;
    return digits ? number(node.value()) : ConfigNode::scalar(label);
  }
  std::vector<ConfigNode> point;
  for (int coordinate : topology.grid()->coordinates(node)) point.push_back(number(coordinate));
  return ConfigNode::list(std::move(point));
}

class Expansion {
 public:
  Expansion(std::vector<Dimension> dimensions, std::uint64_t seed, const Topologies& topologies)
      : dimensions_(std::move(dimensions)), seed_(seed), topologies_(topologies) {}

  std::vector<Settings> points(const Scenario& base) {
    descend(0, base);
    return std::move(points_);
  }

 private:
  void descend(std::size_t depth, const Scenario& job) {
    if (depth == dimensions_.size()) {
      if (points_.size() == most_points)
        throw dimensions_.front().written.error(
            fmt::format("the sweep has more than {} points", most_points),
            "divide it among several experiments");
      points_.push_back(chosen_);
      return;
    }
    const Dimension& dimension = dimensions_[depth];
    const bool last = depth + 1 == dimensions_.size();
    for (const ConfigNode& value :
         dimension.sample > 0 ? sample(dimension, job) : dimension.values) {
      const Settings settings = settings_of(dimension, value);
      chosen_.insert(chosen_.end(), settings.begin(), settings.end());
      descend(depth + 1, last ? job : with_settings(job, settings));
      chosen_.resize(chosen_.size() - settings.size());
    }
  }

  std::vector<ConfigNode> sample(const Dimension& dimension, const Scenario& job) const {
    const ConfigNode* section = job.tree().find("topology");
    if (!section)
      throw dimension.written.error("random nodes need a topology; the base has none",
                                    "add a section `topology` to the base");
    const Topology topology = topologies_.bind(*section).build();
    if (dimension.sample > topology.nodes())
      throw dimension.written.error(
          fmt::format("{} different nodes of {}", dimension.sample, topology.nodes()),
          fmt::format("sample {} or fewer", topology.nodes()));
    Random random(seed_, "sample_nodes " + dimension.path);
    std::vector<int> drawn = random.sample(topology.nodes(), dimension.sample);
    std::sort(drawn.begin(), drawn.end());
    std::vector<ConfigNode> nodes;
    for (int node : drawn) nodes.push_back(name_of(NodeId(node), topology));
    return nodes;
  }

  std::vector<Dimension> dimensions_;
  std::uint64_t seed_;
  const Topologies& topologies_;
  Settings chosen_;
  std::vector<Settings> points_;
};

void add_leaves(const std::string& path, const ConfigNode& value, Settings& found) {
  if (!value.is_map() || value.entries().empty()) {
    found.push_back({path, value});
    return;
  }
  for (const auto& [key, node] : value.entries()) add_leaves(path + "." + key, node, found);
}

}  // namespace

Settings swept_settings(const ConfigNode& sweep) {
  Settings all;
  for (const auto& [path, value] : sweep.entries()) {
    const Settings paths = path == together ? paths_of(value) : Settings{{path, value}};
    all.insert(all.end(), paths.begin(), paths.end());
  }
  return all;
}

std::vector<Settings> expand_sweep(const ConfigNode& sweep, const Scenario& base,
                                   std::uint64_t seed, const Topologies& topologies) {
  return Expansion(read_dimensions(sweep), seed, topologies).points(base);
}

Scenario with_settings(Scenario job, const Settings& settings) {
  for (const Setting& setting : settings)
    job = Scenario(job.tree().with(setting.path, setting.value));
  return job;
}

Settings leaves(const Settings& settings) {
  Settings found;
  for (const Setting& setting : settings) add_leaves(setting.path, setting.value, found);
  return found;
}

Settings read_settings(const ConfigNode& node) {
  if (!node.is_map())
    throw node.error("expected a map from settings to values",
                     "write e.g. `{algorithm.kind: edn, operation.message: 2 KiB}`");
  Settings settings;
  for (const auto& [path, value] : node.entries()) settings.push_back({path, value});
  return leaves(settings);
}

std::string settings_text(const Settings& settings) {
  std::string text;
  for (const Setting& leaf : leaves(settings))
    text += (text.empty() ? "" : ", ") + leaf.path + ": " + Codec<ConfigNode>::print(leaf.value);
  return text;
}

bool covers(const std::string& upper, const std::string& lower) {
  if (lower.compare(0, upper.size(), upper) != 0) return false;
  return lower.size() == upper.size() || lower[upper.size()] == '.' || lower[upper.size()] == '[';
}

}  // namespace flitwave
