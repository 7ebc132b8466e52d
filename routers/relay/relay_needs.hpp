// routers/relay/relay_needs.hpp: what relay routers need of their network, and of its messages.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "modules/interface/relay_model.hpp"
#include "modules/router.hpp"

namespace flitwave {

/// What a chip was built for, which no setting changes.
struct RelayChip {
  int dimensions = 3;  ///< Of the cube.
  Cycles selection;    ///< As the job has it, which must be
  Duration takes;      ///< that long.
};

/// What relay routers are built for, beside what their model says.
struct RelayLimits {
  /// The data of messages must be whole fields.
  bool whole_fields = false;
  /// The largest cube that they are built for.
  int most_dimensions = most_cube_dimensions;
  std::optional<RelayChip> chip = std::nullopt;  ///< If they are some chip's.
};

/// `kind`: the name of the routers' kind.
RouterNeeds relay_needs(const std::string& kind, std::shared_ptr<const RelayModel> relay,
                        const RelayLimits& limits);

}  // namespace flitwave
