// testbenches/tests/consumer/own_simulation.cpp: runs a job with kinds of its own.
// SPDX-License-Identifier: Apache-2.0
// Arguments: the job, and the folder of its results.
#include <iostream>

// [simulation]
#include "flitwave/testbenches/job/own_catalog.hpp"
#include "flitwave/testbenches/run/network.hpp"

int sc_main(int argc, char* argv[]) {
  if (argc != 3) return 2;
  flitwave::Network network("network", flitwave::Scenario::load(argv[1]), flitwave::own_catalog(),
                            argv[2]);
  sc_core::sc_start();
  const flitwave::Results& results = network.results();
  std::cout << results.message << results.value("transactions") << " transactions\n";
  return flitwave::exit_code(results.outcome);
}
// [simulation]
