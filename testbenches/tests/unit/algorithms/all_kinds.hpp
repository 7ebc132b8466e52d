// testbenches/tests/unit/algorithms/all_kinds.hpp: every kind that the files of algorithms/ define.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/demand.hpp"
#include "algorithms/schedule.hpp"

namespace flitwave::testing {

/// Those of standard_catalog(), which the unit tests do not link: CMake writes both from the files
/// that it finds.
Operations all_operations();
Collectives all_collectives();

}  // namespace flitwave::testing
