// testbenches/tests/timed/modules/audit_test.cpp: the audit names a module that sleeps too early.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "configs/error.hpp"
#include "modules/router.hpp"
#include "routers/parts/needs.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"
#include "testbenches/tests/unit/configs/config_error_of.hpp"

namespace audit_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// Mistakes that an author of a router can make.
enum class Mistake {
  none,
  sleeps_in_delay,  ///< A head waits for a delay that the router counts, and nothing wakes it.
  claims_nothing,   ///< It checks whether an output is free, and does not claim it.
  counts_ticks,     ///< It counts the delay in its own ticks, and does not stay awake for them.
};

struct FlawedParams {
  int mistake = 0;
};

/// A router with one buffer per input, no virtual channels, and a routing delay; docs/extending.md
/// has a correct one.
class Flawed final : public Router {
 public:
  Flawed(const sc_core::sc_module_name& name, Mistake mistake, const RouterSite& site)
      : Router(name, site, 0, VcReallocation::non_atomic),
        mistake_(mistake),
        output_(static_cast<std::size_t>(site.ports()), -1),
        ticks_(static_cast<std::size_t>(site.ports())) {}

 private:
  void tick() override {
    for_each_bit(arrivals_, [this](int port) { in_port(port).accept(this_cycle()); });
    used_ = 0;
    for (int port = 0; port < ports(); ++port)
      if (input(PortId(port)) && !in_port(port).empty(0)) advance(port);
  }

  void advance(int port) {
    const InputPort::Slot front = in_port(port).front(0);
    int& output = output_[static_cast<std::size_t>(port)];
    if (output < 0) {
      if (is_delayed(port, front.arrived)) return;
      const int wanted = route(port, front.flit);
      if (out_port(wanted).free_vcs() == 0) return;
      if (mistake_ != Mistake::claims_nothing) out_port(wanted).claim(0, holder_of(port, 0));
      output = wanted;
    }
    if ((used_ >> output & 1) != 0 || !out_port(output).can_send(0)) return;
    used_ |= std::uint64_t{1} << output;
    out_port(output).send(in_port(port).pop(0), 0, this_cycle());
    if (front.flit.tail()) output = -1;
  }

  bool is_delayed(int port, Cycle arrived) {
    if (mistake_ == Mistake::counts_ticks) {
      int& ticks = ticks_[static_cast<std::size_t>(port)];
      ticks = ticks < delay ? ticks + 1 : 0;
      return ticks > 0;
    }
    if (this_cycle() >= arrived + delay) return false;
    if (mistake_ != Mistake::sleeps_in_delay) wake_at(arrived + delay);
    return true;
  }

  int route(int port, Flit head) const {
    Route route;
    site().routing.route(node(), {port < site().network_ports ? PortId(port) : PortId(), 0},
                         site().packets.packet(head).header, route);
    const Candidate& first = route.candidates().front();
    return first.local() ? site().network_ports : first.port.value();
  }

  static constexpr Cycle delay = 6;  // longer than a packet

  Mistake mistake_;
  std::vector<int> output_;
  std::vector<int> ticks_;  // of the head at the front of each input
  std::uint64_t used_ = 0;
};

Catalog with_flawed_routers() {
  Catalog catalog = standard_catalog();
  catalog.routers.add(
      "flawed", {"has mistakes", ""},
      Schema<FlawedParams>{}.optional("mistake", &FlawedParams::mistake, "which", between(0, 3)),
      [](const FlawedParams& params) {
        RouterModel model;
        model.needs = needs::credit_flow_control("it counts credits");
        model.build = [params](const char* name, const RouterSite& site) {
          return std::unique_ptr<Router>(
              std::make_unique<Flawed>(name, static_cast<Mistake>(params.mistake), site));
        };
        return model;
      });
  return catalog;
}

Results run(Mistake mistake, const std::string& scheduling, const std::string& rate = "0.6") {
  return simulate(uniform_traffic({{"router", fmt::format("{{kind: flawed, mistake: {}}}",
                                                          static_cast<int>(mistake))},
                                   {"clock.scheduling", scheduling},
                                   {"traffic.rate", rate + " flit/node/cycle"},
                                   {"traffic.measure", "1000 cycle"},
                                   {"stop", "{limit: 20000 cycle}"}}),
                  with_flawed_routers());
}

}  // namespace

TEST_CASE("an audit names a router that sleeps in a delay of its own, with the cycle and the wire",
          "[timed]") {
  const auto mistake = GENERATE(Mistake::sleeps_in_delay, Mistake::counts_ticks);
  const Results audited = run(mistake, "audit", "0.05");

  INFO(audited.message);
  CHECK(audited.outcome == Outcome::model_error);
  CHECK(contains(audited.message, "cycle "));
  CHECK(contains(audited.message, "router_"));
  CHECK(contains(audited.message, "slept"));
  CHECK(contains(audited.message, "wake_at(cycle)"));
}

TEST_CASE("without an audit such a router gives other results, or never ends", "[timed]") {
  const auto mistake = GENERATE(Mistake::sleeps_in_delay, Mistake::counts_ticks);
  CHECK(difference(run(mistake, "batched", "0.05"), run(Mistake::none, "batched", "0.05")) != "");
}

TEST_CASE("a router that does not claim its output ends with the same error under every scheduling",
          "[timed]") {
  const Results batched = run(Mistake::claims_nothing, "batched");

  INFO(batched.message);
  CHECK(batched.outcome == Outcome::model_error);
  for (const char* scheduling : {"per_module", "audit"}) {
    const Results other = run(Mistake::claims_nothing, scheduling);
    CHECK(other.outcome == Outcome::model_error);
    CHECK(other.message == batched.message);
  }
}

TEST_CASE("an audit reports nothing for a correct router and does not change the results",
          "[timed]") {
  const auto rate = GENERATE(as<std::string>{}, "0.05", "0.3", "0.8");
  CAPTURE(rate);
  const Results batched = run(Mistake::none, "batched", rate);

  REQUIRE(batched.outcome == Outcome::complete);
  CHECK(difference(run(Mistake::none, "audit", rate), batched) == "");
  CHECK(difference(run(Mistake::none, "per_module", rate), batched) == "");
}

}  // namespace audit_test
