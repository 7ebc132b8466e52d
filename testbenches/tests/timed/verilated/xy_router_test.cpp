// testbenches/tests/timed/verilated/xy_router_test.cpp: an example of a router in SystemC RTL in
// the slots of a network.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/extending/rtl/xy_router_design.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace xy_router_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

const char* const wormhole = "{kind: wormhole, preset: single_cycle}";
const char* const everywhere = "{kind: verilated, model: xy_router, adapter: pins}";
const char* const at_three_nodes =
    "{kind: wormhole, preset: single_cycle, at: [{nodes: [[0, 0], [1, 2], [3, 1]], kind: "
    "verilated, "
    "model: xy_router, adapter: pins}]}";

Results run(const std::string& router, const std::string& rate, const std::string& scheduling,
            const std::string& order) {
  return simulate(
      uniform_traffic({{"router", router},
                       {"topology.shape", "[4, 4]"},
                       {"routing", "{kind: dimension_order}"},
                       {"channel", "{vcs: 1, buffer: 4 flit}"},
                       {"traffic.rate", rate + " flit/node/cycle"},
                       {"observe", "[{kind: latency, packets: true}, {kind: flit_log}]"},
                       {"clock.scheduling", scheduling},
                       {"build_order", order},
                       {"stop.limit", "20000 cycle"}}),
      standard_catalog());
}

/// An XyRouter whose output `out_valid_1` is not driven: X.
class UndrivenValid final : public SignalDesign {
 public:
  UndrivenValid(const char* name, int pin, sc_core::sc_signal_in_if<bool>& clock)
      : design_(name, clock), pin_(pin) {}

  PinSignal& pin(int pin) override { return pin == pin_ ? undriven_ : design_.pin(pin); }

 private:
  XyRouterSignals design_;
  int pin_;
  PinSignalOf<XyRouter::Wire> undriven_{"undriven"};
};

}  // namespace

TEST_CASE("a router in SystemC RTL at some or all nodes takes the cycles of a wormhole router",
          "[timed]") {
  RouterDesigns::add(xy_router_design());
  for (const char* rate : {"0.05", "0.3", "0.9"}) {
    if (instrumented && rate != std::string("0.3")) continue;
    const Results expected = run(wormhole, rate, "batched", "forward");
    REQUIRE(expected.table("flit_log").rows.size() > 1000);
    for (const char* router : {everywhere, at_three_nodes}) {
      if (instrumented && router == everywhere) continue;
      for (const RunVariant& variant : compared_variants()) {
        INFO(router << ", rate " << rate << ", " << variant.scheduling << ", " << variant.order);
        const Results found = run(router, rate, variant.scheduling, variant.order);
        REQUIRE(found.message == expected.message);
        REQUIRE(found.table("flit_log").rows == expected.table("flit_log").rows);
        REQUIRE(found.table("packets").rows == expected.table("packets").rows);
        REQUIRE(found.fingerprint == expected.fingerprint);
        REQUIRE(found.cycles == expected.cycles);
      }
    }
  }
  RouterDesigns::remove("xy_router");
}

TEST_CASE("X on a valid of a router in SystemC RTL ends the run with the pin and the cycle",
          "[timed]") {
  RouterDesign design = xy_router_design();
  const int valid = design.outputs[1].valid.pin;
  design.signals = [valid](const char* name, std::uint64_t,
                           sc_core::sc_signal_in_if<bool>& clock) -> std::unique_ptr<SignalDesign> {
    return std::make_unique<UndrivenValid>(name, valid, clock);
  };
  RouterDesigns::add(design);
  const Results results = run(everywhere, "0.05", "batched", "forward");
  CHECK(results.outcome == Outcome::design_error);
  CHECK_THAT(results.message, Catch::Contains("pin out_valid_1: expected 0 or 1, found X"));
  RouterDesigns::remove("xy_router");
}

}  // namespace xy_router_test
