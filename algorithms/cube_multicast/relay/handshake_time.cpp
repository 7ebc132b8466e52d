// algorithms/cube_multicast/relay/handshake_time.cpp: see handshake_time.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cube_multicast/relay/handshake_time.hpp"

namespace flitwave {

HandshakeTime Codec<HandshakeTime>::read(const ConfigNode& node) {
  if (node.is_scalar() && node.text() == "wires") return {};
  constexpr Cycle longest = 1 << 20;
  try {
    const Cycle cycles = Codec<Cycles>::read(node).count;
    if (cycles >= 0 && cycles <= longest) return {cycles};
  } catch (const ConfigError&) {
    // Reported below, with all allowed values.
  }
  const std::string found = node.is_scalar() ? "`" + node.text() + "`" : "this";
  throw node.error(
      found + " is not a handshake time",
      "write wires, or a number of cycles, e.g. 7 cycle, up to " + std::to_string(longest));
}

std::string Codec<HandshakeTime>::print(HandshakeTime value) {
  return value.cycles ? to_string(Cycles{*value.cycles}) : "wires";
}

ValueType Codec<HandshakeTime>::type() {
  return {"wires or number of cycles", "wires",
          R"({"anyOf":[{"enum":["wires"]},)" + Codec<Cycles>::type().json_schema + "]}"};
}

}  // namespace flitwave
