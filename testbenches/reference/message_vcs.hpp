// testbenches/reference/message_vcs.hpp: the virtual channels of requests and replies.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/routing.hpp"
#include "testbenches/reference/field.hpp"

namespace flitwave::reference {

/// The virtual channels per message class, on any channel. With M message classes, those of class c
/// have the classes of virtual channels c, c + M, c + 2 M, ...
inline Field<Mask> vcs_of_messages(const RoutingFunction& routing, int vcs) {
  const int classes = routing.message_classes();
  Field<Mask> masks(classes, 0);
  for (int vc = 0; vc < vcs; ++vc) masks[routing.class_of_vc(vc, vcs) % classes] |= bit(vc);
  return masks;
}

}  // namespace flitwave::reference
