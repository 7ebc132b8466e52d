// testbenches/tests/rtl/wormhole/compared_networks.cpp: see compared_networks.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tests/rtl/wormhole/compared_networks.hpp"

#include "testbenches/reference/networks/interfaces.hpp"
#include "testbenches/reference/networks/routers.hpp"
#include "testbenches/tests/rtl/wormhole/rtl_routers.hpp"

namespace flitwave::rtl_test {

namespace {

/// Everything but routers.
template <class Links>
struct Surroundings {
  explicit Surroundings(const Params& params)
      : wiring(params),
        packets(wiring.nodes),
        window(params),
        sinks(params, window, packets, fingerprint, results),
        links(params, wiring),
        interfaces(params, wiring, packets, links, sinks, window) {}

  template <class TickRouters>
  void cycle(Cycle now, TickRouters tick_routers) {
    fingerprint.begin(now);
    links.begin(now);
    interfaces.tick(now);
    tick_routers();
    links.finish();
  }

  reference::Results results;
  Fingerprint fingerprint;
  Wiring wiring;
  Packets packets;
  reference::Window window;
  reference::Sinks sinks;
  Links links;
  reference::Interfaces<Links, false> interfaces;
};

/// Delays behind the switch are in the verilated routers.
Params without_traversal(Params params) {
  params.traversal = 0;
  return params;
}

template <class Links, class Pins>
class Networks {
 public:
  Networks(const Params& params, const RouterSet& set, int seed)
      : rtl_params_(without_traversal(params)),
        expected_(params),
        found_(rtl_params_),
        routers_(params, expected_.wiring, expected_.packets, expected_.links,
                 expected_.fingerprint, expected_.window),
        rtl_routers_(rtl_params_, found_.wiring, found_.packets, found_.links, found_.fingerprint,
                     set, seed) {}

  Comparison run(Cycle cycles) {
    Comparison comparison;
    constexpr Cycle most = 100'000;  // no network of the tests takes so long to become empty
    for (Cycle now = 1; now <= most && !comparison.both_empty; ++now) {
      if (now == cycles) {
        expected_.interfaces.stop();
        found_.interfaces.stop();
      }
      expected_.cycle(now, [&] { routers_.tick(now); });
      found_.cycle(now, [&] { rtl_routers_.tick(); });
      comparison.transits = expected_.fingerprint.count();
      if (expected_.fingerprint.value() != found_.fingerprint.value() ||
          comparison.transits != found_.fingerprint.count()) {
        comparison.difference = now;
        break;
      }
      comparison.both_empty =
          now > cycles && expected_.interfaces.at_rest() && found_.interfaces.at_rest();
    }
    return comparison;
  }

 private:
  const Params rtl_params_;
  Surroundings<Links> expected_;
  Surroundings<Pins> found_;
  reference::Routers<Links, 0, reference::Switching::wormhole> routers_;
  RtlRouters<Pins> rtl_routers_;
};

}  // namespace

Params params_of(const RouterParameters& parameters) {
  Params params;
  params.handshake =
      parameters.ready_valid ? reference::Handshake::ready_valid : reference::Handshake::credit;
  params.vcs = parameters.vcs;
  params.depth = parameters.depth;
  params.local_ports = parameters.local_ports;
  params.route = parameters.route_delay;
  params.vc = parameters.vc_delay;
  params.passage = parameters.switch_delay;
  params.traversal = parameters.traversal;
  return params;
}

Comparison compare(const Params& params, const RouterSet& set, std::int64_t cycles, int seed) {
  if (set.parameters.ready_valid)
    return Networks<reference::ReadyLinks, ReadyPins>(params, set, seed).run(cycles);
  return Networks<reference::CreditLinks<0>, CreditPins>(params, set, seed).run(cycles);
}

}  // namespace flitwave::rtl_test
