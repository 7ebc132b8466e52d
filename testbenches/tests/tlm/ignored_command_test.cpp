// testbenches/tests/tlm/ignored_command_test.cpp: devices of a job and TLM_IGNORE_COMMAND.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "modules/tlm/devices/payload_pool.hpp"
#include "modules/tlm/tlm_bridge.hpp"
#include "testbenches/run/network.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/small_network.hpp"

namespace ignored_command_test {

using namespace flitwave;

namespace {

constexpr std::uint64_t memory = 0x10000;

/// An initiator at 0_0, a memory and registers.
Scenario job() {
  return Scenario::parse(R"(
scenario: ignored
topology: {kind: mesh, shape: [3, 2]}
node:
  at:
    - {nodes: [[0, 0]], kind: tlm}
    - {nodes: [[1, 0]], kind: tlm, memory: {size: 4 KiB, wait: 50 ns}}
    - {nodes: [[2, 1]], kind: tlm, registers: true}
transactions:
  map:
    - {base: 0x10000, size: 4 KiB, node: [1, 0]}
    - {base: 0x20000, size: 12 KiB, node: [2, 1]}
observe: [{kind: transactions}]
)");
}

void require(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what);
}

/// An initiator whose commands are ignored, but for loads that show that nothing was changed.
class Initiator final : public sc_core::sc_module, private tlm::tlm_bw_transport_if<> {
 public:
  SC_HAS_PROCESS(Initiator);
  tlm::tlm_initiator_socket<> socket{"socket"};

  Initiator(const sc_core::sc_module_name& name, std::function<void(Initiator&)> run)
      : sc_module(name), run_(std::move(run)) {
    socket.bind(*this);
    SC_THREAD(start);
  }

  bool is_done = false;
  std::array<unsigned char, 4> data{0xde, 0xad, 0xbe, 0xef};

  /// As its constructor leaves it, apart from what an argument says.
  tlm::tlm_generic_payload& ignored(std::uint64_t address, unsigned length = 0,
                                    const unsigned char* enables = nullptr) {
    tlm::tlm_generic_payload& payload = payloads_.take();
    payload.set_command(tlm::TLM_IGNORE_COMMAND);
    payload.set_address(address);
    payload.set_data_ptr(length > 0 ? data.data() : nullptr);
    payload.set_data_length(length);
    payload.set_streaming_width(0);
    payload.set_byte_enable_ptr(const_cast<unsigned char*>(enables));  // the standard has no const
    payload.set_byte_enable_length(enables ? 1 : 0);
    return payload;
  }

  tlm::tlm_response_status block(tlm::tlm_generic_payload& payload) {
    sc_core::sc_time delay;
    socket->b_transport(payload, delay);
    wait(delay);
    return payload.get_response_status();
  }
  tlm::tlm_response_status step(tlm::tlm_generic_payload& payload) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    if (socket->nb_transport_fw(payload, phase, delay) == tlm::TLM_ACCEPTED) wait(responded_);
    return payload.get_response_status();
  }
  unsigned debug(tlm::tlm_generic_payload& payload) { return socket->transport_dbg(payload); }

  /// Loads 4 bytes into `data`.
  void load(std::uint64_t address) {
    tlm::tlm_generic_payload& payload = ignored(address, 4);
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_streaming_width(4);
    require(block(payload) == tlm::TLM_OK_RESPONSE, "a load was rejected");
  }

 private:
  void start() {
    run_(*this);
    is_done = true;
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase& phase,
                                     sc_core::sc_time&) override {
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    responded_.notify(sc_core::SC_ZERO_TIME);
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  std::function<void(Initiator&)> run_;
  PayloadPool payloads_;
  sc_core::sc_event responded_{"responded"};
};

/// Returns: the text of the exception that ends the program; empty if it ends.
std::string run(const std::function<void(Initiator&)>& program) {
  return in_child([&] {
    Network network("network", job());
    Initiator initiator("initiator", program);
    initiator.socket.bind(network.tlm("0_0").for_initiator());
    sc_core::sc_start(100, sc_core::SC_US);
    require(initiator.is_done, "the program has not ended: " + network.results().message);
  });
}

}  // namespace

TEST_CASE("devices of a job answer an ignored command with TLM_OK_RESPONSE, and move no data",
          "[tlm]") {
  const unsigned length = GENERATE(0U, 4U);
  const auto address =
      static_cast<std::uint64_t>(GENERATE(0x10000, 0x10fff, 0x20000, 0x20003, 0x21000));
  CAPTURE(length, address);
  static constexpr unsigned char enabled = TLM_BYTE_ENABLED;
  CHECK(run([&](Initiator& i) {
          const std::array<unsigned char, 4> before = i.data;
          require(i.block(i.ignored(address, length)) == tlm::TLM_OK_RESPONSE, "b_transport");
          require(i.step(i.ignored(address, length)) == tlm::TLM_OK_RESPONSE, "nb_transport");
          require(i.block(i.ignored(address, length, &enabled)) == tlm::TLM_OK_RESPONSE,
                  "b_transport with byte enables");
          require(i.debug(i.ignored(address, length)) == 0, "transport_dbg");
          require(i.data == before, "data were loaded");
          i.load(address - address % 0x1000);
          require(i.data == std::array<unsigned char, 4>{}, "data were stored");
        }) == "");
}

TEST_CASE("an ignored command does not wait for the memory", "[tlm]") {
  CHECK(run([](Initiator& i) {
          i.block(i.ignored(memory, 4));
          const sc_core::sc_time ignored = sc_core::sc_time_stamp();
          i.load(memory);
          const sc_core::sc_time loaded = sc_core::sc_time_stamp() - ignored;
          require(loaded >= ignored + sc_core::sc_time(50, sc_core::SC_NS), "it waits");
        }) == "");
}

TEST_CASE("an ignored command to an address of no device is answered with an address error",
          "[tlm]") {
  CHECK(run([](Initiator& i) {
          require(i.block(i.ignored(0x90000, 4)) == tlm::TLM_ADDRESS_ERROR_RESPONSE, "b_transport");
          require(i.step(i.ignored(0x90000, 4)) == tlm::TLM_ADDRESS_ERROR_RESPONSE, "nb_transport");
        }) == "");
}

}  // namespace ignored_command_test
