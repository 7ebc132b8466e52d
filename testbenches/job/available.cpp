// testbenches/job/available.cpp: the kinds that a program can run; see catalog.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/catalog.hpp"

namespace flitwave {

Catalog without_unavailable(Catalog catalog) {
  catalog.topologies.drop_unavailable();
  catalog.routings.drop_unavailable();
  catalog.operations.drop_unavailable();
  catalog.collectives.drop_unavailable();
  catalog.traffic.drop_unavailable();
  catalog.injections.drop_unavailable();
  catalog.routers.drop_unavailable();
  catalog.nodes.drop_unavailable();
  catalog.observers.drop_unavailable();
  catalog.evaluations.drop_unavailable();
  return catalog;
}

}  // namespace flitwave
