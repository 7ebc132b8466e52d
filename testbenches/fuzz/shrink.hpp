// testbenches/fuzz/shrink.hpp: simplifies a failing case as long as it fails.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "testbenches/fuzz/case.hpp"

namespace flitwave::fuzz {

/// Simpler cases that differ from this one in one or two settings: fewer nodes, virtual channels or
/// cycles, less load, defaults. The greatest changes are first.
std::vector<Case> simpler(const Case& input);

/// The simplest case found by repeatedly taking the first simpler one for which `fails` is true.
/// `tries`: greatest number of calls of `fails`.
Case shrink(Case failing, int tries, const std::function<bool(const Case&)>& fails);

}  // namespace flitwave::fuzz
