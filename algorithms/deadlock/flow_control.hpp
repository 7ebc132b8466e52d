// algorithms/deadlock/flow_control.hpp: measures of routers against cyclic dependencies.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

namespace flitwave {

/// The measures of routers against cycles, besides routing.
struct FlowControl {
  /// A packet that enters a ring leaves space for one more packet in it.
  bool bubble = false;
  /// A blocked circuit releases all channels that it holds.
  bool teardown = false;
  /// Where packets are copied at receivers along their paths (Schedule::copies_on_way): the classes
  /// of virtual channels of ejection channels, which such a packet holds while it waits for others.
  /// 0 where every packet that is granted one ends there.
  int consumption_classes = 0;
};

/// The common measures of a network that has routers of both kinds.
inline FlowControl in_common(const FlowControl& a, const FlowControl& b) {
  return {a.bubble && b.bubble, a.teardown && b.teardown,
          std::min(a.consumption_classes, b.consumption_classes)};
}

}  // namespace flitwave
