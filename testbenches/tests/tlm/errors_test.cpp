// testbenches/tests/tlm/errors_test.cpp: sockets and devices that misbehave.
// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <tlm_utils/simple_target_socket.h>
#include <vector>

#include "configs/error.hpp"
#include "modules/tlm/devices/memory.hpp"
#include "modules/tlm/devices/payload_pool.hpp"
#include "modules/tlm/tlm_bridge.hpp"
#include "testbenches/run/network.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/small_network.hpp"
#include "testbenches/tests/tlm/cpu.hpp"

namespace errors_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// An initiator at 0_0 and a target at 2_1, from address 0x1000 on.
Scenario pair(const std::string& more = "") {
  return Scenario::parse(R"(
scenario: pair
topology: {kind: mesh, shape: [3, 2]}
node: {at: [{nodes: [[0, 0], [2, 1]], kind: tlm}]}
transactions: {map: [{base: 0x1000, size: 4 KiB, node: [2, 1]}], answer_within: 5000 cycle}
observe: [{kind: transactions}]
)" + more);
}

/// A target whose calls are functions.
class Target final : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
 public:
  tlm::tlm_target_socket<> socket{"socket"};
  std::function<void(tlm::tlm_generic_payload&, sc_core::sc_time&)> serve;
  std::function<tlm::tlm_sync_enum(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&)>
      step = [](auto&, auto&, auto&) { return tlm::TLM_ACCEPTED; };

  explicit Target(const sc_core::sc_module_name& name) : sc_module(name) { socket.bind(*this); }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    return step(payload, phase, delay);
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    if (serve) return serve(payload, delay);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return true; }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
};

/// An initiator that begins transactions and answers as functions say.
class Requester final : public sc_core::sc_module, private tlm::tlm_bw_transport_if<> {
 public:
  SC_HAS_PROCESS(Requester);
  tlm::tlm_initiator_socket<> socket{"socket"};
  std::function<tlm::tlm_sync_enum(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&)>
      step = [](auto&, auto&, auto&) { return tlm::TLM_ACCEPTED; };

  Requester(const sc_core::sc_module_name& name, std::function<void(Requester&)> run)
      : sc_module(name), run_(std::move(run)) {
    socket.bind(*this);
    SC_THREAD(start);
  }

  tlm::tlm_sync_enum begin(std::uint64_t address) {
    tlm::tlm_generic_payload& payload = payloads_.take();
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(address);
    payload.set_data_ptr(data_);
    payload.set_data_length(4);
    payload.set_streaming_width(4);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const auto status = socket->nb_transport_fw(payload, phase, delay);
    response = payload.get_response_status();
    return status;
  }
  tlm::tlm_response_status response = tlm::TLM_INCOMPLETE_RESPONSE;

 private:
  void start() { run_(*this); }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    return step(payload, phase, delay);
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  std::function<void(Requester&)> run_;
  PayloadPool payloads_;
  unsigned char data_[4] = {};
};

void require(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what);
}

/// The message of the results after both have run for a while.
std::string message_of(const std::function<void(Requester&)>& run,
                       const std::function<void(Target&, Requester&)>& prepare = {},
                       const std::string& more = "") {
  return in_child([&] {
    sc_core::sc_report_handler::set_actions(Network::error_type, sc_core::SC_DO_NOTHING);
    Network network("network", pair(more));
    Target target("target");
    Requester requester("requester", run);
    network.tlm("2_1").for_target().bind(target.socket);
    requester.socket.bind(network.tlm("0_0").for_initiator());
    if (prepare) prepare(target, requester);
    sc_core::sc_start(100, sc_core::SC_US);
    const Results& results = network.results();
    throw std::runtime_error(names_of(Outcome{})[static_cast<std::size_t>(results.outcome)] + ": " +
                             results.message);
  });
}

}  // namespace

TEST_CASE("a target that never answers ends the run with an error that names the transaction",
          "[tlm]") {
  const std::string text = message_of([](Requester& r) { r.begin(0x1010); });
  CHECK(text.find("design_error: cycle ") == 0);
  CHECK(text.find("node 2_1, memory: response: expected within 5000 cycles "
                  "(transactions.answer_within), found none since cycle ") != std::string::npos);
  CHECK(text.find("(load of 4 B at 0x10 by node 0_0, socket 0, to node 2_1)") != std::string::npos);
  CHECK(message_of([](Requester& r) { r.begin(0x1010); }, {}, "watchdog: {interval: 100 cycle}")
            .find("design_error: cycle 5") == 0);
}

TEST_CASE(
    "an initiator that never ends a response ends the run with an error that names the "
    "transaction",
    "[tlm]") {
  const std::string text = message_of([](Requester& r) { r.begin(0x1010); },
                                      [](Target& target, Requester&) {
                                        target.step = [](auto& payload, auto&, auto&) {
                                          payload.set_response_status(tlm::TLM_OK_RESPONSE);
                                          return tlm::TLM_COMPLETED;
                                        };
                                      });
  CHECK(text.find("node 0_0, socket for initiator 0: END_RESP: expected within 5000 cycles") !=
        std::string::npos);
}

TEST_CASE("a broken rule of the base protocol ends the run with an error that names the socket",
          "[tlm]") {
  CHECK(
      message_of([](Requester& r) {
        r.begin(0x1010);
        r.begin(0x1020);
      })
          .find("design_error: cycle 0: network.testbench.tlm_0_0, initiator socket 0: transport: "
                "expected the base protocol of TLM-2.0, found a second BEGIN_REQ before END_REQ of "
                "the first (load of 4 B at "
                "0x1020)") == 0);
  const std::string text = message_of([](Requester& r) { r.begin(0x1010); },
                                      [](Target& target, Requester&) {
                                        target.step = [](auto&, auto&, auto&) {
                                          return tlm::TLM_COMPLETED;  // without a status
                                        };
                                      });
  CHECK(text.find(
            "network.testbench.tlm_2_1, memory: transport: expected the base protocol of TLM-2.0, "
            "found the response status of a response is still TLM_INCOMPLETE_RESPONSE") !=
        std::string::npos);
}

TEST_CASE("an address of no device is answered at once with an address error", "[tlm]") {
  CHECK(message_of([](Requester& r) {
          require(r.begin(0x5000) == tlm::TLM_COMPLETED, "not completed");
          require(r.response == tlm::TLM_ADDRESS_ERROR_RESPONSE, "no address error");
          require(r.begin(0x1ffe) == tlm::TLM_COMPLETED, "beyond the end of the region");
          require(sc_core::sc_time_stamp() == sc_core::SC_ZERO_TIME, "time has passed");
        }) == "complete: ");
}

TEST_CASE("after the end of a run transactions are answered with an error, and time passes",
          "[tlm]") {
  CHECK(in_child([] {
          sc_core::sc_report_handler::set_actions(Network::error_type, sc_core::SC_DO_NOTHING);
          Network network("network", pair("stop: {limit: 200 cycle}"));
          Memory memory("memory", 4096, sc_core::SC_ZERO_TIME);
          int errors = 0;
          Cpu cpu("cpu", [&](Cpu& c) {
            for (int i = 0; i < 40; ++i) {
              c.load(0x1000);
              errors += c.status == tlm::TLM_GENERIC_ERROR_RESPONSE ? 1 : 0;
            }
          });
          network.tlm("2_1").for_target().bind(memory.socket);
          cpu.socket.bind(network.tlm("0_0").for_initiator());
          sc_core::sc_start(100, sc_core::SC_US);
          require(network.results().outcome == Outcome::limit, network.results().message);
          require(cpu.is_done, "the initiator waits forever");
          require(errors > 10, "there are no errors");
        }) == "");
}

TEST_CASE("sockets that are not bound, or bound twice, are errors before the simulation", "[tlm]") {
  CHECK(in_child([] {
          Network network("network", pair());
          network.tlm("0_0").for_initiator();
          sc_core::sc_start(1, sc_core::SC_US);
        }) ==
        "job:4:13: node.at[0]: nothing is bound to the socket for initiator 0 of node 0_0; "
        "bind a socket to it before the simulation starts");
  CHECK(in_child([] {
          Network network("network", pair());
          Cpu one("one", [](Cpu&) {});
          Cpu other("other", [](Cpu&) {});
          one.socket.bind(network.tlm("0_0").for_initiator());
          other.socket.bind(network.tlm("0_0").for_initiator());
          sc_core::sc_start(1, sc_core::SC_US);
        }) ==
        "job:4:13: node.at[0]: 2 sockets are bound to the socket for initiator 0 of node 0_0; "
        "bind one; a further initiator at the node has a socket of the next number");
  CHECK(in_child([] {
          Network network("network", pair());
          Cpu one("one", [](Cpu&) {});
          one.socket.bind(network.tlm("0_0").for_initiator());
          sc_core::sc_start(1, sc_core::SC_US);
        }) ==
        "job:4:13: node.at[0]: node 2_1 has no initiator and no target; write `initiator: "
        "{program: FILE}` or `memory: {size: 64 KiB}`, or bind a module of your own to a "
        "socket of Network::tlm");
  CHECK(in_child([] { Network("network", pair()).tlm("1_1"); }) ==
        "job:4:8: node.at: node 1_1 has no sockets; name it there, e.g. {nodes: [...], kind: tlm}");
  CHECK(in_child([] { Network("network", pair()).tlm("7_1"); }) ==
        "node: the network has no node `7_1`; nodes are named as in results, e.g. 0_0");
  CHECK(in_child([] {
          Network network("network", pair());
          network.tlm("0_0").for_initiator<64>(1);
          network.tlm("0_0").for_initiator<32>(1);
        }) ==
        "network.testbench.tlm_0_0.for_initiator_1: it exists with another bus width; use the "
        "width of the first call");
}

TEST_CASE("extensions, and sockets of other widths, are kept", "[tlm]") {
  struct Mark final : tlm::tlm_extension<Mark> {
    int value = 0;
    tlm_extension_base* clone() const override { return new Mark(*this); }
    void copy_from(const tlm_extension_base& other) override {
      value = static_cast<const Mark&>(other).value;
    }
  };
  struct Wide final : sc_core::sc_module {
    tlm_utils::simple_target_socket<Wide, 128> socket{"socket"};
    explicit Wide(const sc_core::sc_module_name& name) : sc_module(name) {
      socket.register_b_transport(this, &Wide::b_transport);
    }
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
      Mark* mark = nullptr;
      payload.get_extension(mark);
      if (mark) ++mark->value;
      seen = payload.get_address();
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    std::uint64_t seen = 0;
  };
  struct Marker final : sc_core::sc_module {
    SC_HAS_PROCESS(Marker);
    tlm_utils::simple_initiator_socket<Marker, 64> socket{"socket"};
    explicit Marker(const sc_core::sc_module_name& name) : sc_module(name) { SC_THREAD(run); }
    void run() {
      tlm::tlm_generic_payload payload;
      unsigned char data[4] = {};
      payload.set_write();
      payload.set_address(0x1234);
      payload.set_data_ptr(data);
      payload.set_data_length(4);
      payload.set_streaming_width(4);
      payload.set_extension(&mark);
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      socket->b_transport(payload, delay);
      address = payload.get_address();
      payload.clear_extension(&mark);
    }
    Mark mark;
    std::uint64_t address = 0;
  };
  CHECK(in_child([] {
          Network network("network", pair());
          Wide target("target");
          Marker marker("marker");
          network.tlm("2_1").for_target<128>("any").bind(target.socket);
          marker.socket.bind(network.tlm("0_0").for_initiator<64>());
          sc_core::sc_start(1, sc_core::SC_US);
          require(marker.mark.value == 1, "the target did not see the extension");
          require(target.seen == 0x234, "the target's address does not begin at its region");
          require(marker.address == 0x1234, "the initiator's address was not restored");
        }) == "");
}

}  // namespace errors_test
