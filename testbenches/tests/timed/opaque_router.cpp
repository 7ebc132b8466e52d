// testbenches/tests/timed/opaque_router.cpp: see opaque_router.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tests/timed/opaque_router.hpp"

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "configs/random.hpp"
#include "modules/router.hpp"

namespace flitwave::test {

enum class PlantedFault { none, stops, loses, keeps_credit };
std::vector<std::string> names_of(PlantedFault);
std::vector<std::string> names_of(PlantedFault) {
  return {"none", "stops", "loses", "keeps_credit"};
}

namespace {

struct OpaqueParams {
  PlantedFault fault = PlantedFault::none;
  int at = 0;
  bool unreset = false;
};

class OpaqueRouter final : public Router {
 public:
  OpaqueRouter(const char* name, const RouterSite& site, const OpaqueParams& params)
      : Router(name, site, 0, VcReallocation::non_atomic),
        params_(params),
        entered_(static_cast<std::size_t>(site.ports())),
        output_(static_cast<std::size_t>(site.ports()), none),
        dead_(static_cast<std::size_t>(site.ports()), false) {
    if (params.unreset)
      register_ = static_cast<int>(
          Random(site.init_seed, "registers", static_cast<std::uint64_t>(site.node.value()))
              .below(4));
  }

  bool is_opaque() const override { return true; }
  void report_opaque(Cycle until, std::vector<OpaquePacket>& packets) const override {
    for (int port = 0; port < ports(); ++port) {
      const auto place = static_cast<std::size_t>(port);
      if (entered_[place].empty() || dead_[place] || entered_[place].front() > until) continue;
      packets.push_back({in_port(port).front(0).flit, entered_[place].front(), PortId(port)});
    }
  }
  /// As the boundary of a design counts: arrivals less departures.
  int flits_inside() const override { return flits_in_ports() + lost_ - kept_; }
  bool at_rest() const override { return flits_inside() == 0; }

 private:
  static constexpr int none = -1;

  void tick() override {
    for_each_bit(arrivals_, [this](int port) {
      in_port(port).accept(this_cycle());
      entered_[static_cast<std::size_t>(port)].push_back(this_cycle());
    });
    used_ = 0;
    for (int port = 0; port < ports(); ++port)
      if (input(PortId(port)) && !in_port(port).empty(0)) advance(port);
  }

  bool is_due(PlantedFault fault) const { return params_.fault == fault && count_ == params_.at; }

  void advance(int port) {
    const auto place = static_cast<std::size_t>(port);
    if (dead_[place] || is_due(PlantedFault::stops)) return;
    if (register_ > 0) {
      --register_;
      return stay_awake();
    }
    const Flit front = in_port(port).front(0).flit;
    if (is_due(PlantedFault::loses)) {
      take(port);
      ++lost_;
      ++count_;
      return;
    }
    int& output = output_[place];
    if (output == none) {
      const int wanted = route(port, front);
      if (out_port(wanted).free_vcs() == 0) return;
      out_port(wanted).claim(0, holder_of(port, 0));
      output = wanted;
    }
    if ((used_ >> output & 1) != 0 || !out_port(output).can_send(0)) return;
    used_ |= std::uint64_t{1} << output;
    if (is_due(PlantedFault::keeps_credit)) {
      dead_[place] = true;
      ++kept_;
      out_port(output).send(front, 0, this_cycle());
    } else {
      out_port(output).send(take(port), 0, this_cycle());
    }
    ++count_;
    if (front.tail()) output = none;
  }

  Flit take(int port) {
    entered_[static_cast<std::size_t>(port)].pop_front();
    return in_port(port).pop(0);
  }

  int route(int port, Flit flit) const {
    const bool from_processor = port >= site().network_ports;
    Route route;
    site().routing.route(node(), {from_processor ? PortId() : PortId(port), 0},
                         site().packets.packet(flit).header, route);
    const Candidate& first = route.candidates().front();
    return first.local() ? site().network_ports : first.port.value();
  }

  OpaqueParams params_;
  std::vector<std::deque<Cycle>> entered_;  // of the flits in each input
  std::vector<int> output_;                 // of the packet at the front of each input
  std::vector<bool> dead_;                  // inputs from which nothing follows
  std::uint64_t used_ = 0;                  // outputs on which a flit is sent in this cycle
  int count_ = 0;                           // flits forwarded
  int lost_ = 0;
  int kept_ = 0;
  int register_ = 0;
};

}  // namespace

Catalog with_opaque_routers() {
  using P = OpaqueParams;
  Catalog catalog = standard_catalog();
  catalog.routers.add(
      "opaque", {"for tests", ""},
      Schema<P>{}
          .optional("fault", &P::fault, "a planted fault")
          .optional("at", &P::at, "the flit with which it begins", at_least(0))
          .optional("unreset", &P::unreset, "whether a register is not reset"),
      [](const P& params) {
        RouterModel model;
        model.build = [params](const char* name, const RouterSite& site) {
          return std::unique_ptr<Router>(std::make_unique<OpaqueRouter>(name, site, params));
        };
        return model;
      });
  return catalog;
}

}  // namespace flitwave::test
