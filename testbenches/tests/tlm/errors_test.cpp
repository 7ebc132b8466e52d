// testbenches/tests/tlm/errors_test.cpp: sockets and devices that misbehave.
// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <tlm_utils/simple_target_socket.h>
#include <vector>

#include <sysc/kernel/sc_spawn.h>

#include "configs/error.hpp"
#include "modules/tlm/devices/memory.hpp"
#include "modules/tlm/devices/payload_pool.hpp"
#include "modules/tlm/protocol_checker.hpp"
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

  tlm::tlm_sync_enum begin(std::uint64_t address, sc_core::sc_time delay = sc_core::SC_ZERO_TIME) {
    tlm::tlm_generic_payload& payload = payloads_.take();
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(address);
    payload.set_data_ptr(data_);
    payload.set_data_length(4);
    payload.set_streaming_width(4);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
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

sc_core::sc_process_handle thread_of(const sc_core::sc_module& module) {
  return sc_core::sc_process_handle(
      dynamic_cast<sc_core::sc_process_b*>(module.get_child_objects().back()));
}

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
  CHECK(text.find(
            "(load of 4 B at 0x1010 by node 0_0, socket 0, to node 2_1); let the target respond "
            "sooner, or increase the limit") != std::string::npos);
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
          .find(
              "design_error: cycle 0: network.testbench.tlm_0_0, initiator socket 0: transport: "
              "expected the base protocol of TLM-2.0, found a second BEGIN_REQ before END_REQ of "
              "the first (load of 4 B at 0x1020); wait for END_REQ or the response of the first") ==
      0);
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

TEST_CASE("an error at a target names the transaction as its initiator knows it", "[tlm]") {
  using Step = decltype(Target::step);
  const auto at_target = [](const Step& step) {
    return message_of([](Requester& r) { r.begin(0x1010); },
                      [&](Target& target, Requester&) {
                        target.step = [step](auto& payload, tlm::tlm_phase& phase,
                                             sc_core::sc_time& delay) {
                          if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
                          payload.set_response_status(tlm::TLM_OK_RESPONSE);
                          return step(payload, phase, delay);
                        };
                      });
  };
  const std::string whose = " (load of 4 B at 0x1010 by node 0_0, socket 0, to node 2_1); ";
  CHECK_THAT(at_target([](auto& payload, auto&, auto&) {
               payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
               return tlm::TLM_COMPLETED;
             }),
             Catch::Contains("is still TLM_INCOMPLETE_RESPONSE" + whose));
  CHECK_THAT(at_target([](auto& payload, auto&, auto&) {
               payload.set_address(0x77);
               return tlm::TLM_COMPLETED;
             }),
             Catch::Contains("the address was changed between request and response" + whose));
  CHECK_THAT(at_target([](auto&, auto&, auto& delay) {
               delay = sc_core::sc_time(-5, sc_core::SC_NS);
               return tlm::TLM_COMPLETED;
             }),
             Catch::Contains("a simulation" + whose));
}

TEST_CASE("an error names the transaction also when its target has answered", "[tlm]") {
  const std::string text =
      message_of([](Requester& r) { r.begin(0x1010); },
                 [](Target& target, Requester&) {
                   target.step = [&target](auto& payload, tlm::tlm_phase& phase, auto&) {
                     if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
                     payload.set_response_status(tlm::TLM_OK_RESPONSE);
                     for (int i = 0; i < 2; ++i) {
                       tlm::tlm_phase response = tlm::BEGIN_RESP;
                       sc_core::sc_time delay;
                       target.socket->nb_transport_bw(payload, response, delay);
                     }
                     return tlm::TLM_ACCEPTED;
                   };
                 });
  CHECK_THAT(text, Catch::Contains("tlm_2_1, memory: ") &&
                       Catch::Contains("a second BEGIN_RESP (load of 4 B at 0x1010 by node 0_0, "
                                       "socket 0, to node 2_1)"));
}

TEST_CASE("an error of an initiator names the transaction also while its target has it", "[tlm]") {
  tlm::tlm_generic_payload* taken = nullptr;
  const std::string text = message_of(
      [&](Requester& r) {
        r.begin(0x1010);
        sc_core::wait(1, sc_core::SC_US);
        tlm::tlm_phase phase = tlm::END_RESP;
        sc_core::sc_time delay;
        r.socket->nb_transport_fw(*taken, phase, delay);
      },
      [&](Target& target, Requester&) {
        target.step = [&](auto& payload, auto&, auto&) {
          taken = &payload;
          return tlm::TLM_ACCEPTED;
        };
      });
  CHECK_THAT(text, Catch::Contains("tlm_0_0, initiator socket 0: ") &&
                       Catch::Contains("END_RESP without BEGIN_RESP (load of 4 B at 0x1010 by node "
                                       "0_0, socket 0, to node 2_1)"));
}

TEST_CASE("b_transport called from an SC_METHOD ends the run with an error that names a remedy",
          "[tlm]") {
  CHECK(
      in_child([] {
        sc_core::sc_report_handler::set_actions(Network::error_type, sc_core::SC_DO_NOTHING);
        Network network("network", pair());
        Memory memory("memory", 4096, sc_core::SC_ZERO_TIME);
        Cpu cpu("cpu", [](Cpu&) {});
        network.tlm("2_1").for_target().bind(memory.socket);
        cpu.socket.bind(network.tlm("0_0").for_initiator());
        int answered = 0;
        sc_core::sc_spawn_options options;
        options.spawn_method();
        sc_core::sc_spawn(
            [&] {
              unsigned char data[4] = {};
              tlm::tlm_generic_payload payload;
              payload.set_read();
              payload.set_address(0x1010);
              payload.set_data_ptr(data);
              payload.set_data_length(4);
              payload.set_streaming_width(4);
              sc_core::sc_time delay;
              cpu.socket->b_transport(payload, delay);
              require(payload.get_response_status() == tlm::TLM_GENERIC_ERROR_RESPONSE, "status");
              // The second call comes after the end of the run.
              if (++answered < 2) sc_core::next_trigger(10, sc_core::SC_NS);
            },
            nullptr, &options);
        sc_core::sc_start(1, sc_core::SC_US);
        require(answered == 2, "b_transport has not returned");
        throw std::runtime_error(network.results().message);
      }) ==
      "cycle 0: network.testbench.tlm_0_0, initiator socket 0: transport: expected the base "
      "protocol of TLM-2.0, found b_transport called outside an SC_THREAD (load of 4 B at 0x1010); "
      "call it from an SC_THREAD, or use nb_transport_fw");
}

TEST_CASE("an address of no device is answered with an address error, without a message", "[tlm]") {
  CHECK(message_of([](Requester& r) {
          require(r.begin(0x5000) == tlm::TLM_COMPLETED, "not completed");
          require(r.response == tlm::TLM_ADDRESS_ERROR_RESPONSE, "no address error");
          require(r.begin(0x1ffe) == tlm::TLM_COMPLETED, "beyond the end of the region");
          require(sc_core::sc_time_stamp() == sc_core::SC_ZERO_TIME, "time has passed");
        }) == "complete: ");
}

TEST_CASE("delays that are negative or endless end the run with an error", "[tlm]") {
  for (const sc_core::sc_time& delay :
       {sc_core::sc_time(-5, sc_core::SC_NS), sc_core::sc_max_time()}) {
    const std::string text = message_of([&](Requester& r) { r.begin(0x1010, delay); });
    CHECK(text.find("found a delay that is negative, or leads beyond the longest time of a "
                    "simulation (load of 4 B at 0x1010)") != std::string::npos);
  }
}

TEST_CASE(
    "requests of one instant reach a target in the order of their sockets, whatever their style",
    "[tlm]") {
  CHECK(in_child([] {
          Network network("network", pair().with("node.at", "[{nodes: [[2, 1]], kind: tlm}]"));
          Target target("target");
          std::string order;
          target.serve = [&](tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
            order += "b";
            payload.set_response_status(tlm::TLM_OK_RESPONSE);
          };
          target.step = [&](tlm::tlm_generic_payload& payload, tlm::tlm_phase&, sc_core::sc_time&) {
            order += "n";
            payload.set_response_status(tlm::TLM_OK_RESPONSE);
            return tlm::TLM_COMPLETED;
          };
          Cpu first("first", [](Cpu& cpu) { cpu.load(0x1000); });
          Requester second("second", [](Requester& r) { r.begin(0x1004); });
          Cpu third("third", [](Cpu& cpu) { cpu.load(0x1008); });
          second.step = [](auto&, tlm::tlm_phase& phase, auto&) {
            return phase == tlm::BEGIN_RESP ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
          };
          TlmBridge& bridge = network.tlm("2_1");
          bridge.for_target().bind(target.socket);
          first.socket.bind(bridge.for_initiator(0));
          second.socket.bind(bridge.for_initiator(1));
          third.socket.bind(bridge.for_initiator(2));
          sc_core::sc_start(1, sc_core::SC_US);
          require(order == "bnb", "order: " + order);
        }) == "");
}

TEST_CASE("a response with a delay does not hold up the requests behind it", "[tlm]") {
  CHECK(in_child([] {
          Network network("network", pair());
          Target target("target");
          int requests = 0;
          sc_core::sc_event begun("begun");
          tlm::tlm_generic_payload* first = nullptr;
          target.step = [&](tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                            sc_core::sc_time&) {
            if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
            if (++requests == 1) first = &payload;
            begun.notify(sc_core::SC_ZERO_TIME);
            phase = tlm::END_REQ;
            return tlm::TLM_UPDATED;
          };
          sc_core::sc_spawn([&] {
            sc_core::wait(begun);
            first->set_response_status(tlm::TLM_OK_RESPONSE);
            tlm::tlm_phase phase = tlm::BEGIN_RESP;
            sc_core::sc_time delay(700, sc_core::SC_NS);
            target.socket->nb_transport_bw(*first, phase, delay);
          });
          Requester requester("requester", [](Requester& r) {
            r.begin(0x1000);
            sc_core::wait(100, sc_core::SC_NS);
            r.begin(0x1004);
          });
          requester.step = [](auto&, tlm::tlm_phase& phase, auto&) {
            return phase == tlm::BEGIN_RESP ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
          };
          network.tlm("2_1").for_target().bind(target.socket);
          requester.socket.bind(network.tlm("0_0").for_initiator());
          sc_core::sc_start(400, sc_core::SC_NS);
          require(requests == 2, "the second request waits");
        }) == "");
}

TEST_CASE("accesses that repeat addresses fit in the region of these addresses", "[tlm]") {
  CHECK(in_child([] {
          Network network("network", pair());
          Memory memory("memory", 4096, sc_core::SC_ZERO_TIME);
          Cpu cpu("cpu", [&](Cpu& c) {
            std::vector<unsigned char> data(16, 7);
            c.access(tlm::TLM_WRITE_COMMAND, 0x1ffc, data, 4);
            require(c.status == tlm::TLM_OK_RESPONSE, "rejected");
            c.access(tlm::TLM_WRITE_COMMAND, 0x1ffc, data, 5);
            require(c.status == tlm::TLM_ADDRESS_ERROR_RESPONSE, "beyond the end");
          });
          network.tlm("2_1").for_target().bind(memory.socket);
          cpu.socket.bind(network.tlm("0_0").for_initiator());
          sc_core::sc_start(1, sc_core::SC_US);
          require(cpu.is_done, "not done");
        }) == "");
}

TEST_CASE("a program that polls an address of no device lets time pass", "[tlm]") {
  CHECK(in_child([] {
          Network network("network", pair());
          Memory memory("memory", 4096, sc_core::SC_ZERO_TIME);
          Cpu cpu("cpu", [&](Cpu& c) {
            do c.load(0x9000);
            while (c.status != tlm::TLM_OK_RESPONSE);
          });
          network.tlm("2_1").for_target().bind(memory.socket);
          cpu.socket.bind(network.tlm("0_0").for_initiator());
          sc_core::sc_start(1, sc_core::SC_US);
          require(network.results().value("transactions.errors") == 1000, "one in a cycle");
        }) == "");
}

TEST_CASE("a blocking transaction ends although its target has broken a rule", "[tlm]") {
  CHECK(in_child([] {
          sc_core::sc_report_handler::set_actions(Network::error_type, sc_core::SC_DO_NOTHING);
          Network network("network", pair());
          Target target("target");
          target.serve = [](tlm::tlm_generic_payload&, sc_core::sc_time&) {};  // no status
          Cpu cpu("cpu", [](Cpu& c) { c.load(0x1000); });
          network.tlm("2_1").for_target().bind(target.socket);
          cpu.socket.bind(network.tlm("0_0").for_initiator());
          sc_core::sc_start(1, sc_core::SC_US);
          require(network.results().outcome == Outcome::design_error, "no error");
          require(cpu.is_done, "the initiator waits forever");
          require(cpu.status == tlm::TLM_GENERIC_ERROR_RESPONSE, "another status");
        }) == "");
}

TEST_CASE(
    "a thread that leaves b_transport before its transaction has ended ends the run with an error",
    "[tlm]") {
  enum class End { none, kill, reset, exception };
  // The message of the results when the thread ends after a time, or how long the load takes.
  const auto message_at = [](End end, double ns) {
    return in_child([&] {
      sc_core::sc_report_handler::set_actions(Network::error_type, sc_core::SC_DO_NOTHING);
      Network network("network", pair());
      Memory memory("memory", 4096, sc_core::sc_time(40, sc_core::SC_NS));
      int calls = 0;
      sc_core::sc_time took;
      Cpu cpu("cpu", [&](Cpu& c) {
        if (++calls > 1) return;
        try {
          c.load_bytes(0x1000, 64);
        } catch (int) {
        }
        took = sc_core::sc_time_stamp();
      });
      network.tlm("2_1").for_target().bind(memory.socket);
      cpu.socket.bind(network.tlm("0_0").for_initiator());
      sc_core::sc_spawn([&] {
        sc_core::wait(ns, sc_core::SC_NS);
        sc_core::sc_process_handle thread = thread_of(cpu);
        if (end == End::kill) thread.kill();
        if (end == End::reset) thread.reset();
        if (end == End::exception) thread.throw_it(0);
      });
      sc_core::sc_start(1, sc_core::SC_US);
      const Results& results = network.results();
      if (end == End::none) throw std::runtime_error(std::to_string(took.to_seconds() * 1e9));
      require(calls == (end == End::reset ? 2 : 1), "the thread does not run as it should");
      require(results.value("transactions.open") == 1, "the transaction is not counted");
      throw std::runtime_error(results.message.substr(results.message.find("expected")));
    });
  };
  const double took = std::stod(message_at(End::none, 0));
  REQUIRE(took > 50);
  for (const End end : {End::kill, End::reset, End::exception})
    for (double ns = 1; ns < took; ns += 5)
      CHECK(message_at(end, ns) ==
            "expected the base protocol of TLM-2.0, found the thread of the initiator was killed "
            "or reset within b_transport, or an exception was thrown into it (load of 64 B at "
            "0x1000 by node 0_0, socket 0, to node 2_1); let b_transport return before");
}

TEST_CASE("all transactions of threads that are killed at once are listed", "[tlm]") {
  CHECK(in_child([&] {
          sc_core::sc_report_handler::set_actions(Network::error_type, sc_core::SC_DO_NOTHING);
          Network network("network", pair());
          Memory memory("memory", 4096, sc_core::SC_ZERO_TIME);
          Cpu one("one", [](Cpu& c) { c.load(0x1000); });
          Cpu other("other", [](Cpu& c) { c.load(0x1010); });
          network.tlm("2_1").for_target().bind(memory.socket);
          one.socket.bind(network.tlm("0_0").for_initiator(0));
          other.socket.bind(network.tlm("0_0").for_initiator(1));
          sc_core::sc_spawn([&] {
            sc_core::wait(10, sc_core::SC_NS);
            thread_of(one).kill();
            thread_of(other).kill();
          });
          sc_core::sc_start(1, sc_core::SC_US);
          const Results& results = network.results();
          require(results.value("transactions.open") == 2, "not counted");
          require(results.table("transactions").rows.size() == 2, "not listed");
        }) == "");
}

TEST_CASE("a target that kills the thread of its initiator ends the run with an error", "[tlm]") {
  CHECK(in_child([&] {
          sc_core::sc_report_handler::set_actions(Network::error_type, sc_core::SC_DO_NOTHING);
          Network network("network", pair());
          Target target("target");
          Cpu cpu("cpu", [](Cpu& c) { c.load_bytes(0x1000, 64); });
          target.serve = [&](tlm::tlm_generic_payload&, sc_core::sc_time&) {
            thread_of(cpu).kill();
          };
          network.tlm("2_1").for_target().bind(target.socket);
          cpu.socket.bind(network.tlm("0_0").for_initiator());
          sc_core::sc_start(10, sc_core::SC_US);
          throw std::runtime_error(network.results().message);
        }).find("found the thread of the initiator was killed or reset") != std::string::npos);
}

TEST_CASE("sockets at a node with devices of the job keep the run open", "[tlm]") {
  CHECK(in_child([] {
          Network network(
              "network", pair().with("node.at", "[{nodes: [[2, 1]], kind: tlm, registers: true}]"));
          Cpu cpu("cpu", [](Cpu& c) {
            c.pause(500'000);
            c.load(0x1000);
          });
          cpu.socket.bind(network.tlm("2_1").for_initiator());
          sc_core::sc_start(1, sc_core::SC_US);
          require(cpu.status == tlm::TLM_OK_RESPONSE, "the run had ended");
          require(network.results().value("transactions") == 1, "not counted");
        }) == "");
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

TEST_CASE(
    "after the end of a run transactions of nb_transport under way are answered with an error",
    "[tlm]") {
  // The first is on its way to the memory, the second at a target that answers later.
  CHECK(in_child([] {
          sc_core::sc_report_handler::set_actions(Network::error_type, sc_core::SC_DO_NOTHING);
          Network network("network", pair("stop: {limit: 100 cycle}"));
          Target target("target");
          Requester early("early", [](Requester& r) { r.begin(0x1000); });
          Requester late("late", [](Requester& r) {
            sc_core::wait(95, sc_core::SC_NS);
            r.begin(0x1010);
          });
          ProtocolChecker<> checker("checker");
          std::string responses;
          std::vector<std::string> broken;
          checker.set_handler([&](const std::string& rule) { broken.push_back(rule); });
          const auto respond = [&](const std::string& name) {
            return [&responses, name](auto& payload, tlm::tlm_phase& phase, auto&) {
              if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
              responses += name + " " + payload.get_response_string() + "; ";
              return tlm::TLM_COMPLETED;
            };
          };
          early.step = respond("early");
          late.step = respond("late");
          tlm::tlm_generic_payload* taken = nullptr;
          target.step = [&](auto& payload, tlm::tlm_phase&, auto&) {
            taken = &payload;
            return tlm::TLM_ACCEPTED;
          };
          sc_core::sc_spawn([&] {
            sc_core::wait(150, sc_core::SC_NS);
            taken->set_response_status(tlm::TLM_OK_RESPONSE);
            tlm::tlm_phase phase = tlm::BEGIN_RESP;
            sc_core::sc_time delay;
            target.socket->nb_transport_bw(*taken, phase, delay);
          });
          network.tlm("2_1").for_target().bind(target.socket);
          early.socket.bind(checker.target_socket);
          checker.initiator_socket.bind(network.tlm("0_0").for_initiator(0));
          late.socket.bind(network.tlm("0_0").for_initiator(1));
          sc_core::sc_start(1, sc_core::SC_US);
          require(network.results().outcome == Outcome::limit, network.results().message);
          require(network.results().value("transactions.open") == 2, "not counted");
          require(broken.empty(), broken.empty() ? "" : broken.front());
          throw std::runtime_error(responses);
        }) == "late TLM_GENERIC_ERROR_RESPONSE; early TLM_GENERIC_ERROR_RESPONSE; ");
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
