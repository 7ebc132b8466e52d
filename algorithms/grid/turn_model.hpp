// algorithms/grid/turn_model.hpp: minimal adaptive routing on a 2D mesh that forbids some turns.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/routing.hpp"

namespace flitwave {

/// Offers outputs to a packet that has `east` hops to go towards greater x and `north` towards
/// greater y, the preferred one first. Negative: towards smaller coordinates; not both are 0.
using TurnRule = void (*)(int east, int north, Route& route);

/// Adds the routing of a rule that needs one virtual channel and does not depend on the channel by
/// which a packet arrived.
void add_turn_model(Routings& routings, const char* name, About about, TurnRule rule);

}  // namespace flitwave
