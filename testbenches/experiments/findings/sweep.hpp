// testbenches/experiments/findings/sweep.hpp: the points of a sweep.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "configs/scenario.hpp"
#include "topologies/topology.hpp"

namespace flitwave {

/// One setting of a job: path and value.
struct Setting {
  std::string path;  ///< e.g. "operation.message"
  ConfigNode value;

  bool operator==(const Setting& other) const { return path == other.path && value == other.value; }
};

/// The settings of one point of a sweep, in the order of the sweep.
using Settings = std::vector<Setting>;

/// The most points that an experiment may have.
constexpr std::size_t most_points = 100000;

/// The product of all lists of `sweep`, the first one slowest. `{sample_nodes: N}` instead of a
/// list denotes N different random nodes of the point's topology, chosen by `seed` alone and
/// ascending, so that all points of one topology have the same nodes. The list of the key
/// `together` has maps, whose settings change together.
/// Throws: ConfigError, located, when a list is empty or names a value twice, a path hides one
///   before it, a sample is larger than its network, or there are too many points.
std::vector<Settings> expand_sweep(const ConfigNode& sweep, const Scenario& base,
                                   std::uint64_t seed, const Topologies& topologies);

/// The paths that a sweep sets, in its order, each with the value or list that names it.
Settings swept_settings(const ConfigNode& sweep);

/// The job with the settings applied.
Scenario with_settings(Scenario job, const Settings& settings);

/// Settings as a section names points by them: a map from settings to values; by leaves.
/// Throws: ConfigError when it is no map.
Settings read_settings(const ConfigNode& node);

/// "algorithm.kind: edn, operation.message: 32 B"; maps are shown by their leaves.
std::string settings_text(const Settings& settings);

/// The settings with maps expanded: {algorithm, {kind: edn}} becomes {algorithm.kind, edn}.
Settings leaves(const Settings& settings);

/// Whether the setting at `upper` contains that at `lower`: both are the same, or the latter is a
/// part of it.
bool covers(const std::string& upper, const std::string& lower);

}  // namespace flitwave
