// algorithms/cost_models/measurements.hpp: measurements of papers, which the program contains.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "configs/table.hpp"

namespace flitwave {

/// A file of configs/measurements by its name without ".csv", e.g. "tsai_1997/table_5_1".
/// Throws: ConfigError with the known names when there is none of that name.
const Table& measurements(const std::string& name);

}  // namespace flitwave
