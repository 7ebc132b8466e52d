// testbenches/tests/timed/opaque_router.hpp: a router that does not show its state, for tests of
// what treats RTL so.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/job/catalog.hpp"

namespace flitwave::test {

/// The standard catalogue and the kind `opaque`: a FIFO router with one virtual channel that is
/// opaque, and declares neither timing nor passages.
///
/// Settings: `fault`, from the flit on whose number among those that the router forwards is `at`
/// (0: the first): none; stops: nothing is forwarded any more; loses: that flit is removed;
/// keeps_credit: that flit is forwarded, its credit never returns, and nothing follows from its
/// input. `unreset: true`: a register that the reset does not reach delays the first flit by as
/// many cycles as it holds at the start, 0 to 3, by RouterSite::init_seed.
Catalog with_opaque_routers();

}  // namespace flitwave::test
