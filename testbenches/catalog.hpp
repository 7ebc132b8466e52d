// testbenches/catalog.hpp: every registry.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flitwave/algorithms/demand.hpp"
#include "flitwave/algorithms/injection.hpp"
#include "flitwave/algorithms/routing.hpp"
#include "flitwave/algorithms/schedule.hpp"
#include "flitwave/algorithms/traffic.hpp"
#include "flitwave/routers/router.hpp"
#include "flitwave/testbenches/evaluation.hpp"
#include "flitwave/testbenches/observer.hpp"
#include "flitwave/topologies/topology.hpp"

namespace flitwave {

/// All kinds that jobs may name. A program outside this tree adds its own.
struct Catalog {
  Topologies topologies{"topology"};
  Routings routings{"routing"};
  Operations operations{"operation"};
  Collectives collectives{"algorithm"};
  TrafficPatterns traffic{"traffic pattern"};
  Injections injections{"injection process"};
  Routers routers{"router"};
  Observers observers{"observer"};
  Evaluations evaluations{"evaluation"};
};

/// The kinds of this project: one for each file of a plug-in folder.
Catalog standard_catalog();

}  // namespace flitwave
