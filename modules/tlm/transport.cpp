// modules/tlm/transport.cpp: see transport.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/tlm/transport.hpp"

#include <fmt/format.h>

#include "modules/clock/clock_domain.hpp"

namespace flitwave {

std::int64_t picoseconds_after(const sc_core::sc_time& delay) {
  return picoseconds_now() + picoseconds_of(delay);
}

sc_core::sc_time time_until(std::int64_t picoseconds) {
  const std::int64_t left = picoseconds - picoseconds_now();
  return left <= 0 ? sc_core::SC_ZERO_TIME : time_of(left);
}

std::string name_of(const tlm::tlm_phase& phase) { return phase.get_name(); }

std::string text_of(const tlm::tlm_generic_payload& payload) {
  const char* const command = payload.is_read()    ? "load"
                              : payload.is_write() ? "store"
                                                   : "command without data";
  return fmt::format("{} of {} B at {:#x}", command, payload.get_data_length(),
                     payload.get_address());
}

}  // namespace flitwave
