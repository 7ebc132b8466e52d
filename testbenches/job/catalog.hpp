// testbenches/job/catalog.hpp: every registry.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/pure_catalog.hpp"
#include "modules/router.hpp"
#include "modules/tlm/devices/node_device.hpp"
#include "testbenches/job/evaluation.hpp"
#include "testbenches/job/observer.hpp"

namespace flitwave {

/// All kinds that jobs may name. A program outside this tree adds its own.
struct Catalog : PureCatalog {
  Routers routers{"router"};
  Nodes nodes{"kind of node"};
  Observers observers{"observer"};
  Evaluations evaluations{"evaluation"};
};

/// The kinds of this project: one for each file of a plug-in folder.
Catalog standard_catalog();
/// The kinds of this project and those of a program. Defined in programs whose kinds were added by
/// `flitwave_add_kinds` or `flitwave_add_program` of the CMake package, and only there.
Catalog own_catalog();
/// A catalogue without the kinds that this program cannot run (About::unavailable): for those that
/// run every kind.
Catalog without_unavailable(Catalog catalog);

}  // namespace flitwave
