// routers/verilated/lock_step.hpp: a router in RTL compared with another router, cycle by cycle.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "modules/router.hpp"
#include "routers/verilated/port_wires.hpp"

namespace flitwave {

/// Gives a second router, which the network does not contain, all that is on the wires to the
/// router of a node, and compares what the two drive.
///
/// Timing: the second router is one cycle behind.
/// Throws: DesignError at the first difference of an output, a credit or ready, by ending the run.
class LockStep final : public Clocked {
 public:
  /// Observes the channels of the site; the references outlive it. `what`: names both routers in
  /// errors.
  LockStep(const sc_core::sc_module_name& name, const RouterModel& model, const RouterSite& site,
           std::string what);
  ~LockStep() override;

  /// A channel of the second router, which corresponds to one of the network.
  struct Counterpart {
    const Channel* observed;
    Channel* channel;
  };
  /// By port, that of the input first. What is on them belongs to the cycle before.
  std::vector<Counterpart> counterparts() const;
  /// Whether all that was on the wires has been compared.
  bool at_rest() const { return silent_ >= 3; }

 private:
  /// A port of the observed router, and the other ends of the second router's channels.
  struct Port {
    ChannelEnd* input = nullptr;  // null where there is none
    ChannelEnd* output = nullptr;
    std::unique_ptr<Channel> to_second;
    std::unique_ptr<Channel> from_second;
    Link<Flit>::Writer flits_out;
    Link<VcIndex>::Writer credits_out;
    ReadyWires::Writer ready_out;
    PortWires first;   // as driven in the cycle before the last
    PortWires second;  // the same by the second router, a cycle later
  };

  void tick() override;
  void end_pulses() override;
  void connect(int port, const RouterSite& site, RouterSite& own);
  void compare(Cycle cycle) const;
  void compare(Cycle cycle, int port) const;
  void pass_on(Port& port);
  bool is_silent() const;

  const RouterSite& site_;
  std::string what_;
  std::vector<Port> ports_;
  std::unique_ptr<Router> second_;
  bool is_first_valid_ = false;  // whether Port::first is of a cycle after reset
  bool was_in_reset_ = true;
  bool has_failed_ = false;
  Cycle silent_ = 0;  // for how many cycles nothing has been on the wires
};

}  // namespace flitwave
