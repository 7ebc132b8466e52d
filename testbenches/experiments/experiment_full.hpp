// testbenches/experiments/experiment_full.hpp: an experiment with the points of its section `full`.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "configs/schema.hpp"

namespace flitwave {

/// The experiment with its section `full` applied: other lists of its sweep, and further claims.
/// The section itself is removed.
/// Throws: ConfigError, located, when there is no such section, or it lists values of a setting
///   that the experiment does not sweep.
ConfigNode with_full(const ConfigNode& experiment);

/// The keys of the section, for the reference.
std::vector<ParameterInfo> full_info();

}  // namespace flitwave
