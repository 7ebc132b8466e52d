// algorithms/pure_catalog.hpp: every kind of the pure layer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/demand.hpp"
#include "algorithms/injection.hpp"
#include "algorithms/routing.hpp"
#include "algorithms/schedule.hpp"
#include "algorithms/traffic.hpp"
#include "topologies/topology.hpp"

namespace flitwave {

/// The kinds that need no clock: networks, routes and schedules can be used without the others. A
/// program outside this tree adds its own kinds.
struct PureCatalog {
  Topologies topologies{"topology"};
  Routings routings{"routing"};
  Operations operations{"operation"};
  Collectives collectives{"algorithm"};
  TrafficPatterns traffic{"traffic pattern"};
  Injections injections{"injection process"};
};

/// The kinds of this project: one for each file of a plug-in folder.
PureCatalog pure_catalog();

}  // namespace flitwave
