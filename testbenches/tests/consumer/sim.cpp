// testbenches/tests/consumer/sim.cpp: runs a job with the installed package.
// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "flitwave/testbenches/run/simulate.hpp"

#include "modules/channel/channel.hpp"

// libsystemc defines main(), which calls this function.
int sc_main(int, char*[]) {
  using namespace flitwave;
  const Results results = simulate(Scenario::parse(R"(
scenario: consumer
topology: {kind: mesh, shape: [4, 4]}
operation: {kind: broadcast, root: [0, 0], message: 64 B}
algorithm: {kind: recursive_doubling}
observe: [{kind: steps}]
)"));
  std::cout << results.message << results.value("packets") << " packets in "
            << results.value("steps") << " steps, " << own_channels << " channel of its own\n";
  return exit_code(results.outcome);
}
