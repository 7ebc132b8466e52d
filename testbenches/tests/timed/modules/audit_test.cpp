// testbenches/tests/timed/modules/audit_test.cpp: a module that sleeps when it should not is named.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "configs/error.hpp"
#include "modules/router.hpp"
#include "routers/parts/needs.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"
#include "testbenches/tests/unit/configs/refused.hpp"

namespace audit_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// For what a router does not stay awake although it waits for it.
enum class Forgets { nothing, output, room, next_flit };

struct ForgetfulParams {
  int forgets = 0;
};

/// A buffer for each input, no virtual channels; see docs/extending.md for one that is right.
class Forgetful final : public Router {
 public:
  Forgetful(const sc_core::sc_module_name& name, Forgets forgets, const RouterSite& site)
      : Router(name, site, 0, VcReallocation::non_atomic),
        forgets_(forgets),
        output_(static_cast<std::size_t>(site.ports()), -1) {}

 private:
  bool tick() override {
    poll();
    for_each_bit(arrivals_, [this](int port) { in_port(port).accept(this_cycle()); });
    for_each_bit(returns_, [this](int port) { out_port(port).take_credit(); });
    bool again = false;
    used_ = 0;
    for (int port = 0; port < ports(); ++port) {
      if (!input(PortId(port)) || in_port(port).empty(0)) continue;
      const Forgets reason = advance(port);
      again = again || (!in_port(port).empty(0) && reason != forgets_);
    }
    return again;
  }

  /// Returns: what the front of the buffer waits for now.
  Forgets advance(int port) {
    const Flit front = in_port(port).front(0).flit;
    int& output = output_[static_cast<std::size_t>(port)];
    if (output < 0) {
      Route route;
      site().routing.route(node(), {port < site().network_ports ? PortId(port) : PortId(), 0},
                           site().packets.packet(front).header, route);
      const Candidate& first = route.candidates().front();
      const int wanted = first.local() ? site().network_ports : first.port.value();
      if (out_port(wanted).free_vcs() == 0) return Forgets::output;
      out_port(wanted).claim(0, port);
      output = wanted;
    }
    if ((used_ >> output & 1) != 0) return Forgets::next_flit;
    if (!out_port(output).is_open(0)) return Forgets::room;
    used_ |= std::uint64_t{1} << output;
    out_port(output).send(in_port(port).pop(0), 0, this_cycle());
    if (front.tail()) output = -1;
    return Forgets::next_flit;
  }

  Forgets forgets_;
  std::vector<int> output_;
  std::uint64_t used_ = 0;
};

Catalog with_forgetful_routers() {
  Catalog catalog = standard_catalog();
  catalog.routers.add("forgetful", {"sleeps too soon", ""},
                      Schema<ForgetfulParams>{}.optional("forgets", &ForgetfulParams::forgets,
                                                         "what for", between(0, 3)),
                      [](const ForgetfulParams& params) {
                        RouterModel model;
                        model.needs = needs::credit_flow_control("it counts credits");
                        model.build = [params](const char* name, const RouterSite& site) {
                          return std::unique_ptr<Router>(std::make_unique<Forgetful>(
                              name, static_cast<Forgets>(params.forgets), site));
                        };
                        return model;
                      });
  return catalog;
}

Results run(int forgets, const std::string& scheduling, const std::string& rate = "0.6") {
  return simulate(
      uniform_traffic({{"router", fmt::format("{{kind: forgetful, forgets: {}}}", forgets)},
                       {"clock.scheduling", scheduling},
                       {"traffic.rate", rate + " flit/node/cycle"},
                       {"traffic.measure", "1000 cycle"},
                       {"stop", "{limit: 20000 cycle}"}}),
      with_forgetful_routers());
}

}  // namespace

TEST_CASE("a router that sleeps while it waits is named, with the cycle and the wire", "[timed]") {
  const int forgets = GENERATE(1, 2, 3);
  CAPTURE(forgets);

  const Results audited = run(forgets, "audit");

  INFO(audited.message);
  CHECK(audited.outcome == Outcome::model_error);
  CHECK(contains(audited.message, "cycle "));
  CHECK(contains(audited.message, "router_"));
  CHECK(contains(audited.message, "slept"));
}

TEST_CASE("without an audit such a router gives other results, or never ends", "[timed]") {
  const int forgets = GENERATE(1, 2, 3);
  CAPTURE(forgets);

  CHECK(difference(run(forgets, "batched"), run(0, "batched")) != "");
}

TEST_CASE("an audit finds nothing in a router that sleeps rightly, and changes nothing",
          "[timed]") {
  const auto rate = GENERATE(as<std::string>{}, "0.05", "0.3", "0.8");
  CAPTURE(rate);
  const Results batched = run(0, "batched", rate);

  REQUIRE(batched.outcome == Outcome::complete);
  CHECK(difference(run(0, "audit", rate), batched) == "");
  CHECK(difference(run(0, "per_module", rate), batched) == "");
}

}  // namespace audit_test
