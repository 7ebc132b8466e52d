// testbenches/tests/rtl/wormhole/router_sets.hpp: the sets of parameters for which the wormhole
// router is verilated.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "testbenches/tests/rtl/wormhole/router_pins.hpp"

namespace flitwave::rtl_test {

/// Those of tools/cmake/FlitwaveWormholeRtl.cmake, in its order.
const std::vector<RouterSet>& router_sets();

}  // namespace flitwave::rtl_test
