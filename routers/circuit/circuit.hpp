// routers/circuit/circuit.hpp: a probe reserves the way, then data flow without buffers.
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

/// What a probe does when all its ways on are taken.
enum class Busy {
  teardown,  ///< The circuit is released up to here, and its source asks again later.
  wait,      ///< The probe stays, and holds what it has.
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

/// The router for a place.
std::unique_ptr<Router> circuit_router(const char* name, const CircuitParams& params,
                                       const RouterSite& site);

}  // namespace flitwave
