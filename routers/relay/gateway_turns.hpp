// routers/relay/gateway_turns.hpp: which message an output of a relay router takes next.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "routers/parts/arbiter.hpp"

namespace flitwave {

/// By which rule an output gateway serves one of several units.
/// Source: Lan 1988, section 6.3, says that there is a choice; the rules are ours
enum class GatewayRule {
  fcfs,         ///< First come, first served; of those that came at once, the lowest.
  round_robin,  ///< The next after the one that was served last.
  fixed,        ///< The lowest; others can starve.
};
std::vector<std::string> names_of(GatewayRule);

/// The turns of the units at one output gateway.
class GatewayTurns {
 public:
  /// `units`: how many there are; they are numbered from 0.
  GatewayTurns(GatewayRule rule, int units);

  /// Returns: the position in `requests` of the one whose turn it is.
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
