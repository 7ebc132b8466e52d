// algorithms/collectives/greedy_multicast.cpp: Lan's greedy trees in a hypercube, by processors.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/algorithms/cube_multicast/cube_schedule.hpp"
#include "flitwave/algorithms/cube_multicast/greedy.hpp"
#include "flitwave/algorithms/demand_shape.hpp"
#include "flitwave/configs/error.hpp"

namespace flitwave {
namespace {

enum class Ties { lowest, highest, random };
std::vector<std::string> names_of(Ties) { return {"lowest", "highest", "random"}; }

/// Dimensions in order of preference, by node; as written.
struct TieScript {
  ConfigNode written;
};

struct GreedyMulticastParams {
  Ties ties = Ties::lowest;
  std::uint64_t seed = 1;
  TieScript script;
};

int node_of(const std::string& key, const ConfigNode& place, const Cube& cube) {
  for (int node = 0; node < cube.nodes(); ++node)
    if (key == std::to_string(node)) return node;
  throw place.error(detail::in_quotes(key) + " is no node of the cube",
                    "name it by its number, 0 to " + std::to_string(cube.nodes() - 1));
}

TieRule::Script script_of(const ConfigNode& written, const Cube& cube) {
  TieRule::Script script;
  for (const auto& [key, preferences] : written.entries()) {
    std::vector<int>& dimensions =
        script[static_cast<CubeAddress>(node_of(key, preferences, cube))];
    for (const ConfigNode& item : detail::read_list(preferences)) {
      dimensions.push_back(Codec<int>::read(item));
      if (dimensions.back() < 0 || dimensions.back() >= cube.dimensions())
        throw item.error("the cube has no dimension " + std::to_string(dimensions.back()),
                         "dimensions are 0 to " + std::to_string(cube.dimensions() - 1));
    }
  }
  return script;
}

TieRule rule_of(const GreedyMulticastParams& params, const Cube& cube) {
  const bool scripted = !params.script.written.entries().empty();
  if (scripted && params.ties != Ties::lowest)
    throw ConfigError("script", "where a script says nothing the lowest dimension is taken",
                      "leave out `ties`, or `script`");
  if (scripted) return TieRule::scripted(script_of(params.script.written, cube));
  if (params.ties == Ties::highest) return TieRule::highest();
  return params.ties == Ties::random ? TieRule::random(params.seed) : TieRule::lowest();
}

/// MULTICAST.1 by processors: each sends to its neighbour along the dimension in which most of the
/// destinations differ, which serves all of those.
///
/// Serves: all without combining on a hypercube, each message on its own.
/// Steps: for one message the greatest distance of a destination, with ports for all dimensions.
/// Contention: none within one message; every transfer crosses one channel, no two the same.
/// Throws: ConfigError for any other demand or topology, and for a script of what the cube has not.
/// Source: Lan 1988, section 5.1, Fig. 5.1
Schedule greedy_multicast(const GreedyMulticastParams& params, const Demand& demand,
                          const CollectiveContext& network) {
  const Cube cube = cube_of(network.topology, "greedy_multicast");
  require_no_combining(demand, "greedy_multicast");
  const TieRule ties = rule_of(params, cube);
  return send_down_trees(demand, network, [&](const Delivery& delivery) {
    return tree_of(greedy_walk(cube, address_of(delivery.source()),
                               addresses_of(delivery.destinations), ties));
  });
}

}  // namespace

template <>
struct Codec<TieScript> {
  static TieScript read(const ConfigNode& node) {
    if (!node.is_null() && !node.is_map())
      throw node.error("expected a map from nodes to lists of dimensions",
                       "write e.g. {4: [2, 0]}");
    return {node};
  }
  static std::string print(const TieScript& value) {
    return value.written.is_null() ? "{}" : Codec<ConfigNode>::print(value.written);
  }
  static ValueType type() {
    return {
        "map from nodes to lists of dimensions", "{4: [2, 0]}",
        R"({"type":"object","additionalProperties":{"type":"array","items":{"type":"integer"}}})"};
  }
};

void register_greedy_multicast(Collectives& collectives) {
  using P = GreedyMulticastParams;
  collectives.add(
      "greedy_multicast",
      {"trees along the dimension that serves most destinations; on a hypercube",
       "Lan 1988, section 5.1"},
      Schema<P>{}
          .optional("ties", &P::ties, "which of the dimensions is taken that serve equally many")
          .optional("seed", &P::seed, "of ties: random")
          .optional("script", &P::script,
                    "dimensions in order of preference, by node; elsewhere the lowest is taken"),
      greedy_multicast);
}

}  // namespace flitwave
