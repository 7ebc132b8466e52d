// testbenches/fuzz_jobs/job_draw.cpp: see job_draw.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/fuzz_jobs/job_draw.hpp"

#include <algorithm>
#include <fstream>

#include "flitwave/configs/error.hpp"
#include "flitwave/testbenches/fuzz_jobs/job_repair.hpp"
#include "flitwave/testbenches/plan.hpp"
#include "flitwave/topologies/topology.hpp"

namespace flitwave::fuzz_jobs {

namespace {

constexpr int most_nodes = 36;
constexpr int section_percent = 28;
constexpr int list_percent = 60;  // of lists at the top: observers
constexpr const char* longest_run = "6000 cycle";
constexpr int operation_percent = 35;  // at the least, of jobs with a collective
constexpr int second_load_percent = 45;

void write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw SystemFailure("cannot write " + path);
}

/// The nodes and channels of a job's network; none when its section is wrong.
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
  } catch (const ConfigError&) {
    return {};
  }
  return network;
}

/// Draws the sections of jobs.
class Drafter {
 public:
  Drafter(const JobKinds& kinds, const Catalog& catalog, const std::vector<Item>& pins,
          Random& random)
      : kinds_(kinds), catalog_(catalog), pins_(pins), values_(kinds, pins_, random) {}

  /// `likes`: pinned in this draw only.
  ConfigNode draw(const std::vector<Item>& likes) {
    const std::vector<Item> pins = pins_;
    pins_.insert(pins_.end(), likes.begin(), likes.end());
    ConfigNode job = draw_sections();
    pins_ = pins;
    return job;
  }

  ConfigNode repair(const ConfigNode& job, const Refusal& refusal) {
    ConfigNode changed = repaired(job, refusal, kinds_, pins_, values_);
    const ConfigNode* before = job.find("topology");
    const ConfigNode* after = changed.find("topology");
    if (!after || !before || *before != *after) fit_network(changed);
    return with_end(changed);
  }

  /// Beside more load than the network carries a collective may take for ever.
  static ConfigNode with_end(const ConfigNode& job) {
    const ConfigNode* stop = job.find("stop");
    const ConfigNode* evaluation = job.find("evaluation");
    if (evaluation && evaluation->text() == "untimed") return job;  // and there is no clock
    if (job.find_path("stop.limit") || (stop && !stop->is_map())) return job;
    return job.with("stop.limit", ConfigNode::scalar(longest_run));
  }

  /// From now on nothing is pinned.
  void unpin() { pins_.clear(); }
  const std::vector<JobFile>& files() const { return values_.files(); }
  ValueDraw& values() { return values_; }

 private:
  ConfigNode draw_sections() {
    ConfigNode job = ConfigNode::map({{"scenario", ConfigNode::scalar("fuzz")}});
    const Json& schema = kinds_.schema();
    redraw_topology(job);
    const std::vector<std::string> loads = draw_loads(schema["anyOf"]);
    for (const auto& [key, section] : schema["properties"].items()) {
      if (key == "topology") continue;
      const bool is_load = std::find(loads.begin(), loads.end(), key) != loads.end();
      const int percent = section.value("type", "") == "array" ? list_percent : section_percent;
      if (!is_load && !values_.is_pinned(key) && (is_some_load(key) || !values_.chance(percent)))
        continue;
      if (key != "scenario" || values_.chance(5)) job = job.with(key, values_.draw(section, key));
    }
    return with_end(job);
  }

  void redraw_topology(ConfigNode& job) {
    job = job.with("topology", values_.draw(kinds_.schema()["properties"]["topology"], "topology"));
    fit_network(job);
  }

  /// Networks are small.
  void fit_network(ConfigNode& job) {
    for (int tries = 0; tries < 50; ++tries) {
      DrawnNetwork network;
      if (job.find("topology") && size_of(job) <= most_nodes) network = network_of(job, catalog_);
      if (network.nodes() > 1 && network.nodes() <= most_nodes) {
        values_.set_network(std::move(network));
        return;
      }
      job =
          job.with("topology", values_.draw(kinds_.schema()["properties"]["topology"], "topology"));
    }
  }

  /// A bound of the nodes that a topology is asked for: the product of its numbers.
  static double size_of(const ConfigNode& job) {
    double size = 1;
    const ConfigNode& topology = job.at("topology");
    const ConfigNode* shape = topology.find("shape");
    for (const ConfigNode& extent : shape ? shape->items() : std::vector<ConfigNode>())
      size *= std::atof(extent.text().c_str());
    return size;
  }

  std::vector<std::string> draw_loads(const Json& choices) {
    for (const Json& choice : choices) loads_.push_back(choice["required"][0].get<std::string>());
    std::vector<std::string> loads{values_.pick(loads_)};
    if (values_.chance(operation_percent)) loads = {loads_.front()};
    for (const std::string& load : loads_)
      if (values_.is_pinned(load)) loads = {load};
    if (values_.chance(second_load_percent)) loads.push_back(values_.pick(loads_));
    return loads;
  }
  bool is_some_load(const std::string& key) const {
    return std::find(loads_.begin(), loads_.end(), key) != loads_.end();
  }

  const JobKinds& kinds_;
  const Catalog& catalog_;
  std::vector<Item> pins_;
  ValueDraw values_;
  std::vector<std::string> loads_;  ///< Sections of which a job needs one.
};

bool names_any(const std::string& text, const std::vector<Item>& items) {
  return std::any_of(items.begin(), items.end(), [&text](const Item& item) {
    return text.find(item.value.empty() ? item.path : item.value) != std::string::npos;
  });
}

}  // namespace

void DrawnJob::write(const std::string& folder, const std::string& name,
                     const std::string& comment) const {
  for (const JobFile& file : files) write_text(folder + "/" + file.name, file.text);
  write_text(folder + "/" + name + ".yaml", comment + tree.to_yaml());
}

Scenario DrawnJob::scenario(const std::string& folder, const std::string& name) const {
  return Scenario::parse(tree.to_yaml(), folder + "/" + name + ".yaml");
}

Refusal refusal_of(const Scenario& scenario, const Catalog& catalog) try {
  const Job job = Job::read(scenario, catalog);
  Plan::make(job, Plan::Check::always);
  return {};
} catch (const ConfigError& error) {
  const std::string remedy = error.remedy().empty() ? "" : "; " + error.remedy();
  return {error.key(), error.key() + ": " + error.problem() + remedy};
}

Draft draw_job(const JobKinds& kinds, const Catalog& catalog, const DrawParams& params,
               const std::string& folder) {
  Random random(params.seed, "job", static_cast<std::uint64_t>(params.number));
  Drafter drafter(kinds, catalog, params.pins, random);
  Draft draft;
  draft.job.tree = drafter.draw(params.likes);
  bool pinned = !params.pins.empty();
  for (int repair = 0;; ++repair) {
    draft.job.files = drafter.files();
    draft.job.write(folder);
    draft.refusal = refusal_of(draft.job.scenario(folder), catalog);
    if (draft.refusal.text.empty()) {
      draft.as_drawn = repair == 0;
      draft.with_pins = pinned;
      return draft;
    }
    if (pinned && (draft.pins_refusal.empty() || names_any(draft.refusal.text, params.pins)))
      draft.pins_refusal = draft.refusal.text;
    if (repair == params.repairs * (pinned ? 2 : 1)) {
      if (!pinned) return draft;
      drafter.unpin();
      pinned = false;
      repair = 0;
    }
    draft.job.tree = drafter.repair(draft.job.tree, draft.refusal);
  }
}

}  // namespace flitwave::fuzz_jobs
