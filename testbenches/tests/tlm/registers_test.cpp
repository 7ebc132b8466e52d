// testbenches/tests/tlm/registers_test.cpp: messages and collectives that stores begin.
// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "modules/tlm/devices/message_registers.hpp"
#include "testbenches/run/network.hpp"
#include "testbenches/run/run_variants.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"
#include "testbenches/tests/timed/scratch_folder.hpp"
#include "testbenches/tests/timed/small_network.hpp"
#include "testbenches/tests/tlm/cpu.hpp"

namespace registers_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

using Registers = MessageRegisters;

void require(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what);
}

void require_equal(std::uint64_t found, std::uint64_t expected, const std::string& what) {
  require(found == expected, fmt::format("{}: {}, expected {}", what, found, expected));
}

/// Registers at nodes 1_0, 2_1 and 0_2 of a 3x3 mesh, from 0x10000, 0x20000 and 0x30000 on, and an
/// initiator at 0_0.
Scenario with_registers(const std::string& more = "") {
  return Scenario::parse(R"(
scenario: registers
topology: {kind: mesh, shape: [3, 3]}
channel: {width: 4 B}
packet_format: {longest: 16 flit}
node:
  at:
    - {nodes: [[0, 0]], kind: tlm}
    - {nodes: [[1, 0], [2, 1], [0, 2]], kind: tlm, registers: true}
transactions:
  map:
    - {base: 0x10000, size: 12 KiB, node: [1, 0]}
    - {base: 0x20000, size: 12 KiB, node: [2, 1]}
    - {base: 0x30000, size: 12 KiB, node: [0, 2]}
observe: [{kind: transactions}, {kind: latency}]
)" + more);
}

constexpr std::uint64_t first = 0x10000;
constexpr std::uint64_t second = 0x20000;
constexpr std::uint64_t third = 0x30000;
constexpr std::uint32_t number_of_first = 1;   // 1_0
constexpr std::uint32_t number_of_second = 5;  // 2_1
constexpr std::uint32_t number_of_third = 6;   // 0_2

/// Runs a program at node 0_0.
/// Returns: the text of the exception that it throws; empty if it ends.
std::string run(const Scenario& job, const std::function<void(Cpu&)>& program,
                const std::function<void(Network&)>& then = {}) {
  return in_child([&] {
    Network network("network", job);
    Cpu cpu("cpu", program);
    cpu.socket.bind(network.tlm("0_0").for_initiator());
    sc_core::sc_start(100, sc_core::SC_US);
    require(cpu.is_done, "the program has not ended: " + network.results().message);
    if (then) then(network);
  });
}

std::vector<unsigned char> some_data(std::size_t bytes) {
  std::vector<unsigned char> data;
  for (std::size_t i = 0; i < bytes; ++i) data.push_back(static_cast<unsigned char>(7 * i + 3));
  return data;
}

void wait_for(Cpu& cpu, std::uint64_t registers, std::uint32_t status) {
  for (int i = 0; i < 1000; ++i)
    if ((cpu.load(registers + Registers::status) & status) == status) return;
  throw std::runtime_error("a status was not reached");
}

}  // namespace

TEST_CASE("a store of a command sends the data of the window, which the receiver reads", "[tlm]") {
  const std::size_t bytes = GENERATE(1, 4, 61, 300, 4096);
  CHECK(run(
            with_registers(),
            [&](Cpu& cpu) {
              require_equal(cpu.load(first + Registers::node), number_of_first, "node");
              cpu.store(first + Registers::send_window, some_data(bytes));
              cpu.store(first + Registers::destination, number_of_second);
              cpu.store(first + Registers::length, static_cast<std::uint32_t>(bytes));
              cpu.store(first + Registers::command, Registers::send);
              require(cpu.status == tlm::TLM_OK_RESPONSE, "the command was rejected");
              wait_for(cpu, first, Registers::done);
              require_equal(cpu.load(first + Registers::completed), 1, "completed");
              wait_for(cpu, second, Registers::message_waits);
              require_equal(cpu.load(second + Registers::received_from), number_of_first, "from");
              require_equal(cpu.load(second + Registers::received_length), bytes, "length");
              require(cpu.load_bytes(second + Registers::receive_window, bytes) == some_data(bytes),
                      "the data differ");
              cpu.store(second + Registers::next_message, 1);
              require_equal(cpu.load(second + Registers::status), 0, "status of the receiver");
              cpu.store(first + Registers::acknowledge, Registers::done);
              require_equal(cpu.load(first + Registers::status), 0, "status of the sender");
            },
            [](Network& network) {
              const Results& results = network.results();
              require(results.outcome == Outcome::complete, results.message);
              require_equal(static_cast<std::uint64_t>(results.value("transactions.errors")), 0,
                            "errors");
            }) == "");
}

TEST_CASE("a multicast command sends the same data to each node of the set", "[tlm]") {
  CHECK(run(with_registers(), [](Cpu& cpu) {
          cpu.store(first + Registers::send_window, some_data(20));
          cpu.store(first + Registers::length, 20);
          cpu.store(first + Registers::receivers, 1U << number_of_second | 1U << number_of_third);
          cpu.store(first + Registers::command, Registers::multicast);
          wait_for(cpu, first, Registers::done);
          for (const std::uint64_t receiver : {second, third}) {
            wait_for(cpu, receiver, Registers::message_waits);
            require(cpu.load_bytes(receiver + Registers::receive_window, 20) == some_data(20),
                    "the data differ");
          }
        }) == "");
}

TEST_CASE("messages of several senders are received one after the other", "[tlm]") {
  CHECK(run(with_registers(), [](Cpu& cpu) {
          for (const std::uint64_t sender : {first, second}) {
            cpu.store(sender + Registers::send_window, {static_cast<unsigned char>(sender >> 16)});
            cpu.store(sender + Registers::length, 1);
            cpu.store(sender + Registers::destination, number_of_third);
            cpu.store(sender + Registers::command, Registers::send);
          }
          wait_for(cpu, third, Registers::message_waits);
          cpu.pause(200'000);
          for (const std::uint32_t sender : {1U, 2U}) {
            require_equal(cpu.load_bytes(third + Registers::receive_window, 1)[0], sender, "data");
            cpu.store(third + Registers::next_message, 1);
          }
          require_equal(cpu.load(third + Registers::status), 0, "status");
          cpu.store(third + Registers::next_message, 1);
          require(cpu.status == tlm::TLM_COMMAND_ERROR_RESPONSE, "there was no message to discard");
        }) == "");
}

TEST_CASE("the interrupt wire is high while an enabled bit of the status is set", "[tlm]") {
  CHECK(run(with_registers(), [](Cpu& cpu) {
          const auto* const interrupt = dynamic_cast<sc_core::sc_signal_inout_if<bool>*>(
              sc_core::sc_find_object("network.testbench.tlm_1_0.registers.interrupt"));
          require(interrupt != nullptr, "there is no interrupt wire");
          cpu.store(first + Registers::length, 4);
          cpu.store(first + Registers::destination, number_of_second);
          cpu.store(first + Registers::command, Registers::send);
          wait_for(cpu, first, Registers::done);
          require(!interrupt->read(), "not enabled, but high");
          cpu.store(first + Registers::interrupt_enable, Registers::done);
          require(interrupt->read(), "enabled, but low");
          cpu.store(first + Registers::acknowledge, Registers::done);
          require(!interrupt->read(), "acknowledged, but high");
        }) == "");
}

TEST_CASE("commands that cannot be carried out and wrong accesses have responses of their own",
          "[tlm]") {
  CHECK(run(with_registers(), [](Cpu& cpu) {
          const auto rejects = [&](std::uint64_t offset, std::uint32_t value,
                                   tlm::tlm_response_status status, const std::string& what) {
            cpu.store(first + offset, value);
            require(cpu.status == status, what);
          };
          const auto wrong = tlm::TLM_COMMAND_ERROR_RESPONSE;
          rejects(Registers::command, Registers::send, wrong, "a length of 0");
          cpu.store(first + Registers::length, 8);
          cpu.store(first + Registers::destination, number_of_first);
          rejects(Registers::command, Registers::send, wrong, "to itself");
          cpu.store(first + Registers::destination, 0);
          rejects(Registers::command, Registers::send, wrong, "to a node without registers");
          cpu.store(first + Registers::destination, 900);
          rejects(Registers::command, Registers::send, wrong, "to no node");
          cpu.store(first + Registers::length, 4097);
          cpu.store(first + Registers::destination, number_of_second);
          rejects(Registers::command, Registers::send, wrong, "longer than the window");
          rejects(Registers::command, Registers::multicast, wrong, "to no node");
          rejects(Registers::command, Registers::begin_collective, wrong, "without a collective");
          rejects(Registers::command, 77, wrong, "an unknown command");
          rejects(Registers::status, 1, wrong, "a register that is read only");
          rejects(0x80, 1, tlm::TLM_ADDRESS_ERROR_RESPONSE, "no register");
          rejects(Registers::status + 2, 1, tlm::TLM_BURST_ERROR_RESPONSE, "unaligned");
          cpu.load_bytes(first + Registers::status, 8);
          require(cpu.status == tlm::TLM_BURST_ERROR_RESPONSE, "two registers");
          cpu.load_bytes(first + Registers::send_window + 4092, 8);
          require(cpu.status == tlm::TLM_ADDRESS_ERROR_RESPONSE, "from one window to the other");
          cpu.load_bytes(0x90000, 4);
          require(cpu.status == tlm::TLM_ADDRESS_ERROR_RESPONSE, "no device");
          cpu.load_bytes(first + Registers::size - 2, 4);
          require(cpu.status == tlm::TLM_ADDRESS_ERROR_RESPONSE, "beyond the region");
          cpu.store(first + Registers::length, 4096);
          cpu.store(first + Registers::command, Registers::send);
          require(cpu.status == tlm::TLM_OK_RESPONSE, "the longest message");
          rejects(Registers::command, Registers::send, wrong, "another is being carried out");
        }) == "");
}

TEST_CASE("the debug transport reads registers and windows without effects", "[tlm]") {
  CHECK(run(with_registers(), [](Cpu& cpu) {
          std::vector<unsigned char> data(4, 0);
          require(cpu.debug(tlm::TLM_READ_COMMAND, first + Registers::node, data) == 4, "a load");
          require_equal(data[0], number_of_first, "node");
          require(cpu.debug(tlm::TLM_WRITE_COMMAND, first + Registers::command, data) == 0,
                  "a store to a register");
          require(cpu.debug(tlm::TLM_READ_COMMAND, 0x90000, data) == 0, "no device");
          require(!cpu.gets_direct_memory(first), "direct memory");
          require_equal(static_cast<std::uint64_t>(picoseconds_now()), 0, "time");
        }) == "");
}

TEST_CASE("a store begins a broadcast at its root, in all schedulings at the same time", "[tlm]") {
  const auto job = [] {
    return with_registers(R"(
operation: {kind: broadcast, root: [1, 0], message: 64 B}
algorithm: {kind: separate}
)")
        .without("node")
        .with("node", R"({at: [{nodes: [[0, 0]], kind: tlm}, {nodes: [[1, 0]], kind: tlm,
registers: true}]})")
        .with("transactions.map", "[{base: 0x10000, size: 12 KiB, node: [1, 0]}]");
  };
  const auto results_of = [&](const Scenario& scenario) {
    const std::string text = run(
        scenario,
        [](Cpu& cpu) {
          cpu.pause(500'300);
          cpu.store(first + Registers::command, Registers::begin_collective);
          require(cpu.status == tlm::TLM_OK_RESPONSE, "rejected");
          wait_for(cpu, first, Registers::done | Registers::collective_over);
          cpu.pause(300'000);
          cpu.store(first + Registers::command, Registers::begin_collective);
          require(cpu.status == tlm::TLM_COMMAND_ERROR_RESPONSE, "begun twice");
        },
        [](Network& network) { throw std::runtime_error(network.results().to_json()); });
    if (text.front() != '{') FAIL(text);
    return Results::from_json(text);
  };
  const Results expected = results_of(job());
  REQUIRE(expected.outcome == Outcome::complete);
  const Scenario alone =
      job().without("node").without("transactions").with("observe", "[{kind: latency}]");
  // The accelerator's broadcast is that of the job without devices, but for its begin; the loads of
  // the status may delay some of its packets.
  CHECK(expected.value("collective.max") >= simulate(alone).value("collective.max"));
  CHECK(expected.value("collective.max") <= 1.3 * simulate(alone).value("collective.max"));
  for (const RunVariant& variant : compared_variants())
    CHECK(difference(results_of(with_variant(job(), variant)), expected) == "");
}

TEST_CASE("a command cannot begin a collective in which its node has no part", "[tlm]") {
  const Scenario job = with_registers(
      "operation: {kind: multicast, source: [0, 1], destinations: [[2, 0]], message: 64 B}");
  CHECK(run(job, [](Cpu& cpu) {
          cpu.store(first + Registers::command, Registers::begin_collective);
          require(cpu.status == tlm::TLM_COMMAND_ERROR_RESPONSE, "not rejected");
          require_equal(cpu.load(first + Registers::status), 0, "status");
        }) == "");
}

TEST_CASE("a collective that no store begins ends the run with an error that names the node",
          "[tlm]") {
  const Scenario job = Scenario::parse(R"(
scenario: never_begun
topology: {kind: mesh, shape: [3, 3]}
node: {at: [{nodes: [[1, 0]], kind: tlm, registers: true}]}
operation: {kind: broadcast, root: [1, 0], message: 64 B}
)");
  const Results early = simulate(job);
  CHECK(early.outcome == Outcome::config_error);
  CHECK_THAT(early.message, Catch::Contains("no node has an initiator"));

  const ScratchFolder folder;
  std::ofstream(folder.path("loads.txt")) << "at 5 load 0x0 4\n";
  const Results results = simulate(job.with(
      "node", "{at: [{nodes: [[1, 0]], kind: tlm, registers: true, initiator: {program: \"" +
                  folder.path("loads.txt") + "\"}}]}"));
  CHECK(results.outcome == Outcome::design_error);
  CHECK(results.message ==
        "cycle 1000: node 1_0, registers: command: expected a store that begins the node's part of "
        "the collective, found none, and all initiators are done; add this store to a program of "
        "`initiator`, or leave out `registers`");
}

}  // namespace registers_test
