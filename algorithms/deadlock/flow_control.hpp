// algorithms/deadlock/flow_control.hpp: what routers do against cyclic dependencies.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

namespace flitwave {

/// What the routers do against cycles, beside routing.
struct FlowControl {
  /// A packet that enters a ring leaves space for one more packet in it.
  bool bubble = false;
  /// A circuit that is blocked releases all that it holds.
  bool teardown = false;
  /// Where packets are copied at receivers on their way (Schedule::copies_on_way): the classes of
  /// virtual channels of ejection channels, which such a packet holds while it waits for others. 0
  /// where every packet that gets one ends there.
  int consumption_classes = 0;
};

/// What holds in a network that has routers of both.
inline FlowControl in_common(const FlowControl& a, const FlowControl& b) {
  return {a.bubble && b.bubble, a.teardown && b.teardown,
          std::min(a.consumption_classes, b.consumption_classes)};
}

}  // namespace flitwave
