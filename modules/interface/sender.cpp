// modules/interface/sender.cpp: see sender.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/interface/sender.hpp"

#include <algorithm>

namespace flitwave {

void Sender::due() {
  if (current.message.hold >= 0 && !path_is_set) {
    path_is_set = true;
    open_at = interface.domain().now() + std::max<Cycle>(current.message.hold, 1);
    interface.domain().at(open_at, *this);
    return;
  }
  interface.domain().wake(interface);
}

}  // namespace flitwave
