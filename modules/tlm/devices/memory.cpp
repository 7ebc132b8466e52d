// modules/tlm/devices/memory.cpp: see memory.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/tlm/devices/memory.hpp"

#include <algorithm>

#include "modules/tlm/transport.hpp"

namespace flitwave {

using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;

namespace {

/// Whether those of its bytes are enabled or disabled; other values have no meaning.
bool has_right_enables(const tlm_generic_payload& payload) {
  const unsigned char* const enables = payload.get_byte_enable_ptr();
  if (!enables) return true;
  const unsigned length = std::min(payload.get_byte_enable_length(), payload.get_data_length());
  return std::all_of(enables, enables + length, [](unsigned char each) {
    return each == TLM_BYTE_ENABLED || each == TLM_BYTE_DISABLED;
  });
}

}  // namespace

std::uint8_t SparseBytes::read(std::uint64_t address) const {
  const auto page = pages_.find(address / page_size);
  return page == pages_.end() ? std::uint8_t{0} : page->second[address % page_size];
}

void SparseBytes::write(std::uint64_t address, std::uint8_t value) {
  pages_[address / page_size][address % page_size] = value;
}

Memory::Memory(const sc_core::sc_module_name& name, std::uint64_t size, const sc_time& wait)
    : sc_module(name), size_(size), wait_(wait), phases_(this, &Memory::passed) {
  socket.bind(*this);
}

/// Whether all its bytes are inside. A streaming width less than the length repeats addresses.
bool Memory::holds(const tlm_generic_payload& payload) const {
  const std::uint64_t length = std::min(payload.get_data_length(), payload.get_streaming_width());
  return payload.get_address() < size_ && length <= size_ - payload.get_address();
}

/// Carries out an access whose request begins at a time: in the order of the requests, whatever
/// their style. Returns: its times.
Memory::Times Memory::serve(tlm_generic_payload& payload, const sc_time& at) {
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) {  // its other attributes may be unset
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return {at, at};
  }
  access(payload);
  if (!payload.is_response_ok()) return {at, at};
  const sc_time begin = std::max(at, free_at_);
  free_at_ = begin + wait_;
  return {begin, free_at_};
}

/// Needs: not TLM_IGNORE_COMMAND
void Memory::access(tlm_generic_payload& payload) {
  if (!moves_data(payload)) return payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
  if (!holds(payload)) return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  if (!has_right_enables(payload))
    return payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  const unsigned char* const enables = payload.get_byte_enable_ptr();
  for (unsigned i = 0; i < payload.get_data_length(); ++i) {
    if (enables && enables[i % payload.get_byte_enable_length()] != TLM_BYTE_ENABLED) continue;
    const std::uint64_t address = payload.get_address() + i % payload.get_streaming_width();
    if (payload.is_write())
      bytes_.write(address, payload.get_data_ptr()[i]);
    else
      payload.get_data_ptr()[i] = bytes_.read(address);
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void Memory::b_transport(tlm_generic_payload& payload, sc_time& delay) {
  const sc_time& now = sc_core::sc_time_stamp();
  delay = serve(payload, now + delay).end - now;
}

tlm::tlm_sync_enum Memory::nb_transport_fw(tlm_generic_payload& payload, tlm_phase& phase,
                                           sc_time& delay) {
  if (phase == tlm::BEGIN_REQ) {
    payload.acquire();
    const sc_time& now = sc_core::sc_time_stamp();
    const Times times = serve(payload, now + delay);
    phases_.notify(payload, tlm::END_REQ, times.begin - now);
    phases_.notify(payload, tlm::BEGIN_RESP, times.end - now);
  } else if (phase == tlm::END_RESP) {
    phases_.notify(payload, phase, delay);
  }
  return tlm::TLM_ACCEPTED;
}

/// A phase is due.
void Memory::passed(tlm_generic_payload& payload, const tlm_phase& phase) {
  if (phase == tlm::END_RESP) return response_ended();
  if (phase == tlm::BEGIN_RESP) {
    responses_.push_back(&payload);
    return respond();
  }
  tlm_phase accepted = tlm::END_REQ;
  sc_time delay = SC_ZERO_TIME;
  socket->nb_transport_bw(payload, accepted, delay);
}

/// Begins the first response, unless one is under way.
void Memory::respond() {
  if (responding_ || responses_.empty()) return;
  tlm_generic_payload& payload = *responses_.front();
  responding_ = true;
  tlm_phase phase = tlm::BEGIN_RESP;
  sc_time delay = SC_ZERO_TIME;
  if (socket->nb_transport_bw(payload, phase, delay) != tlm::TLM_ACCEPTED)
    phases_.notify(payload, tlm::END_RESP, delay);
}

void Memory::response_ended() {
  tlm_generic_payload& payload = *responses_.front();
  responses_.pop_front();
  responding_ = false;
  payload.release();
  respond();
}

bool Memory::get_direct_mem_ptr(tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  payload.set_dmi_allowed(false);
  dmi.init();
  return false;
}

unsigned Memory::transport_dbg(tlm_generic_payload& payload) {
  const bool moves = moves_data(payload) && payload.get_data_ptr();
  if (!moves || payload.get_address() >= size_) return 0;
  const auto length = static_cast<unsigned>(
      std::min<std::uint64_t>(payload.get_data_length(), size_ - payload.get_address()));
  for (unsigned i = 0; i < length; ++i) {
    if (payload.is_write())
      bytes_.write(payload.get_address() + i, payload.get_data_ptr()[i]);
    else
      payload.get_data_ptr()[i] = bytes_.read(payload.get_address() + i);
  }
  return length;
}

}  // namespace flitwave
