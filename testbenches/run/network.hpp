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
class TlmBridge;

/// The network of a job, with its processors, load and observers, as a module beside others. Any
/// number of them may be in one simulation, each with a clock of its own: the job's `clock`. Its
/// rising edges are at multiples of the period since the beginning of the simulation.
///
/// Timing: it runs while the user's program advances time with `sc_start`. When everything is
///   delivered and the network is empty, a limit is reached or an error occurs, the run ends:
///   results and wave are complete, and nothing in the network moves any more, though with
///   `scheduling: per_module` its clock runs on.
/// Errors of the run (a deadlock, a broken rule of the model, a design that misbehaves) are the
///   outcome and the message of the results, and are reported as SC_ERROR with the message type
///   `Network::error_type`; by default SystemC throws it, out of `sc_start`. An exception of a
///   process of the user's own, in a router in SystemC for example, is reported by SystemC alone.
/// Needs: SystemC searches all modules for each one that is destroyed: a network of some thousand
///   nodes is best kept until the process ends.
class Network : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Network);

  static constexpr const char* error_type = "/flitwave/network";

  /// `folder`: where `results` writes the files of `flitwave run`, the job's wave among them; no
  ///   other network uses it. Empty: no file is written, and no wave is recorded.
  /// Throws: ConfigError when the job is wrong or is not one simulation in time (`evaluation`,
  ///   `compare`, `draws`); its text names the line. SystemFailure when the folder or the wave
  ///   cannot be written; ModelError when the time resolution of SystemC is coarser than 1 ps. The
  ///   process should end then: SystemC cannot remove all parts of the modules that exist already.
  Network(const sc_core::sc_module_name& name, const Scenario& scenario,
          const Catalog& catalog = standard_catalog(), const std::string& folder = "");
  ~Network() override;

  /// Notified once, when the run has ended. After an error, SystemC's default action comes first.
  const sc_core::sc_event& ended() const { return ended_; }
  bool has_ended() const;

  /// The results as of `flitwave run`, judged by the job's `expect`. Called before the run has
  /// ended, between calls of `sc_start`, it ends the run, whose results are partial. Nothing is
  /// thrown: the outcome has the errors, also of files that could not be written. The files are
  /// in the folder when the run has ended, or this function has returned, but none without results
  /// to keep (an error of the model, or an end before the first cycle), other than the window of a
  /// wave; and none of a network that is destroyed before.
  const Results& results();

  /// The TLM-2.0 sockets of a node (modules/tlm/tlm_bridge.hpp), to which modules of the caller's
  /// are bound before the simulation starts. `node`: its name as in results, e.g. "3_5".
  /// Throws: ConfigError when the job has no such node, or names no devices at it in `node.at`.
  TlmBridge& tlm(const std::string& node);

  /// The modules of the network, e.g. to connect foreign modules before the simulation starts.
  Netlist& netlist();

 private:
  struct Parts;

  void end();

  std::unique_ptr<Parts> parts_;
  sc_core::sc_event end_requested_{"end_requested"};
  sc_core::sc_event ended_{"ended"};
};

}  // namespace flitwave
