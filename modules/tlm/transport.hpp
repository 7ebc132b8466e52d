// modules/tlm/transport.hpp: words of TLM-2.0 for errors and tables, and its times.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <tlm>

#include <systemc>

namespace flitwave {

/// The simulated time now, plus a delay. Unit: ps
std::int64_t picoseconds_after(const sc_core::sc_time& delay);
/// The time from now until `picoseconds`; zero if it has passed.
sc_core::sc_time time_until(std::int64_t picoseconds);

/// "BEGIN_REQ" and so on.
std::string name_of(const tlm::tlm_phase& phase);
/// "load of 4 B at 0x1000"
std::string text_of(const tlm::tlm_generic_payload& payload);

}  // namespace flitwave
