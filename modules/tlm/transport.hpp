// modules/tlm/transport.hpp: words of TLM-2.0 for errors and tables, and its times.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <tlm>

#include <systemc>

namespace flitwave {

/// Whether a delay leads beyond the longest time of a simulation. SystemC makes negative delays and
/// those of an overflow into such times.
bool is_too_long(const sc_core::sc_time& delay);
/// The simulated time now, plus a delay, rounded down. Unit: ps
std::int64_t picoseconds_after(const sc_core::sc_time& delay);
/// The time from now until `picoseconds`; zero if it has passed.
sc_core::sc_time time_until(std::int64_t picoseconds);

/// Whether it is a load or a store.
bool moves_data(const tlm::tlm_generic_payload& payload);
/// Whether the caller is a thread, which may wait.
bool is_in_thread();

/// "BEGIN_REQ" and so on.
std::string name_of(const tlm::tlm_phase& phase);
/// "load of 4 B at 0x1000"
std::string text_of(const tlm::tlm_generic_payload& payload);
std::string text_of(const tlm::tlm_generic_payload& payload, std::uint64_t address);

}  // namespace flitwave
