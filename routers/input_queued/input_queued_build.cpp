// routers/input_queued/input_queued_build.cpp: builds the input-queued router of a node.
// SPDX-License-Identifier: Apache-2.0
#include "modules/signals/bits.hpp"
#include "routers/input_queued/input_queued.hpp"

namespace flitwave {

template <int FixedVcs, class Listener>
InputQueued<FixedVcs, Listener>::InputQueued(const sc_core::sc_module_name& name,
                                             const PipelineParams& params, const RouterSite& site)
    : Router(name, site, params.timing.traversal, params.vc_reallocation),
      vcs_(site.domain.commits().memory.make<InputVc>(site.ports() * vcs())),
      heads_{0, FixedVcs == 1 ? nullptr
                              : site.domain.commits().memory.make<std::uint64_t>(site.ports())},
      active_{0, FixedVcs == 1 ? nullptr
                               : site.domain.commits().memory.make<std::uint64_t>(site.ports())},
      output_arbiters_(site.domain.commits().memory.make<Arbiter>(site.ports())),
      vc_arbiters_(site.domain.commits().memory.make<Arbiter>(site.ports() * vcs())),
      timing_(params.timing),
      whole_packets_(params.switching != Switching::wormhole),
      stores_(params.switching == Switching::store_and_forward),
      input_arbiters_(site.domain.commits().memory.make<Arbiter>(site.ports())),
      routes_(index(site.ports() * vc_count())),
      params_(params),
      listener_(*this, site) {
  class_masks_ = class_masks(site.routing, vc_count());
  local_masks_ = message_masks(site.routing, vc_count());
  if (site.ejects_packets)
    for (std::uint64_t& mask : local_masks_) mask = word_bit(lowest_of(mask));
  if (params.bubble)
    for (int port = 0; port < site.ports(); ++port)
      if (site.outputs[index(port)] && site.rings[index(port)] >= 0)
        out_port(port).count_packet_slots();
  for (int vc = 0; vc < vc_count(); ++vc)
    class_of_vc_.push_back(site.routing.class_of_vc(vc, vc_count()));
  if (params.stages) stages_ = std::make_unique<Stages>(*params.stages, site, vc_count());
  make_arbiters();
}

template <int FixedVcs, class Listener>
void InputQueued<FixedVcs, Listener>::make_arbiters() {
  const std::uint64_t seed = site().seed;
  const auto node = static_cast<std::uint64_t>(site().node.value());
  for (int port = 0; port < ports(); ++port) {
    const std::uint64_t place = node * 64 + static_cast<std::uint64_t>(port);
    for (int vc = 0; vc < vc_count(); ++vc)
      vc_arbiters_[port * vc_count() + vc] =
          Arbiter(params_.arbitration, ports() * vc_count(),
                  Random(seed, "vc arbiter", place * 64 + static_cast<std::uint64_t>(vc)));
    input_arbiters_[port] =
        Arbiter(params_.arbitration, vc_count(), Random(seed, "input arbiter", place));
    output_arbiters_[port] =
        Arbiter(params_.arbitration, ports(), Random(seed, "output arbiter", place));
  }
}

namespace {

template <int FixedVcs>
std::unique_ptr<Router> router_of(const char* name, const PipelineParams& params,
                                  const RouterSite& site) {
  if (site.listener)
    return std::make_unique<InputQueued<FixedVcs, StallReporter<FixedVcs>>>(name, params, site);
  return std::make_unique<InputQueued<FixedVcs, Unobserved>>(name, params, site);
}

}  // namespace

std::unique_ptr<Router> input_queued(const char* name, const PipelineParams& params,
                                     const RouterSite& site) {
  if (site.channel().vcs == 1 && site.routing.vc_classes() * site.routing.message_classes() == 1)
    return router_of<1>(name, params, site);
  return router_of<0>(name, params, site);
}

}  // namespace flitwave
