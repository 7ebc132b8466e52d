// modules/interface/relay_model.hpp: what relay routers are to the messages that they copy.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "algorithms/cube_multicast/relay/relay.hpp"
#include "configs/quantity.hpp"
#include "modules/interface/relayed_messages.hpp"

namespace flitwave {

/// What a chip was built for, which no setting changes.
struct RelayChip {
  int dimensions = 3;  ///< Of the cube.
  Cycles selection;    ///< As the job has it, which must be
  Duration takes;      ///< that long.
};

/// What a network must know of routers that keep whole messages, which list their destinations.
struct RelayModel {
  /// How messages are led in a cube.
  /// Throws: ConfigError when the settings do not suit the cube.
  std::function<RelayFormat(const Cube&)> format;
  /// How they decide in a cube, in a job of some seed.
  /// Throws: ConfigError when their settings do not suit the cube.
  std::function<RelayRules(const Cube&, std::uint64_t seed)> rules;
  /// A message that has come h hops has buffers that only such messages use.
  bool hop_classes = false;
  /// The data of messages must be whole fields.
  bool whole_fields = false;
  /// The largest cube that they are built for.
  int most_dimensions = most_cube_dimensions;
  std::optional<RelayChip> chip = std::nullopt;  ///< If they are some chip's.
};

}  // namespace flitwave
