// testbenches/tests/consumer/network.cpp: a network beside a module of the project's own.
// SPDX-License-Identifier: Apache-2.0
#include <iostream>

// [network]
#include "flitwave/testbenches/run/network.hpp"

// Counts the edges of its own clock until the network has ended.
class Timer : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Timer);
  Timer(const sc_core::sc_module_name& name, const flitwave::Network& network)
      : sc_module(name), network_(network), clock_("clock", 5, sc_core::SC_NS) {
    SC_METHOD(count);
    sensitive << clock_.posedge_event();
    dont_initialize();
  }

  int edges = 0;

 private:
  void count() {
    ++edges;
    if (network_.has_ended()) sc_core::sc_stop();
  }

  const flitwave::Network& network_;
  sc_core::sc_clock clock_;
};

int sc_main(int, char*[]) {
  const flitwave::Scenario job = flitwave::Scenario::parse(R"(
scenario: beside_a_timer
topology: {kind: mesh, shape: [4, 4]}
operation: {kind: broadcast, root: [0, 0], message: 64 B}
algorithm: {kind: recursive_doubling}
)");
  flitwave::Network network("network", job);
  Timer timer("timer", network);
  try {
    sc_core::sc_start();
  } catch (const sc_core::sc_report&) {
    // The results have the error of the network.
  }
  const flitwave::Results& results = network.results();
  std::cout << results.message << results.value("packets") << " packets in " << results.cycles
            << " cycles, " << timer.edges << " edges of the other clock\n";
  return flitwave::exit_code(results.outcome);
}
// [network]
