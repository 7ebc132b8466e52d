// testbenches/tests/tlm/protocol_checker_test.cpp: planted violations of the base protocol.
// SPDX-License-Identifier: Apache-2.0
#include "modules/tlm/protocol_checker.hpp"

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <sysc/kernel/sc_spawn.h>

#include "modules/tlm/devices/payload_pool.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/timed/small_network.hpp"

namespace protocol_checker_test {

using namespace flitwave;

namespace {

using sc_core::SC_NS;
using sc_core::sc_time;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

/// An initiator and a target whose calls are those of a script, with a checker in between.
class Script final : public sc_core::sc_module,
                     private tlm::tlm_bw_transport_if<>,
                     private tlm::tlm_fw_transport_if<> {
 public:
  SC_HAS_PROCESS(Script);
  /// `run`: the calls of both sides. `handles`: broken rules are kept, not reported.
  Script(const sc_core::sc_module_name& name, std::function<void(Script&)> run, bool handles = true)
      : sc_module(name), run_(std::move(run)) {
    initiator_.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
    target_.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
    initiator_.bind(checker_.target_socket);
    checker_.initiator_socket.bind(target_);
    if (handles)
      checker_.set_handler([this](const std::string& rule) {
        if (broken.empty()) broken = rule;
      });
    SC_THREAD(start);
  }

  std::string broken;  ///< The first rule that was broken.
  /// What the next nb_transport call on either path returns, and does with its arguments.
  std::function<tlm_sync_enum(tlm_generic_payload&, tlm_phase&, sc_time&)> answer;
  /// What b_transport does.
  std::function<void(tlm_generic_payload&, sc_time&)> serve;

  tlm_generic_payload& payload(std::uint64_t address = 0x100) {
    tlm_generic_payload& payload = payloads_.take();
    payload.set_command(tlm::TLM_WRITE_COMMAND);
    payload.set_address(address);
    payload.set_data_ptr(data_);
    payload.set_data_length(4);
    payload.set_streaming_width(4);
    return payload;
  }

  tlm_sync_enum forward(tlm_generic_payload& payload, tlm_phase phase, double delay = 0) {
    sc_time annotated(delay, SC_NS);
    return initiator_->nb_transport_fw(payload, phase, annotated);
  }
  tlm_sync_enum backward(tlm_generic_payload& payload, tlm_phase phase, double delay = 0) {
    sc_time annotated(delay, SC_NS);
    if (phase == tlm::BEGIN_RESP && payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE &&
        !forgets_status)
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return target_->nb_transport_bw(payload, phase, annotated);
  }
  void block(tlm_generic_payload& payload, double delay = 0) {
    sc_time annotated(delay, SC_NS);
    initiator_->b_transport(payload, annotated);
  }
  bool forgets_status = false;

 private:
  void start() { run_(*this); }

  tlm_sync_enum return_of(tlm_generic_payload& payload, tlm_phase& phase, sc_time& delay) {
    if (!answer) return tlm::TLM_ACCEPTED;
    return std::exchange(answer, nullptr)(payload, phase, delay);
  }
  tlm_sync_enum nb_transport_fw(tlm_generic_payload& payload, tlm_phase& phase,
                                sc_time& delay) override {
    return return_of(payload, phase, delay);
  }
  tlm_sync_enum nb_transport_bw(tlm_generic_payload& payload, tlm_phase& phase,
                                sc_time& delay) override {
    return return_of(payload, phase, delay);
  }
  void b_transport(tlm_generic_payload& payload, sc_time& delay) override {
    if (serve) return serve(payload, delay);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  bool get_direct_mem_ptr(tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm_generic_payload&) override { return 0; }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  tlm::tlm_initiator_socket<> initiator_{"initiator"};
  tlm::tlm_target_socket<> target_{"target"};
  ProtocolChecker<> checker_{"checker"};
  std::function<void(Script&)> run_;
  PayloadPool payloads_;
  unsigned char data_[64] = {};
};

/// The first rule that a script breaks; empty if none is.
std::string broken_by(const std::function<void(Script&)>& run) {
  return in_child([&] {
    Script script("script", run);
    sc_core::sc_start(1, sc_core::SC_US);
    if (!script.broken.empty()) throw std::runtime_error(script.broken);
  });
}

void accept_request(Script& s, tlm_generic_payload& payload) {
  s.forward(payload, tlm::BEGIN_REQ);
  s.backward(payload, tlm::END_REQ);
}

void whole(Script& s, tlm_generic_payload& payload) {
  accept_request(s, payload);
  s.backward(payload, tlm::BEGIN_RESP);
  s.forward(payload, tlm::END_RESP);
}

DECLARE_EXTENDED_PHASE(ignorable_phase);

struct Planted {
  std::string rule;
  std::function<void(Script&)> run;
};

std::vector<Planted> planted() {
  return {
      {"END_REQ after BEGIN_RESP",
       [](Script& s) {
         auto& p = s.payload();
         s.forward(p, tlm::BEGIN_REQ);
         s.backward(p, tlm::BEGIN_RESP);
         s.backward(p, tlm::END_REQ);
       }},
      {"b_transport called outside an SC_THREAD",
       [](Script& s) {
         sc_core::sc_spawn_options options;
         options.spawn_method();
         sc_core::sc_spawn([&s] { s.block(s.payload()); }, nullptr, &options);
       }},
      {"a second BEGIN_REQ before END_REQ of the first",
       [](Script& s) {
         s.forward(s.payload(), tlm::BEGIN_REQ);
         s.forward(s.payload(), tlm::BEGIN_REQ);
       }},
      {"BEGIN_REQ for a transaction that has not ended",
       [](Script& s) {
         auto& p = s.payload();
         accept_request(s, p);
         s.forward(p, tlm::BEGIN_REQ);
       }},
      {"a second END_REQ",
       [](Script& s) {
         auto& p = s.payload();
         accept_request(s, p);
         s.backward(p, tlm::END_REQ);
       }},
      {"END_REQ without BEGIN_REQ", [](Script& s) { s.backward(s.payload(), tlm::END_REQ); }},
      {"BEGIN_RESP without BEGIN_REQ", [](Script& s) { s.backward(s.payload(), tlm::BEGIN_RESP); }},
      {"a second BEGIN_RESP",
       [](Script& s) {
         auto& p = s.payload();
         accept_request(s, p);
         s.backward(p, tlm::BEGIN_RESP);
         s.backward(p, tlm::BEGIN_RESP);
       }},
      {"a second BEGIN_RESP before END_RESP of the first",
       [](Script& s) {
         auto& p = s.payload();
         auto& q = s.payload();
         accept_request(s, p);
         accept_request(s, q);
         s.backward(p, tlm::BEGIN_RESP);
         s.backward(q, tlm::BEGIN_RESP);
       }},
      {"END_RESP without BEGIN_RESP",
       [](Script& s) {
         auto& p = s.payload();
         accept_request(s, p);
         s.forward(p, tlm::END_RESP);
       }},
      {"the address was changed between request and response",
       [](Script& s) {
         auto& p = s.payload();
         accept_request(s, p);
         p.set_address(0x200);
         s.backward(p, tlm::BEGIN_RESP);
       }},
      {"the command was changed between request and response",
       [](Script& s) {
         auto& p = s.payload();
         s.serve = [](tlm_generic_payload& payload, sc_time&) {
           payload.set_command(tlm::TLM_READ_COMMAND);
           payload.set_response_status(tlm::TLM_OK_RESPONSE);
         };
         s.block(p);
       }},
      {"the data length was changed between request and response",
       [](Script& s) {
         auto& p = s.payload();
         accept_request(s, p);
         p.set_data_length(8);
         s.backward(p, tlm::BEGIN_RESP);
       }},
      {"time goes back: this phase is at 3000 ps, the one before at 5000 ps",
       [](Script& s) {
         auto& p = s.payload();
         s.forward(p, tlm::BEGIN_REQ, 5);
         s.backward(p, tlm::END_REQ, 3);
       }},
      {"time goes back: this phase is at 1000 ps, the one before at 4000 ps",
       [](Script& s) {
         s.serve = [](tlm_generic_payload& payload, sc_time& delay) {
           delay = sc_time(1, SC_NS);
           payload.set_response_status(tlm::TLM_OK_RESPONSE);
         };
         s.block(s.payload(), 4);
       }},
      {"a transaction without a memory manager in nb_transport_fw",
       [](Script& s) {
         static tlm_generic_payload p;
         static unsigned char data[4];
         p.set_command(tlm::TLM_READ_COMMAND);
         p.set_data_ptr(data);
         p.set_data_length(4);
         p.set_streaming_width(4);
         s.forward(p, tlm::BEGIN_REQ);
       }},
      {"the response status of a request is not TLM_INCOMPLETE_RESPONSE",
       [](Script& s) {
         auto& p = s.payload();
         p.set_response_status(tlm::TLM_OK_RESPONSE);
         s.forward(p, tlm::BEGIN_REQ);
       }},
      {"the response status of a response is still TLM_INCOMPLETE_RESPONSE",
       [](Script& s) {
         s.forgets_status = true;
         auto& p = s.payload();
         accept_request(s, p);
         s.backward(p, tlm::BEGIN_RESP);
       }},
      {"a request has a data length of 0",
       [](Script& s) {
         auto& p = s.payload();
         p.set_data_length(0);
         s.block(p);
       }},
      {"a request has no data pointer",
       [](Script& s) {
         auto& p = s.payload();
         p.set_data_ptr(nullptr);
         s.forward(p, tlm::BEGIN_REQ);
       }},
      {"a request has a streaming width of 0",
       [](Script& s) {
         auto& p = s.payload();
         p.set_streaming_width(0);
         s.forward(p, tlm::BEGIN_REQ);
       }},
      {"TLM_ACCEPTED with another phase or delay than in the call",
       [](Script& s) {
         s.answer = [](tlm_generic_payload&, tlm_phase& phase, sc_time&) {
           phase = tlm::END_REQ;
           return tlm::TLM_ACCEPTED;
         };
         s.forward(s.payload(), tlm::BEGIN_REQ);
       }},
      {"TLM_UPDATED with the phase BEGIN_REQ on the forward path",
       [](Script& s) {
         s.answer = [](tlm_generic_payload&, tlm_phase&, sc_time&) { return tlm::TLM_UPDATED; };
         s.forward(s.payload(), tlm::BEGIN_REQ);
       }},
      {"END_REQ on the forward path", [](Script& s) { s.forward(s.payload(), tlm::END_REQ); }},
      {"END_RESP on the backward path", [](Script& s) { s.backward(s.payload(), tlm::END_RESP); }},
      {"UNINITIALIZED_PHASE on the forward path",
       [](Script& s) { s.forward(s.payload(), tlm::UNINITIALIZED_PHASE); }},
      {"UNINITIALIZED_PHASE on the backward path",
       [](Script& s) {
         auto& p = s.payload();
         accept_request(s, p);
         s.backward(p, tlm::UNINITIALIZED_PHASE);
       }},
      {"BEGIN_RESP without BEGIN_REQ",
       [](Script& s) {  // after TLM_COMPLETED
         auto& p = s.payload();
         s.answer = [](tlm_generic_payload& payload, tlm_phase&, sc_time&) {
           payload.set_response_status(tlm::TLM_OK_RESPONSE);
           return tlm::TLM_COMPLETED;
         };
         s.forward(p, tlm::BEGIN_REQ);
         s.backward(p, tlm::BEGIN_RESP);
       }},
      {"b_transport with a transaction that has not ended",
       [](Script& s) {
         auto& p = s.payload();
         s.forward(p, tlm::BEGIN_REQ);
         s.block(p);
       }},
  };
}

}  // namespace

TEST_CASE(
    "the checker of the base protocol finds each planted violation, and names its rule and a "
    "remedy",
    "[tlm]") {
  for (const Planted& one : planted()) {
    INFO(one.rule);
    const std::string found = broken_by(one.run);
    CHECK(found.substr(0, found.find(" (")) == one.rule);
    const std::size_t remedy = found.find("); ");
    REQUIRE(remedy != std::string::npos);
    CHECK(found.size() > remedy + 3);
  }
}

TEST_CASE("the checker of the base protocol accepts every permitted order of phases", "[tlm]") {
  const auto done = [](tlm_generic_payload& payload, tlm_phase&, sc_time&) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  };
  const auto updated_to = [](tlm_phase to, double delay) {
    return [to, delay](tlm_generic_payload& payload, tlm_phase& phase, sc_time& annotated) {
      phase = to;
      annotated += sc_time(delay, SC_NS);
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
      return tlm::TLM_UPDATED;
    };
  };
  CHECK(broken_by([&](Script& s) {
          whole(s, s.payload());
          whole(s, s.payload());
          s.answer = done;  // early completion
          s.forward(s.payload(), tlm::BEGIN_REQ);
          auto& p = s.payload();
          s.answer = updated_to(tlm::BEGIN_RESP, 3);  // implies END_REQ
          s.forward(p, tlm::BEGIN_REQ, 1);
          s.forward(p, tlm::END_RESP, 4);
          auto& q = s.payload();
          auto& r = s.payload();
          accept_request(s, q);
          accept_request(s, r);
          s.backward(r, tlm::BEGIN_RESP);  // out of order
          s.forward(r, tlm::END_RESP);
          s.answer = updated_to(tlm::END_RESP, 2);
          s.backward(q, tlm::BEGIN_RESP);
          s.block(s.payload(), 2);
          s.forward(s.payload(), ignorable_phase);
        }) == "");
}

TEST_CASE(
    "without a handler a broken rule is an error of SystemC that names checker, transaction and "
    "remedy",
    "[tlm]") {
  // Sanitizers do not know the stacks of SystemC's threads, in one of which this is thrown.
  if (flitwave::test::instrumented) return;
  const std::string text = in_child([] {
    Script script(
        "script", [](Script& s) { s.backward(s.payload(), tlm::END_REQ); }, false);
    sc_core::sc_start(1, sc_core::SC_US);
  });
  CHECK(text.find("script.checker: END_REQ without BEGIN_REQ (store of 4 B at 0x100); send it once "
                  "per request") != std::string::npos);
}

}  // namespace protocol_checker_test
