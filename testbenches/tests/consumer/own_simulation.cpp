// testbenches/tests/consumer/own_simulation.cpp: runs a job with kinds of its own.
// SPDX-License-Identifier: Apache-2.0
// Arguments: the job, and the folder of its results.
#include <iostream>

// [simulation]
#include "flitwave/testbenches/job/catalog.hpp"
#include "flitwave/testbenches/run/network.hpp"

int sc_main(int argc, char* argv[]) {
  if (argc != 3) return 2;
  flitwave::Network network("network", flitwave::Scenario::load(argv[1]), flitwave::own_catalog(),
                            argv[2]);
  try {
    sc_core::sc_start(1, sc_core::SC_MS);
  } catch (const sc_core::sc_report&) {
    // The results have the error of the network.
  }
  const flitwave::Results& results = network.results();
  std::cout << results.cycles << " cycles " << results.message << '\n';
  return flitwave::exit_code(results.outcome);
}
// [simulation]
