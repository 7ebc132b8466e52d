// routers/relay/gateway_turns.hpp: which message an output of a relay router takes next.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "algorithms/cube_multicast/relay/relay_settings.hpp"
#include "routers/parts/arbiter.hpp"

namespace flitwave {

/// The order in which the units are served at one output gateway.
class GatewayTurns {
 public:
  /// `units`: how many there are; they are numbered from 0.
  GatewayTurns(GatewayRule rule, int units);

  /// Returns: the position in `requests` of the one that is served next.
  /// Needs: at least one request.
  std::size_t pick(const std::vector<Request>& requests) { return arbiter_.pick(requests); }
  void served(int unit) {
    if (in_turn_) arbiter_.served(unit);
  }

 private:
  bool in_turn_;
  Arbiter arbiter_;
};

}  // namespace flitwave
