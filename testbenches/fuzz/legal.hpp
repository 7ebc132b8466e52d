// testbenches/fuzz/legal.hpp: what of a case's settings fits together.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/fuzz/case.hpp"

namespace flitwave::fuzz {

/// Whether a kind of routing can be had for the case's network, switching and virtual channels.
bool can_route(const Case& input, const std::string& kind);
/// Whether a kind of traffic can be had on the case's network.
bool can_load(const Case& input, const std::string& pattern);

/// Changes what the rest of the case does not allow to the nearest that it allows. Size, switching,
/// handshake and virtual channels stay.
void mend(Case& input);

}  // namespace flitwave::fuzz
