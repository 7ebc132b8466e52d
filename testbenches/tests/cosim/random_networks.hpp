// testbenches/tests/cosim/random_networks.hpp: random networks with routers in Verilog.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "configs/random.hpp"
#include "configs/scenario.hpp"
#include "routers/verilated/router_design.hpp"

namespace flitwave::test {

/// The designs of the wormhole router of this tree, which equals the one in C++ in each cycle.
/// Sorted by name.
std::vector<const RouterDesign*> wormhole_designs();

/// The section `router` of the router in C++ that equals a design, in braces.
std::string equal_router(const RouterDesign& design);

/// A network with routers in Verilog, and the same network with routers in C++ only.
struct RandomNetwork {
  std::map<std::string, std::string> values;  ///< The random values, by setting.
  Scenario rtl;
  Scenario model;  ///< Batched, built forward, reset for one edge.

  /// "adapter pins, load 0.3, ..."
  std::string text() const;
};

/// Draws networks, each value of each setting about equally often.
class RandomNetworks {
 public:
  explicit RandomNetworks(std::uint64_t seed);

  RandomNetwork next();

  std::int64_t drawn() const { return drawn_; }
  /// How often the rarest value was sampled; 0 if some value never was.
  std::int64_t least() const;
  /// A line for each value, then lines for each two settings with all their pairs of values.
  std::string table() const;

 private:
  using Values = std::vector<std::string>;
  using Settings = std::map<std::string, std::string>;

  /// One of the permitted values, at random among those drawn least often for their weights.
  std::string draw(const std::string& setting, const Values& permitted);
  Values models_of(const std::string& network, const std::string& load) const;
  std::string topology(const std::string& network);
  std::string slots(const std::string& kind, const std::string& topology);
  std::string load(const Settings& values, int nodes, bool torus);
  void count();
  int number(int least, int greatest);

  std::vector<const RouterDesign*> designs_;
  Random random_;
  std::int64_t drawn_ = 0;
  std::map<std::string, Values> all_;                                    // by setting
  std::map<std::pair<std::string, std::string>, std::int64_t> weights_;  // 1 where absent
  std::map<std::pair<std::string, std::string>, std::int64_t> counts_;
  std::vector<Settings> history_;
  Settings values_;
  std::vector<int> shape_;
};

}  // namespace flitwave::test
