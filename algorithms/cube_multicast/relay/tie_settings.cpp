// algorithms/cube_multicast/relay/tie_settings.cpp: see tie_settings.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cube_multicast/relay/tie_settings.hpp"

#include <algorithm>

#include "configs/error.hpp"

namespace flitwave {
namespace {

CubeAddress node_of(const std::string& key, const ConfigNode& place, const Cube& cube) {
  for (CubeAddress node = 0; cube.contains(node); ++node)
    if (key == std::to_string(node) || key == binary(cube, node)) return node;
  throw place.error(detail::in_quotes(key) + " is not a node of the cube",
                    "name it by its number, 0 to " + std::to_string(cube.nodes() - 1) +
                        ", or by its label, e.g. " + binary(cube, 1));
}

TieRule::Script script_of(const ConfigNode& written, const Cube& cube) {
  TieRule::Script script;
  for (const auto& [key, preferences] : written.entries()) {
    std::vector<int>& dimensions = script[node_of(key, preferences, cube)];
    for (const ConfigNode& item : detail::read_list(preferences)) {
      const int preferred = Codec<int>::read(item);
      if (std::find(dimensions.begin(), dimensions.end(), preferred) != dimensions.end())
        throw item.error("dimension " + std::to_string(preferred) + " is preferred already",
                         "name every dimension once");
      dimensions.push_back(preferred);
      if (dimensions.back() < 0 || dimensions.back() >= cube.dimensions())
        throw item.error("the cube has no dimension " + std::to_string(dimensions.back()),
                         "dimensions are 0 to " + std::to_string(cube.dimensions() - 1));
    }
  }
  return script;
}

}  // namespace

std::vector<std::string> names_of(Ties) { return {"lowest", "highest", "random"}; }

TieScript Codec<TieScript>::read(const ConfigNode& node) {
  if (!node.is_null() && !node.is_map())
    throw node.error("expected a map from nodes to lists of dimensions", "write e.g. {4: [2, 0]}");
  return {node};
}

std::string Codec<TieScript>::print(const TieScript& value) {
  return value.written.is_null() ? "{}" : Codec<ConfigNode>::print(value.written);
}

ValueType Codec<TieScript>::type() {
  return {
      "map from nodes to lists of dimensions", "{4: [2, 0]}",
      R"({"type":"object","additionalProperties":{"type":"array","items":{"type":"integer"}}})"};
}

TieRule tie_rule_of(Ties ties, const TieScript& script, const Cube& cube, std::uint64_t seed) {
  if (!script.empty() && ties != Ties::lowest)
    throw ConfigError("script", "where a script has no entry the lowest dimension is taken",
                      "leave out `ties`, or `script`");
  if (!script.empty()) return TieRule::scripted(script_of(script.written, cube));
  if (ties == Ties::highest) return TieRule::highest();
  return ties == Ties::random ? TieRule::random(seed) : TieRule::lowest();
}

}  // namespace flitwave
