// testbenches/tests/cosim/random_networks.cpp: see random_networks.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tests/cosim/random_networks.hpp"

#include <algorithm>
#include <regex>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace flitwave::test {

namespace {

constexpr int edn_ports = 3;  // local ports that EDN needs on a mesh

const std::vector<std::string> collectives{"edn", "complete_exchange", "multicasts"};

bool is_collective(const std::string& load) {
  return std::find(collectives.begin(), collectives.end(), load) != collectives.end();
}

bool is_pipelined(const RouterDesign& design) {
  return design.name.find("_pipelined") != std::string::npos;
}

bool is_torus(const std::string& network) { return network.find("torus") != std::string::npos; }

}  // namespace

std::vector<const RouterDesign*> wormhole_designs() {
  const std::regex ours(
      "wormhole(_ready_valid)?(_pipelined)?_[0-9]+vc(_torus)?(_three_ports|_[0-9]+slots)?");
  std::vector<const RouterDesign*> found;
  for (const std::string& name : RouterDesigns::names())
    if (std::regex_match(name, ours)) found.push_back(RouterDesigns::find(name));
  return found;
}

std::string equal_router(const RouterDesign& design) {
  return fmt::format("{{kind: wormhole, preset: {}}}",
                     is_pipelined(design) ? "pipelined" : "single_cycle");
}

std::string RandomNetwork::text() const {
  std::vector<std::string> parts;
  for (const auto& [setting, value] : values) parts.push_back(setting + " " + value);
  return fmt::format("{}", fmt::join(parts, ", "));
}

RandomNetworks::RandomNetworks(std::uint64_t seed)
    : designs_(wormhole_designs()), random_(seed, "cosim") {
  std::int64_t tori = 0;
  for (const RouterDesign* design : designs_) {
    all_["model"].push_back(design->name);
    tori += design->torus ? 1 : 0;
  }
  const std::int64_t meshes = static_cast<std::int64_t>(designs_.size()) - tori;
  all_["network"] = {"mesh_8x8", "mesh_small", "torus_4x4", "torus_small"};
  for (const std::string& network : all_["network"])
    weights_[{"network", network}] = is_torus(network) ? std::max(tori, meshes / 3) : meshes;
  all_["adapter"] = {"evaluated", "pins"};
  all_["scheduling"] = {"batched", "per_module", "audit"};
  all_["build_order"] = {"forward", "reversed"};
  all_["slots"] = {"one", "some", "checkerboard", "all"};
  all_["load"] = {"0.05", "0.15", "0.3", "0.5", "0.9"};
  all_["load"].insert(all_["load"].end(), collectives.begin(), collectives.end());
  all_["packet"] = {"1", "2", "5", "12"};
  all_["latency"] = {"1", "2"};
  all_["gated"] = {"false", "true"};
  all_["reset"] = {"1", "8"};
}

int RandomNetworks::number(int least, int greatest) {
  return least + static_cast<int>(random_.below(static_cast<std::uint64_t>(greatest - least) + 1));
}

std::string RandomNetworks::draw(const std::string& setting, const Values& permitted) {
  Values rarest;
  const auto is_rarer = [&](const std::string& a, const std::string& b) {
    const auto share = [&](const std::string& value) {
      const auto weight = weights_.find({setting, value});
      return static_cast<double>(counts_[{setting, value}]) /
             static_cast<double>(weight == weights_.end() ? 1 : weight->second);
    };
    return share(a) < share(b);
  };
  for (const std::string& value : permitted) {
    if (!rarest.empty() && is_rarer(value, rarest.front())) rarest.clear();
    if (rarest.empty() || !is_rarer(rarest.front(), value)) rarest.push_back(value);
  }
  const std::string value =
      rarest[static_cast<std::size_t>(number(0, static_cast<int>(rarest.size()) - 1))];
  ++counts_[{setting, value}];
  return values_[setting] = value;
}

/// EDN sends by several ports at once.
RandomNetworks::Values RandomNetworks::models_of(const std::string& network,
                                                 const std::string& load) const {
  Values models;
  for (const RouterDesign* design : designs_)
    if (design->torus == is_torus(network) && (load != "edn" || design->local_ports >= edn_ports))
      models.push_back(design->name);
  return models;
}

std::string RandomNetworks::topology(const std::string& network) {
  if (network == "mesh_8x8")
    shape_ = {8, 8};
  else if (network == "torus_4x4")
    shape_ = {4, 4};
  else
    shape_ = {number(2, 5), number(2, 5)};
  return fmt::format("{{kind: {}, shape: [{}]}}", is_torus(network) ? "torus" : "mesh",
                     fmt::join(shape_, ", "));
}

/// Nodes with routers in Verilog; empty: all.
std::string RandomNetworks::slots(const std::string& kind, const std::string& verilated) {
  std::vector<std::string> nodes;
  const int one = number(0, shape_[0] * shape_[1] - 1);
  for (int y = 0; y < shape_[1]; ++y)
    for (int x = 0; x < shape_[0]; ++x) {
      const bool is_one = y * shape_[0] + x == one;
      if (is_one || (kind == "some" && number(0, 2) == 0) ||
          (kind == "checkerboard" && (x + y) % 2 == 0))
        nodes.push_back(fmt::format("[{}, {}]", x, y));
    }
  return fmt::format("at: [{{nodes: [{}], {}}}]", fmt::join(nodes, ", "), verilated);
}

std::string RandomNetworks::load(const Settings& values, int nodes, bool torus) {
  const std::string& load = values.at("load");
  const int flits = std::stoi(values.at("packet"));
  // A tornado moves nothing along two nodes.
  const bool has_tornado = *std::max_element(shape_.begin(), shape_.end()) > 2;
  if (!is_collective(load)) {
    const char* pattern = has_tornado && number(0, 3) == 0 ? "tornado" : "uniform";
    return fmt::format(
        "traffic: {{pattern: {}, rate: {} flit/node/cycle, packet: {} flit, warmup: 50 cycle, "
        "measure: 250 cycle}}\n",
        pattern, load, flits);
  }
  const int bytes = 8 * flits;  // of a message that is one packet
  if (load == "edn")
    return fmt::format(
        "operation: {{kind: broadcast, root: {}, message: {} B}}\nalgorithm: {{kind: edn}}\n",
        number(0, nodes - 1), bytes);
  if (load == "complete_exchange")
    return fmt::format(
        "operation: {{kind: complete_exchange, message: {} B}}\nalgorithm: {{kind: pairwise}}\n",
        bytes);
  return fmt::format(
      "operation: {{kind: multicasts, count: {}, placement: distinct, destinations: {}, message: "
      "{} B}}\nalgorithm: {{kind: {}}}\n",
      std::min(nodes, 6), std::min(nodes - 1, 7), bytes, torus ? "u_torus" : "recursive_doubling");
}

RandomNetwork RandomNetworks::next() {
  values_.clear();
  const std::string network = draw("network", all_["network"]);
  Values loads = all_["load"];
  loads.erase(std::remove_if(loads.begin(), loads.end(),
                             [&](const auto& load) { return models_of(network, load).empty(); }),
              loads.end());
  const std::string load_kind = draw("load", loads);
  const RouterDesign& design = *RouterDesigns::find(draw("model", models_of(network, load_kind)));
  for (const auto& [setting, values] : all_)
    if (values_.find(setting) == values_.end()) draw(setting, values);

  const std::string grid = topology(network);
  const std::string verilated = fmt::format("kind: verilated, model: {}, adapter: {}, gated: {}",
                                            design.name, values_["adapter"], values_["gated"]);
  const std::string others = equal_router(design);
  const std::string router =
      values_["slots"] == "all"
          ? "{" + verilated + "}"
          : others.substr(0, others.size() - 1) + ", " + slots(values_["slots"], verilated) + "}";
  const Scenario model = Scenario::parse(fmt::format(
      "scenario: cosim_{}\nseed: {}\ntopology: {}\nrouter: {}\n"
      "channel: {{width: 8 B, latency: {} cycle, vcs: {}, buffer: {} flit, handshake: {}}}\n"
      "node: {{ports: {}, send_overhead: 5 cycle, receive_overhead: 5 cycle}}\n{}"
      "observe: [{{kind: latency, packets: true}}, {{kind: channel_load}}]\n"
      "stop: {{limit: 100000 cycle}}\n",
      drawn_, number(1, 1'000'000), grid, others, values_["latency"], design.vcs, design.depth,
      design.handshake == Handshake::credit ? "credit" : "ready_valid", design.local_ports,
      load(values_, shape_[0] * shape_[1], design.torus)));
  const Scenario rtl = model.with("router", router)
                           .with("clock.scheduling", values_["scheduling"])
                           .with("clock.reset", values_["reset"] + " cycle")
                           .with("build_order", values_["build_order"])
                           .with("init_seed", std::to_string(number(1, 1'000'000)));
  ++drawn_;
  history_.push_back(values_);
  return {values_, rtl, model};
}

std::int64_t RandomNetworks::least() const {
  std::int64_t least = drawn_;
  for (const auto& [setting, values] : all_)
    for (const std::string& value : values) {
      const auto found = counts_.find({setting, value});
      least = std::min(least, found == counts_.end() ? 0 : found->second);
    }
  return least;
}

std::string RandomNetworks::table() const {
  std::string text;
  for (const auto& [setting, values] : all_)
    for (const std::string& value : values) {
      const auto found = counts_.find({setting, value});
      text += fmt::format("{:<12}{:<34}{:>5}\n", setting, value,
                          found == counts_.end() ? 0 : found->second);
    }
  for (auto a = all_.begin(); a != all_.end(); ++a)
    for (auto b = std::next(a); b != all_.end(); ++b) {
      text += fmt::format("{} and {}:\n", a->first, b->first);
      for (const std::string& first : a->second) {
        text += "  " + first + ":";
        for (const std::string& second : b->second)
          text += fmt::format(
              " {} {},", second, std::count_if(history_.begin(), history_.end(), [&](auto& values) {
                return values.at(a->first) == first && values.at(b->first) == second;
              }));
        text.back() = '\n';
      }
    }
  return text;
}

}  // namespace flitwave::test
