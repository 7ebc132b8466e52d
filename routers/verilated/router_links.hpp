// routers/verilated/router_links.hpp: the ends of the links of a router whose buffers are its own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "modules/router.hpp"
#include "routers/verilated/router_boundary.hpp"

namespace flitwave {

/// Reads and drives all links of a router, without the buffers and credits of its ports.
class RouterLinks {
 public:
  using Ports = RouterBoundary::Ports;

  /// Takes the ends of all channels of the site. `module`: Clocked::module_index of the owner.
  RouterLinks(const RouterDesign& design, const RouterSite& site, int module);
  RouterLinks(const RouterLinks&) = delete;
  RouterLinks& operator=(const RouterLinks&) = delete;

  /// In a tick: what was on the links before the edge.
  /// Returns: whether there was a flit or a credit.
  bool read(Ports& read);
  /// All wires are committed from now on, so that `observe` can be called.
  void show();
  /// What is on the wires now, without receiving it.
  void observe(Ports& observed) const;
  /// In a tick: drives the links.
  void drive(const Ports& driven);
  /// Under per_module scheduling: ends the pulses of a tick.
  void end_pulses();

 private:
  struct Ends {
    int port = 0;                 // of the design
    ChannelEnd* input = nullptr;  // null where there is none
    ChannelEnd* output = nullptr;
    Link<Flit>::Reader flits_in;
    Link<VcIndex>::Writer credits_out;
    ReadyWires::Writer ready_out;
    Link<Flit>::Writer flits_out;
    Link<VcIndex>::Reader credits_in;
    ReadyWires::Reader ready_in;
  };

  CommitQueue& commits_;
  int vcs_;
  Inbox flits_;
  Inbox credits_;
  std::vector<Ends> ends_;  // Shape: [ports of the site]
};

/// The site of a router whose base has no ports.
RouterSite without_channels(const RouterSite& site);

}  // namespace flitwave
