// routers/relay/relay_model.hpp: properties of relay routers that are needed before there is a
// network.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "algorithms/cube_multicast/relay/relay.hpp"
#include "modules/router.hpp"
#include "routers/relay/relayed_messages.hpp"

namespace flitwave {

/// Of routers that buffer whole messages, which list their destinations.
struct RelayModel final : KindFacts {
  /// How messages are routed in a cube.
  /// Throws: ConfigError when the settings do not suit the cube.
  std::function<RelayFormat(const Cube&)> format;
  /// How routers decide in a cube, in a job with the given seed.
  /// Throws: ConfigError when their settings do not suit the cube.
  std::function<RelayRules(const Cube&, std::uint64_t seed)> rules;
  /// Whether a message that has made h hops has buffers that only such messages use.
  bool hop_classes = false;
};

/// Null for routers of another kind.
inline const RelayModel* relay_model(const RouterModel& model) {
  return dynamic_cast<const RelayModel*>(model.facts.get());
}

}  // namespace flitwave
