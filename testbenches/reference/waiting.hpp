// testbenches/reference/waiting.hpp: a packet before it has a number.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/reference/field.hpp"
#include "testbenches/reference/reference.hpp"

namespace flitwave::reference {

/// A packet that no injection channel has begun to send.
struct Waiting {
  NodeId destination;
  Cycle created = 0;
  Index length = 0;
  bool reply = false;
  Index slot = 0;  ///< Slot of a request, and its reply, in the window of its source.
};

}  // namespace flitwave::reference
