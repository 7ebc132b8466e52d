// testbenches/fuzz_jobs/job_drafter.cpp: see job_drafter.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/fuzz_jobs/job_drafter.hpp"

#include <algorithm>
#include <cstdlib>

#include "configs/error.hpp"
#include "testbenches/fuzz_jobs/job_repair.hpp"
#include "topologies/topology.hpp"

namespace flitwave::fuzz_jobs {

namespace {

constexpr int most_nodes = 36;
constexpr int section_percent = 28;
constexpr int wave_percent = 80;  // many are dropped by repairs
constexpr int list_percent = 60;  // of lists at the top level: observers
constexpr const char* longest_run = "6000 cycle";
constexpr int operation_percent = 35;  // at least, of jobs with a collective
constexpr int second_load_percent = 45;

/// The nodes and channels of a job's network; none when its section is invalid.
DrawnNetwork network_of(const ConfigNode& job, const Catalog& catalog) {
  DrawnNetwork network;
  try {
    const Topology topology = catalog.topologies.bind(job.at("topology")).build();
    for (int node = 0; node < topology.nodes(); ++node)
      network.labels.push_back(topology.label(NodeId(node)));
    for (int channel = 0; channel < topology.channels(); ++channel) {
      const ChannelEnds& ends = topology.channel(ChannelId(channel));
      network.links.emplace_back(ends.from.value(), ends.to.value());
    }
    const Grid* grid = topology.grid();
    if (grid && grid->dimensions() == 2 && !grid->wraps(0) && !grid->wraps(1))
      network.mesh = {grid->extent(1), grid->extent(0)};
  } catch (const ConfigError&) {
    return {};
  }
  return network;
}

/// A bound of the number of nodes: the product of the extents.
double size_of(const ConfigNode& job) {
  double size = 1;
  const ConfigNode& topology = job.at("topology");
  const ConfigNode* shape = topology.find("shape");
  for (const ConfigNode& extent : shape ? shape->items() : std::vector<ConfigNode>())
    size *= std::atof(extent.text().c_str());
  return size;
}

}  // namespace

ConfigNode with_end(const ConfigNode& job) {
  const ConfigNode* stop = job.find("stop");
  const ConfigNode* evaluation = job.find("evaluation");
  const ConfigNode* kind =
      evaluation && evaluation->is_map() ? evaluation->find("kind") : evaluation;
  if (kind && kind->text() != "timed") return job;  // and there is no clock
  if (job.find_path("stop.limit") || (stop && !stop->is_map())) return job;
  return job.with("stop.limit", ConfigNode::scalar(longest_run));
}

ConfigNode Drafter::draw(const std::vector<Item>& likes) {
  const std::vector<Item> pins = pins_;
  pins_.insert(pins_.end(), likes.begin(), likes.end());
  ConfigNode job = draw_sections();
  pins_ = pins;
  return job;
}

/// From now on, values are generated for this job's network and files.
void Drafter::begin_from(const DrawnJob& base) {
  values_.set_files(base.files);
  values_.set_network(network_of(base.tree, catalog_));
}

ConfigNode Drafter::draw_from(const DrawnJob& base) {
  begin_from(base);
  ConfigNode job = base.tree;
  if (values_.is_pinned("topology")) redraw_topology(job);
  for (const auto& [key, section] : kinds_.schema()["properties"].items())
    if (key != "topology" && values_.is_pinned(key))
      job = job.with(key, values_.draw(section, key));
  return with_end(job);
}

ConfigNode Drafter::vary(const DrawnJob& base) {
  begin_from(base);
  ConfigNode job =
      base.tree.with("seed", ConfigNode::scalar(std::to_string(values_.below(1'000'000))));
  const Json& sections = kinds_.schema()["properties"];
  const std::string& key = values_.pick(job.entries()).first;
  if (key == "scenario" || key == "seed" || !sections.contains(key) || values_.is_pinned(key))
    return job;
  if (key == "topology")
    redraw_topology(job);
  else
    job = job.with(key, values_.draw(sections[key], key));
  return with_end(job);
}

ConfigNode Drafter::with_more(const DrawnJob& base, const Item& item) {
  begin_from(base);
  ConfigNode job = with_item(base.tree, item, kinds_, pins_, values_);
  if (item.path == "topology") fit_network(job);
  return with_end(job);
}

ConfigNode Drafter::repair(const ConfigNode& job, const Refusal& refusal) {
  ConfigNode changed = repaired(job, refusal, kinds_, pins_, values_);
  const ConfigNode* before = job.find("topology");
  const ConfigNode* after = changed.find("topology");
  if (!after || !before || *before != *after) fit_network(changed);
  return with_end(changed);
}

ConfigNode Drafter::draw_sections() {
  ConfigNode job = ConfigNode::map({{"scenario", ConfigNode::scalar("fuzz")}});
  const Json& schema = kinds_.schema();
  redraw_topology(job);
  const std::vector<std::string> loads = draw_loads(schema["anyOf"]);
  for (const auto& [key, section] : schema["properties"].items()) {
    if (key == "topology") continue;
    const bool is_load = std::find(loads.begin(), loads.end(), key) != loads.end();
    const int percent = section.value("type", "") == "array" ? list_percent
                        : key == "wave"                      ? wave_percent
                                                             : section_percent;
    if (!is_load && !values_.is_pinned(key) && (is_some_load(key) || !values_.chance(percent)))
      continue;
    if (key != "scenario" || values_.chance(5)) job = job.with(key, values_.draw(section, key));
  }
  return with_end(job);
}

void Drafter::redraw_topology(ConfigNode& job) {
  job = job.with("topology", values_.draw(kinds_.schema()["properties"]["topology"], "topology"));
  fit_network(job);
}

/// Generates networks until one is small.
void Drafter::fit_network(ConfigNode& job) {
  for (int tries = 0; tries < 50; ++tries) {
    DrawnNetwork network;
    if (job.find("topology") && size_of(job) <= most_nodes) network = network_of(job, catalog_);
    if (network.nodes() > 1 && network.nodes() <= most_nodes) {
      values_.set_network(std::move(network));
      return;
    }
    job = job.with("topology", values_.draw(kinds_.schema()["properties"]["topology"], "topology"));
  }
}

std::vector<std::string> Drafter::draw_loads(const Json& choices) {
  loads_.clear();
  for (const Json& choice : choices) loads_.push_back(choice["required"][0].get<std::string>());
  std::vector<std::string> loads{values_.pick(loads_)};
  if (values_.chance(operation_percent)) loads = {loads_.front()};
  for (const std::string& load : loads_)
    if (values_.is_pinned(load)) loads = {load};
  if (values_.chance(second_load_percent)) loads.push_back(values_.pick(loads_));
  return loads;
}

bool Drafter::is_some_load(const std::string& key) const {
  return std::find(loads_.begin(), loads_.end(), key) != loads_.end();
}

}  // namespace flitwave::fuzz_jobs
