// testbenches/tests/rtl/wormhole/compared_networks.hpp: one network of verilated routers and one of
// the reference, under the same load.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "testbenches/reference/reference.hpp"
#include "testbenches/tests/rtl/wormhole/router_pins.hpp"

namespace flitwave::rtl_test {

/// What has been compared.
struct Comparison {
  std::int64_t transits = 0;    ///< Flits that crossed a channel, in each network.
  std::int64_t difference = 0;  ///< The first cycle in which transits differ; 0: none.
  bool both_empty = false;      ///< In the end, all packets that were sent have arrived.
};

/// The parameters of the reference that a set of parameters of the Verilog stands for. The rest has
/// its defaults.
reference::Params params_of(const RouterParameters& parameters);

/// Simulates both for `cycles`, and for as many without sources that the networks become empty.
/// `seed`: of the values that registers have before reset.
/// Throws: ModelError when a verilated router sends an unknown or changed flit, or into no channel.
Comparison compare(const reference::Params& params, const RouterSet& set, std::int64_t cycles,
                   int seed);

}  // namespace flitwave::rtl_test
