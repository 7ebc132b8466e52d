// modules/tlm/transport.cpp: see transport.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/tlm/transport.hpp"

#include <fmt/format.h>

#include "modules/clock/clock_domain.hpp"

namespace flitwave {

bool is_too_long(const sc_core::sc_time& delay) {
  const auto left = static_cast<std::uint64_t>(longest_time - picoseconds_now());
  return delay.value() / time_of(1).value() > left;
}

std::int64_t picoseconds_after(const sc_core::sc_time& delay) {
  return picoseconds_now() + picoseconds_of(delay);
}

sc_core::sc_time time_until(std::int64_t picoseconds) {
  const std::int64_t left = picoseconds - picoseconds_now();
  return left <= 0 ? sc_core::SC_ZERO_TIME : time_of(left);
}

bool moves_data(const tlm::tlm_generic_payload& payload) {
  return payload.is_read() || payload.is_write();
}

bool is_in_thread() {
  const sc_core::sc_curr_proc_kind kind = sc_core::sc_get_current_process_handle().proc_kind();
  return kind == sc_core::SC_THREAD_PROC_ || kind == sc_core::SC_CTHREAD_PROC_;
}

std::string name_of(const tlm::tlm_phase& phase) { return phase.get_name(); }

std::string text_of(const tlm::tlm_generic_payload& payload) {
  return text_of(payload, payload.get_address());
}

std::string text_of(const tlm::tlm_generic_payload& payload, std::uint64_t address) {
  const char* const command = payload.is_read()    ? "load"
                              : payload.is_write() ? "store"
                                                   : "command without data";
  return fmt::format("{} of {} B at {:#x}", command, payload.get_data_length(), address);
}

}  // namespace flitwave
