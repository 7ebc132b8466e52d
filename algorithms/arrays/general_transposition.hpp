// algorithms/arrays/general_transposition.hpp: transpositions between any block distributions.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "algorithms/arrays/sections/shifted_transfer.hpp"

namespace flitwave {

/// Schedules the base patterns of a row from both ends inwards, between shifts as in
/// general_schedule(). The messages of two patterns of a row in one step use different rows, or
/// different columns where the patterns have several of both and one side of their intersection in
/// common. Source rows of an array map to destination columns. The thesis sketches the
/// transposition; rotations follow by the same rule. Contention-free, but not claimed to be the
/// shortest: at most two patterns of a row send at once. Source: Eberhart 1996, section 4.2;
/// equation 4.2 with C, C' and the clamps of 4.1, sets counted in
///   base patterns; slots of a region written out here
/// Throws: ConfigError on the key `alignment` when the destination's is identical; on `surplus`
/// when that is nominal
std::unique_ptr<ArraySchedule> general_transposition(const ArrayAssignment& assignment,
                                                     Surplus surplus = Surplus::lead_merge);

}  // namespace flitwave
