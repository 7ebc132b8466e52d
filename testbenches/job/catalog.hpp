// testbenches/job/catalog.hpp: every registry.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/demand.hpp"
#include "algorithms/injection.hpp"
#include "algorithms/routing.hpp"
#include "algorithms/schedule.hpp"
#include "algorithms/traffic.hpp"
#include "modules/router.hpp"
#include "testbenches/job/evaluation.hpp"
#include "testbenches/job/observer.hpp"
#include "topologies/topology.hpp"

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
