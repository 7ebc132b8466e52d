// testbenches/tests/extending/fifo.cpp: the router of docs/extending.md.
// SPDX-License-Identifier: Apache-2.0
// [router]
#include "configs/error.hpp"
#include "modules/router.hpp"
#include "routers/parts/needs.hpp"

namespace flitwave {
namespace {

struct FifoParams {};

/// Wormhole switching with one buffer per input and no virtual channels. Of several heads that
/// request the same output, the head at the lowest input gets it until its tail has left.
class Fifo final : public Router {
 public:
  Fifo(const sc_core::sc_module_name& name, const RouterSite& site)
      : Router(name, site, 0, VcReallocation::non_atomic),
        output_(static_cast<std::size_t>(site.ports()), none) {}

 private:
  static constexpr int none = -1;

  void tick() override {
    for_each_bit(arrivals_, [this](int port) { in_port(port).accept(this_cycle()); });
    used_ = 0;
    for (int port = 0; port < ports(); ++port)
      if (input(PortId(port)) && !in_port(port).empty(0)) advance(port);
  }

  /// Sends the flit at the front of a buffer, if its output is free and has a credit.
  void advance(int port) {
    const Flit front = in_port(port).front(0).flit;
    int& output = output_[static_cast<std::size_t>(port)];
    if (output == none) {
      const int wanted = route(port, front);
      if (out_port(wanted).free_vcs() == 0) return;
      out_port(wanted).claim(0, holder_of(port, 0));
      output = wanted;
    }
    if ((used_ >> output & 1) != 0 || !out_port(output).can_send(0)) return;
    used_ |= std::uint64_t{1} << output;
    out_port(output).send(in_port(port).pop(0), 0, this_cycle());
    if (front.tail()) output = none;
  }

  int route(int port, Flit head) const {
    const bool from_processor = port >= site().network_ports;
    Route route;
    site().routing.route(node(), {from_processor ? PortId() : PortId(port), 0},
                         site().packets.packet(head).header, route);
    const Candidate& first = route.candidates().front();
    return first.local() ? site().network_ports : first.port.value();
  }

  std::vector<int> output_;  // of the packet at the front of each input
  std::uint64_t used_ = 0;   // outputs on which a flit is sent in this cycle
};

void check_routing(const NetworkFacts& facts) {
  if (facts.routing.relies_on_escape())
    throw ConfigError("routing",
                      "a fifo router takes the first candidate of a route and has no escapes",
                      "use routing.kind: dimension_order");
}

RouterModel fifo(const FifoParams&) {
  RouterModel model;
  model.needs = needs::all(
      {check_routing, needs::no_rings("packets in fifo routers can block each other around a ring"),
       needs::no_message_classes("a fifo router has one buffer for requests and replies"),
       needs::one_virtual_channel("a fifo router has no virtual channels"),
       needs::credit_flow_control("a fifo router counts the free slots behind its outputs")});
  model.build = [](const char* name, const RouterSite& site) {
    return std::unique_ptr<Router>(std::make_unique<Fifo>(name, site));
  };
  return model;
}

}  // namespace

void register_fifo(Routers& routers) {
  routers.add("fifo", {"one buffer per input, no virtual channels", ""}, Schema<FifoParams>{},
              fifo);
}

}  // namespace flitwave
// [router]
