// routers/relay/blocks/line_order.cpp: see line_order.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/relay/blocks/line_order.hpp"

#include <algorithm>

namespace flitwave {

std::vector<std::size_t> in_line(const LinePositions& positions) {
  std::vector<std::size_t> members;
  for (std::size_t i = 0; i < positions.size(); ++i)
    if (positions[i].read() != 0) members.push_back(i);
  std::stable_sort(members.begin(), members.end(), [&](std::size_t a, std::size_t b) {
    return positions[a].read().to_uint64() < positions[b].read().to_uint64();
  });
  return members;
}

void drive_line(LinePositions& positions, const std::vector<std::size_t>& members) {
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto found = std::find(members.begin(), members.end(), i);
    drive(positions[i],
          found == members.end() ? 0 : static_cast<std::uint64_t>(found - members.begin()) + 1);
  }
}

}  // namespace flitwave
