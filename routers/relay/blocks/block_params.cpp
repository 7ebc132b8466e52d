// routers/relay/blocks/block_params.cpp: see block_params.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/relay/blocks/block_params.hpp"

#include "algorithms/cube_multicast/relay/blocks.hpp"
#include "configs/error.hpp"

namespace flitwave {
namespace {

void require_range(const std::string& key, std::int64_t value, int least, int greatest) {
  if (value < least || value > greatest)
    throw ConfigError(key, std::to_string(value) + " is out of range",
                      "use " + std::to_string(least) + " .. " + std::to_string(greatest));
}

}  // namespace

void BlockParams::check() const {
  constexpr int longest = 1 << 20;
  require_range("dimensions", dimensions, 1, most_block_dimensions);
  require_range("capacity", capacity, 1, most_store_rows);
  require_range("selection", selection.count, 1, longest);
  require_range("field", field, 1, longest);
  require_range("latency", latency, 1, longest);
  if (handshake_time.cycles)
    require_range("handshake_time", *handshake_time.cycles, 2 * latency, longest);
  require_range("data", data, 0, longest);
}

BlockParams prototype_chip() {
  BlockParams chip;
  chip.broadcaster = false;
  return chip;
}

}  // namespace flitwave
