// testbenches/tests/consumer/rtl.cpp: a user's router in Verilog, beside the installed package.
// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <string>

#include "flitwave/testbenches/run/simulate.hpp"

namespace {

flitwave::Results run(const std::string& router) {
  using namespace flitwave;
  return simulate(Scenario::parse("scenario: rtl\n"
                                  "topology: {kind: mesh, shape: [3, 3]}\n"
                                  "channel: {vcs: 2, buffer: 4 flit}\n"
                                  "router: {kind: verilated, " +
                                  router +
                                  "}\n"
                                  "traffic: {rate: 0.2 flit/node/cycle, packet: 4 flit, "
                                  "warmup: 100 cycle, measure: 400 cycle}\n"),
                  standard_catalog());
}

}  // namespace

// libsystemc defines main(), which calls this function.
int sc_main(int, char*[]) {
  const flitwave::Results evaluated = run("model: staged_router");
  const flitwave::Results pins = run("model: staged_router, adapter: pins");
  std::cout << "evaluated: "
            << (evaluated.outcome == flitwave::Outcome::complete ? "complete" : evaluated.message)
            << (evaluated.fingerprint == pins.fingerprint ? ", as with pins" : ", unlike pins")
            << "\n";
  std::cout << "unknown model: " << run("model: no_router").message << "\n";
  return evaluated.outcome == flitwave::Outcome::complete ? 0 : 1;
}
