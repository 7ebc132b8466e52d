// routers/relay/blocks/line_order.hpp: registers that record the order in which requesters arrived.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "routers/relay/blocks/buses.hpp"

namespace flitwave {

/// A register for each of several: its position in a line, from 1; 0 when it is not in the line.
/// Positions move up as members leave.
/// Source: ours
using LinePositions = BusSignals;

/// The members of a line, the first one first.
std::vector<std::size_t> in_line(const LinePositions& positions);
/// The line from the next edge on. `members`: each once, the first one first.
void drive_line(LinePositions& positions, const std::vector<std::size_t>& members);

/// Sets the positions of `members` in a line.
inline auto of_line(std::size_t members) { return of_width(wires_for(members)); }

}  // namespace flitwave
