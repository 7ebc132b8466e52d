// testbenches/sweep.cpp: see sweep.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/sweep.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "flitwave/configs/random.hpp"
#include "flitwave/configs/schema.hpp"

namespace flitwave {

namespace {

struct SampleParams {
  int nodes = 0;
};

/// One key of a sweep.
struct Dimension {
  std::string path;
  std::vector<ConfigNode> values;  ///< Empty for a sample.
  int sample = 0;
  ConfigNode written;
};

void refuse_twins(const Dimension& dimension) {
  for (std::size_t i = 0; i < dimension.values.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (dimension.values[i] == dimension.values[j])
        throw dimension.values[i].error("the value stands in the list already", "remove one");
}

Dimension read_dimension(const std::string& path, const ConfigNode& node) {
  Dimension dimension{path, {}, 0, node};
  if (node.is_map()) {
    dimension.sample = Schema<SampleParams>{}
                           .required("sample_nodes", &SampleParams::nodes,
                                     "how many nodes of the topology to draw", at_least(1))
                           .parse(node)
                           .nodes;
    return dimension;
  }
  if (!node.is_list() || node.items().empty())
    throw node.error("a swept setting is a list of values",
                     "write e.g. `operation.message: [32 B, 64 B]` or "
                     "`operation.root: {sample_nodes: 16}`");
  dimension.values = node.items();
  refuse_twins(dimension);
  return dimension;
}

std::vector<Dimension> read_dimensions(const ConfigNode& sweep) {
  if (!sweep.is_map() || sweep.entries().empty())
    throw sweep.error("a sweep is a map from settings to lists of values",
                      "write e.g. `sweep: {operation.message: [32 B, 64 B]}`");
  std::vector<Dimension> dimensions;
  for (const auto& [path, node] : sweep.entries()) {
    for (const Dimension& before : dimensions) {
      if (covers(path, before.path))
        throw node.error(fmt::format("it would undo `{}`, which stands before it", before.path),
                         "put the larger part of the job first, or sweep one of them");
      if (before.sample > 0 && covers("topology", path))
        throw node.error(
            fmt::format("`{}` draws nodes of the topology, so that comes first", before.path),
            fmt::format("put it before `{}`", before.path));
    }
    dimensions.push_back(read_dimension(path, node));
  }
  return dimensions;
}

/// A node as a job names it.
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
      chosen_.push_back({dimension.path, value});
      descend(depth + 1, last ? job : Scenario(job.tree().with(dimension.path, value)));
      chosen_.pop_back();
    }
  }

  std::vector<ConfigNode> sample(const Dimension& dimension, const Scenario& job) const {
    const ConfigNode* section = job.tree().find("topology");
    if (!section)
      throw dimension.written.error("nodes are drawn of a topology, and the base has none",
                                    "add a section `topology` to the base");
    const Topology topology = topologies_.bind(*section).build();
    if (dimension.sample > topology.nodes())
      throw dimension.written.error(
          fmt::format("{} different nodes of {}", dimension.sample, topology.nodes()),
          fmt::format("draw {} or fewer", topology.nodes()));
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
