// testbenches/run/network.hpp: the network of a job as a module of a user's own simulation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include <systemc>

#include "configs/scenario.hpp"
#include "testbenches/job/catalog.hpp"
#include "testbenches/job/results/results.hpp"

namespace flitwave {

class Netlist;
class Testbench;

/// The network of a job, with its processors, load and observers, as a module beside others. Any
/// number of them may be in one simulation, each with a clock of its own: the job's `clock`. Its
/// rising edges are at multiples of the period since the beginning of the simulation.
///
/// Timing: it runs while the user's program advances time with `sc_start`. When everything is
///   delivered and the network is empty, or a limit is reached, `ended` is notified. With
///   `scheduling: batched` the network then has no further events, unless something observes its
///   clock; otherwise its clock runs on, and the user's program ends the simulation.
/// Errors of the run (a deadlock, a broken rule of the model, a design that misbehaves) are
///   reported as SC_ERROR with the message type `Network::error_type`; by default SystemC throws
///   it, out of `sc_start`. The results name them, too.
class Network : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Network);

  static constexpr const char* error_type = "/flitwave/network";

  /// `wave_path`: file of the job's wave; empty: none is recorded.
  /// Throws: ConfigError when the job is wrong, has no clock, or needs several simulations
  ///   (`draws`); its text names the line. Before the simulation starts.
  Network(const sc_core::sc_module_name& name, const Scenario& scenario,
          const Catalog& catalog = standard_catalog(), const std::string& wave_path = "");
  ~Network() override;

  /// Notified once, in the cycle in which the run ends, with or without an error.
  const sc_core::sc_event& ended() const { return ended_; }
  bool has_ended() const;

  /// The results as of `flitwave run`, judged by the job's `expect`. A run that has not ended
  /// becomes a partial one: call this when the simulation is over. Further calls return the same.
  /// Throws: ModelError when the conservation of flits or packets is broken; SystemFailure when the
  ///   wave could not be written.
  const Results& results();

  /// The modules of the network, e.g. to connect foreign modules before the simulation starts.
  Netlist& netlist();

 private:
  struct Parts;

  void report_end();

  std::unique_ptr<Parts> parts_;
  sc_core::sc_event end_requested_{"end_requested"};
  sc_core::sc_event ended_{"ended"};
  bool reported_ = false;
};

}  // namespace flitwave
