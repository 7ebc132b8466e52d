// testbenches/tests/consumer/platform.cpp: a processor and a memory of one's own on the network.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include "flitwave/modules/tlm/tlm_bridge.hpp"
#include "flitwave/testbenches/run/network.hpp"
#include <systemc>

namespace {

/// Stores a word and loads it again.
class Processor final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Processor);
  tlm_utils::simple_initiator_socket<Processor, 64> socket{"socket"};
  unsigned loaded = 0;

  explicit Processor(const sc_core::sc_module_name& name) : sc_module(name) { SC_THREAD(run); }

 private:
  void run() {
    unsigned value = 42;
    access(tlm::TLM_WRITE_COMMAND, value);
    access(tlm::TLM_READ_COMMAND, loaded);
  }
  void access(tlm::tlm_command command, unsigned& word) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(0x80000010);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
    payload.set_data_length(4);
    payload.set_streaming_width(4);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->b_transport(payload, delay);
    wait(delay);
  }
};

/// One word, 30 ns away.
class Word final : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Word, 64> socket{"socket"};

  explicit Word(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &Word::access);
  }

 private:
  void access(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    auto& word = *reinterpret_cast<unsigned*>(payload.get_data_ptr());
    if (payload.is_write())
      word_ = word;
    else
      word = word_;
    delay += sc_core::sc_time(30, sc_core::SC_NS);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  unsigned word_ = 0;
};

}  // namespace

int sc_main(int, char**) {
  // [bind]
  flitwave::Network network("network", flitwave::Scenario::parse(R"(
    scenario: platform
    topology: {kind: mesh, shape: [4, 4]}
    node: {at: [{nodes: [[0, 0], [3, 2]], kind: tlm}]}
    transactions: {map: [{base: 0x80000000, size: 4 KiB, node: [3, 2]}]}
  )"));
  Processor processor("processor");
  Word word("word");
  processor.socket.bind(network.tlm("0_0").for_initiator<64>());
  network.tlm("3_2").for_target<64>().bind(word.socket);
  sc_core::sc_start(1, sc_core::SC_US);
  // [bind]
  const flitwave::Results& results = network.results();
  std::printf("loaded %u, %g transactions of %g ns\n", processor.loaded,
              results.value("transactions"), results.value("transaction.time.mean"));
  return 0;
}
