// testbenches/tests/cosim/random_networks_test.cpp: networks with routers in Verilog equal those
// with routers in C++.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tests/cosim/random_networks.hpp"

#include <cstdio>

#include <fmt/format.h>

#include "testbenches/run/run_variants.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"

namespace random_networks_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

void check_next(RandomNetworks& networks) {
  const RandomNetwork network = networks.next();
  INFO(network.text() << "\n" << network.rtl.tree().to_yaml());
  const Results model = simulate(network.model);
  const Results rtl = simulate(network.rtl);
  CHECK(model.message == "");
  CHECK(model.outcome == Outcome::complete);
  CHECK(model.value("latency.packets") > 0);
  CHECK(rtl.message == "");
  CHECK(rtl.outcome == model.outcome);
  CHECK(rtl.cycles == model.cycles);
  CHECK(rtl.fingerprint == model.fingerprint);
  CHECK(rtl.value("latency.packets") == model.value("latency.packets"));
  CHECK(rtl.table("packets").rows == model.table("packets").rows);
}

}  // namespace

TEST_CASE("random networks with routers in Verilog equal those with routers in C++", "[cosim]") {
  RandomNetworks networks(1);
  while (networks.drawn() < (instrumented ? 4 : 40)) check_next(networks);
  if (!instrumented) CHECK(networks.least() >= 1);
}

TEST_CASE("200 random networks with every value at least 20 times equal those in C++",
          "[cosim][long]") {
  constexpr int at_least = 20;
  RandomNetworks networks(2);
  if (instrumented)
    while (networks.drawn() < 20) check_next(networks);
  else
    while (networks.drawn() < 200 || (networks.least() < at_least && networks.drawn() < 2000))
      check_next(networks);
  fmt::print("{}{} networks\n", networks.table(), networks.drawn());
  CHECK(networks.least() >= (instrumented ? 1 : at_least));
}

}  // namespace random_networks_test
