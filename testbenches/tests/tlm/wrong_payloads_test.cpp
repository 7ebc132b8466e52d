// testbenches/tests/tlm/wrong_payloads_test.cpp: devices of a job and payloads that are not as the
// standard wants them.
// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "modules/tlm/tlm_bridge.hpp"
#include "testbenches/run/network.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/small_network.hpp"
#include "testbenches/tests/tlm/cpu.hpp"

namespace wrong_payloads_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

constexpr std::uint64_t memory = 0x10000;
constexpr std::uint64_t registers = 0x20000;
constexpr std::uint64_t send_window = registers + 0x1000;

void require(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what);
}

/// Runs a program at node 0_0 of a network with a memory and registers.
/// Returns: the text of the exception that ends the program; empty if it ends.
std::string run(const std::function<void(Cpu&)>& program) {
  return in_child([&] {
    Network network("network", Scenario::parse(R"(
scenario: wrong_payloads
topology: {kind: mesh, shape: [3, 2]}
node:
  at:
    - {nodes: [[0, 0]], kind: tlm}
    - {nodes: [[1, 0]], kind: tlm, memory: {size: 4 KiB, wait: 1 us}}
    - {nodes: [[2, 1]], kind: tlm, registers: true}
transactions:
  map:
    - {base: 0x10000, size: 4 KiB, node: [1, 0]}
    - {base: 0x20000, size: 12 KiB, node: [2, 1]}
)"));
    Cpu cpu("cpu", program);
    cpu.socket.bind(network.tlm("0_0").for_initiator());
    sc_core::sc_start(100, sc_core::SC_US);
    require(cpu.is_done, "the program has not ended: " + network.results().message);
  });
}

}  // namespace

TEST_CASE("the debug transport of a job's devices copies nothing without a data pointer", "[tlm]") {
  const std::uint64_t address = GENERATE(memory, registers, send_window);
  const tlm::tlm_command command = GENERATE(tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND);
  const unsigned length = GENERATE(0U, 4U);
  CAPTURE(address, command, length);
  CHECK(run([&](Cpu& cpu) {
          tlm::tlm_generic_payload payload;
          payload.set_command(command);
          payload.set_address(address);
          payload.set_data_length(length);
          payload.set_streaming_width(length);
          require(cpu.socket->transport_dbg(payload) == 0, "bytes were copied");
        }) == "");
}

TEST_CASE("devices of a job answer a command of no meaning with an error, without waiting",
          "[tlm]") {
  const std::uint64_t address = GENERATE(memory, registers, send_window);
  CAPTURE(address);
  CHECK(run([&](Cpu& cpu) {
          const auto unknown = static_cast<tlm::tlm_command>(3);
          std::vector<unsigned char> data{1, 0, 0, 0};
          cpu.access(unknown, address, data);
          require(cpu.status == tlm::TLM_COMMAND_ERROR_RESPONSE, "b_transport");
          require(sc_core::sc_time_stamp() < sc_core::sc_time(1, sc_core::SC_US), "it waits");
          require(cpu.debug(unknown, address, data) == 0, "transport_dbg");
          require(data == std::vector<unsigned char>{1, 0, 0, 0}, "data were loaded");
          require(cpu.load(address) == 0, "data were stored");
        }) == "");
}

TEST_CASE("a memory of a job moves no data if a byte enable is neither 0x00 nor 0xff", "[tlm]") {
  CHECK(run([](Cpu& cpu) {
          const auto store = [&](std::vector<unsigned char> enables) {
            unsigned char data[4] = {1, 2, 3, 4};
            tlm::tlm_generic_payload payload;
            payload.set_command(tlm::TLM_WRITE_COMMAND);
            payload.set_address(memory);
            payload.set_data_ptr(data);
            payload.set_data_length(4);
            payload.set_streaming_width(4);
            payload.set_byte_enable_ptr(enables.data());
            payload.set_byte_enable_length(static_cast<unsigned>(enables.size()));
            sc_core::sc_time delay;
            cpu.socket->b_transport(payload, delay);
            return payload.get_response_status();
          };
          require(store({0xff, 0, 0x7f, 0}) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, "0x7f");
          require(store({0xff, 1}) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, "1, repeated");
          require(sc_core::sc_time_stamp() < sc_core::sc_time(1, sc_core::SC_US), "it waits");
          require(cpu.load(memory) == 0, "data were stored");
          require(store({0xff, 0, 0xff, 0, 0x7f}) == tlm::TLM_OK_RESPONSE, "beyond the data");
          require(cpu.load(memory) == 0x00030001, "other data were stored");
        }) == "");
}

}  // namespace wrong_payloads_test
