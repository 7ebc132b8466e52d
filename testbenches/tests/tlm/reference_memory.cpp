// testbenches/tests/tlm/reference_memory.cpp: see reference_memory.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tests/tlm/reference_memory.hpp"

namespace flitwave::test {

ReferenceMemory::ReferenceMemory(const sc_core::sc_module_name& name) : sc_module(name) {
  target_socket.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
  initiator_socket.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
}

void ReferenceMemory::serve(const Payload& payload) {
  std::vector<unsigned char>& expected = expected_[&payload];
  expected.assign(payload.get_data_length(), 0);
  const unsigned char* const enables = payload.get_byte_enable_ptr();
  for (unsigned i = 0; i < payload.get_data_length(); ++i) {
    const std::uint64_t address = payload.get_address() + i % payload.get_streaming_width();
    const bool enabled =
        !enables || enables[i % payload.get_byte_enable_length()] == TLM_BYTE_ENABLED;
    if (enabled && payload.is_write()) bytes_[address] = payload.get_data_ptr()[i];
    if (enabled && payload.is_read()) expected[i] = bytes_[address];
  }
}

void ReferenceMemory::compare(const Payload& payload) {
  const std::vector<unsigned char> expected = expected_[&payload];
  expected_.erase(&payload);
  if (!payload.is_read()) return;
  for (unsigned i = 0; i < payload.get_data_length(); ++i) {
    ++compared_;
    wrong_ += payload.get_data_ptr()[i] == expected[i] ? 0 : 1;
  }
}

tlm::tlm_sync_enum ReferenceMemory::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                                    sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_REQ) serve(payload);
  return initiator_socket->nb_transport_fw(payload, phase, delay);
}

tlm::tlm_sync_enum ReferenceMemory::nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                                    sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_RESP) compare(payload);
  return target_socket->nb_transport_bw(payload, phase, delay);
}

void ReferenceMemory::b_transport(Payload& payload, sc_core::sc_time& delay) {
  serve(payload);
  initiator_socket->b_transport(payload, delay);
  compare(payload);
}

unsigned ReferenceMemory::transport_dbg(Payload& payload) {
  return initiator_socket->transport_dbg(payload);
}

std::int64_t ReferenceMemory::wrong_at_the_end() {
  std::int64_t wrong = 0;
  for (const auto& [address, value] : bytes_) {
    unsigned char found = 0;
    Payload payload;
    payload.set_read();
    payload.set_address(address);
    payload.set_data_ptr(&found);
    payload.set_data_length(1);
    wrong += initiator_socket->transport_dbg(payload) == 1 && found == value ? 0 : 1;
  }
  return wrong;
}

}  // namespace flitwave::test
