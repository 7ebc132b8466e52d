// routers/circuit/circuit.hpp: a probe reserves the path, then data flow without buffers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "configs/quantity.hpp"
#include "modules/router.hpp"
#include "routers/parts/arbiter.hpp"
#include "routers/parts/stage_delays.hpp"

namespace flitwave {

/// What a probe does when all its possible outputs are reserved.
enum class Busy {
  teardown,  ///< The circuit is released up to here, and its source sends another probe later.
  wait,      ///< The probe waits, and keeps the channels that it has reserved.
};
std::vector<std::string> names_of(Busy);

struct CircuitParams : StageDelays {
  CircuitParams() { vc_delay = Cycles{0}; }  // an output is all that a probe gets

  Busy busy = Busy::teardown;
  Arbitration arbitration = Arbitration::round_robin;
  Cycles backoff{8};
  Cycles longest_backoff{1024};
  int attempts = 1000;
};

/// The router of a node.
std::unique_ptr<Router> circuit_router(const char* name, const CircuitParams& params,
                                       const RouterSite& site);

}  // namespace flitwave
