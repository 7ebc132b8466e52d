// testbenches/fuzz_jobs/job_draw.cpp: see job_draw.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/fuzz_jobs/job_draw.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "flitwave/configs/error.hpp"
#include "flitwave/testbenches/fuzz_jobs/job_repair.hpp"
#include "flitwave/testbenches/plan.hpp"
#include "flitwave/topologies/topology.hpp"

namespace flitwave::fuzz_jobs {

namespace {

constexpr int most_nodes = 36;
constexpr int section_percent = 28;
constexpr int wave_percent = 45;  // many are dropped by repairs
constexpr int list_percent = 60;  // of lists at the top: observers
constexpr const char* longest_run = "6000 cycle";
constexpr int operation_percent = 35;  // at the least, of jobs with a collective
constexpr int second_load_percent = 45;
constexpr int searches_with_pins = 3;

void write_text(const std::string& path, const std::string& text) {
  std::filesystem::remove(path);  // one that is overwritten is flushed to the disk each time
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

  /// Another job with what is pinned: the sections in which that is are drawn anew.
  ConfigNode draw_from(const DrawnJob& base) {
    values_.set_files(base.files);
    ConfigNode job = base.tree;
    if (values_.is_pinned("topology"))
      redraw_topology(job);
    else
      values_.set_network(network_of(job, catalog_));
    for (const auto& [key, section] : kinds_.schema()["properties"].items())
      if (key != "topology" && values_.is_pinned(key))
        job = job.with(key, values_.draw(section, key));
    return with_end(job);
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

  bool names_pin(const std::string& text) const {
    return std::any_of(pins_.begin(), pins_.end(), [&text](const Item& pin) {
      return text.find(pin.value.empty() ? pin.path : pin.value) != std::string::npos;
    });
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
      const int percent = section.value("type", "") == "array" ? list_percent
                          : key == "wave"                      ? wave_percent
                                                               : section_percent;
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

}  // namespace

void DrawnJob::write(const std::string& folder, const std::string& name,
                     const std::string& comment) const {
  const std::string job = tree.to_yaml();
  for (const JobFile& file : files)
    if (job.find(file.name) != std::string::npos) write_text(folder + "/" + file.name, file.text);
  write_text(folder + "/" + name + ".yaml", comment + job);
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

namespace {

/// Returns: whether the job, or what repairs make of it, is accepted. `draft` has the last version.
bool search(ConfigNode job, int repairs, Drafter& drafter, const Catalog& catalog,
            const std::string& folder, Draft& draft) {
  for (int repair = 0;; ++repair) {
    draft.job = {std::move(job), drafter.files()};
    draft.job.write(folder);
    draft.refusal = refusal_of(draft.job.scenario(folder), catalog);
    const std::string& text = draft.refusal.text;
    draft.as_drawn = text.empty() && repair == 0 && draft.searches <= 1;
    if (text.empty()) return true;
    if (draft.pins_refusal.empty() || drafter.names_pin(text)) draft.pins_refusal = text;
    if (repair == repairs) return false;
    job = drafter.repair(draft.job.tree, draft.refusal);
  }
}

}  // namespace

Draft draw_job(const JobKinds& kinds, const Catalog& catalog, const DrawParams& params,
               const std::string& folder) {
  Random random(params.seed, "job", static_cast<std::uint64_t>(params.number));
  Drafter drafter(kinds, catalog, params.pins, random);
  Draft draft;
  if (params.pins.empty()) {
    search(drafter.draw(params.likes), params.repairs, drafter, catalog, folder, draft);
    return draft;
  }
  while (draft.searches < searches_with_pins) {
    const auto place = static_cast<std::size_t>(draft.searches++);
    const bool from_base = place > 0 && place <= params.bases.size();
    const ConfigNode first =
        from_base ? drafter.draw_from(params.bases[place - 1]) : drafter.draw(params.likes);
    draft.with_pins = search(first, 2 * params.repairs, drafter, catalog, folder, draft);
    if (draft.with_pins) return draft;
  }
  drafter.unpin();
  search(draft.job.tree, params.repairs, drafter, catalog, folder, draft);
  return draft;
}

}  // namespace flitwave::fuzz_jobs
