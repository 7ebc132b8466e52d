// testbenches/fuzz/legal.hpp: which settings of a case are compatible.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/fuzz/case.hpp"

namespace flitwave::fuzz {

/// Whether a kind of routing is possible on the case's network, with its switching and virtual
/// channels.
bool can_route(const Case& input, const std::string& kind);
/// Whether a traffic pattern is possible on the case's network.
bool can_load(const Case& input, const std::string& pattern);

/// Changes settings that the others do not allow to the nearest allowed value. Size, switching,
/// handshake and virtual channels are kept.
void mend(Case& input);

}  // namespace flitwave::fuzz
