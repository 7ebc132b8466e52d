// modules/channel/input_port.hpp: the place in a module where a channel ends.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include "modules/channel/input_unit.hpp"

namespace flitwave {

/// The receiving end of a channel as a SystemC module: a name in the hierarchy for its unit, whose
/// owner's tick calls it.
class InputPort final : public sc_core::sc_module {
 public:
  /// `unit` lives in the owner's row of units, as long as the domain.
  InputPort(const sc_core::sc_module_name& name, Channel& channel, InputUnit& unit)
      : sc_module(name), channel_(channel), unit_(unit) {
    unit.attach(*this, channel);
  }

  Channel& channel() const { return channel_; }
  InputUnit& unit() const { return unit_; }

 private:
  Channel& channel_;
  InputUnit& unit_;
};

}  // namespace flitwave
