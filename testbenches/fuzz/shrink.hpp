// testbenches/fuzz/shrink.hpp: a failing case made as simple as it stays failing.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "testbenches/fuzz/case.hpp"

namespace flitwave::fuzz {

/// Cases that differ from this one in a setting or two and are simpler: fewer nodes, virtual
/// channels or cycles, less load, defaults. The boldest come first.
std::vector<Case> simpler(const Case& input);

/// The simplest case found by taking, again and again, the first simpler one that `fails`.
/// `tries`: how often `fails` is asked at most.
Case shrink(Case failing, int tries, const std::function<bool(const Case&)>& fails);

}  // namespace flitwave::fuzz
