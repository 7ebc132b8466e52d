// modules/signals/wire.cpp: see wire.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/signals/wire.hpp"

namespace flitwave::detail {

const sc_core::sc_event& LazyEvent::get(bool& requested) const {
  requested = true;
  if (!event_)
    event_ = std::make_unique<sc_core::sc_event>(sc_core::sc_gen_unique_name("wire_event"));
  return *event_;
}

}  // namespace flitwave::detail
