// testbenches/tests/tlm/cpu.hpp: a processor whose program is a function.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <utility>
#include <vector>

#include <systemc>

#include "modules/clock/clock_domain.hpp"

namespace flitwave::test {

/// Runs a program of blocking loads and stores.
class Cpu final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Cpu);
  tlm_utils::simple_initiator_socket<Cpu> socket{"socket"};

  Cpu(const sc_core::sc_module_name& name, std::function<void(Cpu&)> program)
      : sc_module(name), program_(std::move(program)) {
    SC_THREAD(run);
  }

  /// Of the last access.
  tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
  bool is_done = false;

  void store(std::uint64_t address, std::vector<unsigned char> data) {
    access(tlm::TLM_WRITE_COMMAND, address, data);
  }
  void store(std::uint64_t address, std::uint32_t value) {
    std::vector<unsigned char> data;
    for (int i = 0; i < 4; ++i) data.push_back(static_cast<unsigned char>(value >> (8 * i)));
    store(address, data);
  }
  std::vector<unsigned char> load_bytes(std::uint64_t address, std::size_t bytes) {
    std::vector<unsigned char> data(bytes, 0);
    access(tlm::TLM_READ_COMMAND, address, data);
    return data;
  }
  std::uint32_t load(std::uint64_t address) {
    const std::vector<unsigned char> data = load_bytes(address, 4);
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value |= static_cast<std::uint32_t>(data[i]) << (8 * i);
    return value;
  }
  /// `width`: the streaming width; 0: the length of the data.
  void access(tlm::tlm_command command, std::uint64_t address, std::vector<unsigned char>& data,
              unsigned width = 0) {
    tlm::tlm_generic_payload payload;
    prepare(payload, command, address, data);
    if (width > 0) payload.set_streaming_width(width);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->b_transport(payload, delay);
    wait(delay);
    status = payload.get_response_status();
  }
  void pause(std::int64_t picoseconds) { wait(time_of(picoseconds)); }
  /// Bytes that the debug transport copies.
  unsigned debug(tlm::tlm_command command, std::uint64_t address,
                 std::vector<unsigned char>& data) {
    tlm::tlm_generic_payload payload;
    prepare(payload, command, address, data);
    return socket->transport_dbg(payload);
  }
  bool gets_direct_memory(std::uint64_t address) {
    tlm::tlm_generic_payload payload;
    payload.set_address(address);
    tlm::tlm_dmi dmi;
    return socket->get_direct_mem_ptr(payload, dmi);
  }

 private:
  void run() {
    program_(*this);
    is_done = true;
  }
  static void prepare(tlm::tlm_generic_payload& payload, tlm::tlm_command command,
                      std::uint64_t address, std::vector<unsigned char>& data) {
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(data.data());
    payload.set_data_length(static_cast<unsigned>(data.size()));
    payload.set_streaming_width(static_cast<unsigned>(data.size()));
  }
  std::function<void(Cpu&)> program_;
};

}  // namespace flitwave::test
