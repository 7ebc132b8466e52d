// algorithms/cube_multicast/relay/handshake_time.hpp: the time of a request and its
// acknowledgement, as a setting.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "configs/codec.hpp"
#include "configs/quantity.hpp"

namespace flitwave {

/// T_hs, from a request to the first flit of the requested data.
struct HandshakeTime {
  std::optional<Cycle> cycles;  ///< None: determined by the wires.
};
template <>
struct Codec<HandshakeTime> {
  static HandshakeTime read(const ConfigNode& node);
  static std::string print(HandshakeTime value);
  static ValueType type();
};

}  // namespace flitwave
