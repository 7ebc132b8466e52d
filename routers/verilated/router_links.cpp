// routers/verilated/router_links.cpp: see router_links.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/verilated/router_links.hpp"

#include "modules/signals/bits.hpp"

namespace flitwave {

RouterSite without_channels(const RouterSite& site) {
  RouterSite bare = site;
  bare.inputs.assign(site.inputs.size(), nullptr);
  bare.outputs.assign(site.outputs.size(), nullptr);
  return bare;
}

RouterLinks::RouterLinks(const RouterDesign& design, const RouterSite& site, int module)
    : commits_(site.domain.commits()), vcs_(design.vcs), ends_(index(site.ports())) {
  for (int port = 0; port < site.ports(); ++port) {
    Ends& ends = ends_[index(port)];
    const auto bit = static_cast<std::uint8_t>(port);
    ends.port = design_port(design, site, port);
    if (Channel* channel = site.inputs[index(port)]) {
      ChannelEnd& end = channel->downstream();
      ends.input = &end;
      ends.flits_in = end.forward.reader();
      ends.flits_in.set_slot({&flits_, bit, module});
      if (end.back) ends.credits_out = end.back->writer();
      if (end.ready) ends.ready_out = end.ready->writer();
    }
    if (Channel* channel = site.outputs[index(port)]) {
      ChannelEnd& end = channel->upstream();
      ends.output = &end;
      ends.flits_out = end.forward.writer();
      if (end.back) {
        ends.credits_in = end.back->reader();
        ends.credits_in.set_slot({&credits_, bit, module});
      }
      if (end.ready) {
        ends.ready_in = end.ready->reader();
        ends.ready_in.set_module(module);
      }
    }
  }
}

bool RouterLinks::read(Ports& read) {
  std::uint64_t flits = 0;
  std::uint64_t credits = 0;
  if (!commits_.plain) {
    flits = flits_.take(commits_);
    credits = credits_.take(commits_);
  }
  bool any = false;
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    const Ends& ends = ends_[i];
    PortWires& wires = read[index(ends.port)];
    wires = PortWires();
    if (ends.flits_in) wires.valid = commits_.plain ? ends.flits_in.valid() : (flits >> i & 1) != 0;
    if (wires.valid) wires.flit = ends.flits_in.received();
    if (ends.credits_in)
      wires.credit = commits_.plain ? ends.credits_in.valid() : (credits >> i & 1) != 0;
    if (wires.credit) wires.credit_vc = ends.credits_in.received();
    if (ends.ready_in) wires.ready = ends.ready_in.bits();
    any = any || wires.valid || wires.credit;
  }
  return any;
}

void RouterLinks::show() {
  for (Ends& ends : ends_) {
    if (ends.input) ends.input->forward.wires().show();
    if (ends.output && ends.output->back) ends.output->back->wires().show();
  }
}

void RouterLinks::observe(Ports& observed) const {
  for (const Ends& ends : ends_) observed[index(ends.port)] = on_wires(ends.input, ends.output);
}

void RouterLinks::drive(const Ports& driven) {
  for (Ends& ends : ends_) {
    const PortWires& wires = driven[index(ends.port)];
    if (wires.valid) ends.flits_out.drive(wires.flit);
    if (wires.credit) ends.credits_out.drive(static_cast<VcIndex>(wires.credit_vc));
    if (!ends.ready_out) continue;
    for (int vc = 0; vc < vcs_; ++vc) {
      const bool ready = (wires.ready >> vc & 1) != 0;
      if (ends.ready_out.ready(vc) != ready) ends.ready_out.drive(vc, ready);
    }
  }
}

void RouterLinks::end_pulses() {
  for (Ends& ends : ends_) {
    if (ends.flits_out) ends.flits_out.end_tick();
    if (ends.credits_out) ends.credits_out.end_tick();
  }
}

}  // namespace flitwave
