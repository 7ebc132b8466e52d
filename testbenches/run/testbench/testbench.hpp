// testbenches/run/testbench/testbench.hpp: the top module: clock, network, observers, watchdog.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <systemc>

#include "modules/network/netlist.hpp"
#include "modules/processor/collective_program.hpp"
#include "modules/processor/step_barrier.hpp"
#include "modules/processor/traffic_source.hpp"
#include "modules/transaction/transaction_network.hpp"
#include "testbenches/job/plan/plan.hpp"
#include "testbenches/job/results/results.hpp"
#include "testbenches/observers/delivery_times.hpp"
#include "testbenches/observers/fault_report.hpp"
#include "testbenches/observers/transfer_times.hpp"
#include "testbenches/run/testbench/fingerprint.hpp"
#include "testbenches/run/testbench/load_samples.hpp"
#include "testbenches/run/testbench/opaque_watch.hpp"
#include "testbenches/run/testbench/request_times.hpp"
#include "testbenches/run/testbench/router_holdings.hpp"
#include "testbenches/run/testbench/tlm_network.hpp"
#include "testbenches/run/testbench/wait_graph.hpp"

namespace flitwave {

class Waves;

/// The progress of a run.
struct Progress {
  Cycle cycle = 0;
  std::int64_t done = 0;  ///< Transfers delivered, or cycles of the measurement passed.
  std::int64_t expected = 0;
};

/// Options of a run for its caller.
struct RunOptions {
  std::string wave_path;                          ///< Path of the job's wave; empty: none.
  std::function<void(const Progress&)> progress;  ///< Called now and then; may be empty.
  std::function<bool()> interrupted;              ///< Called now and then; may be empty.
  /// Whether results of a run that ended regularly are an error: a missed expectation. May be
  /// empty.
  std::function<bool(const Results&)> is_missed;
  /// Called in the simulation when the run has ended, perhaps several times; empty: the simulation
  /// pauses.
  std::function<void()> ended;
};

/// A job as SystemC modules.
class Testbench final : public sc_core::sc_module,
                        private PassageListener,
                        private UnitProbe,
                        private Sleeper {
 public:
  SC_HAS_PROCESS(Testbench);
  /// Job and plan outlive it.
  Testbench(const sc_core::sc_module_name& name, const Job& job, const Plan& plan);
  ~Testbench() override;

  ClockDomain& domain() { return *domain_; }
  /// The network at any fidelity.
  SimulatedNetwork& network() { return *network_; }
  /// Throws: ConfigError, located, at transaction fidelity.
  Netlist& netlist();
  const PacketPool& packets() const { return packets_; }
  /// The sockets of a node.
  /// Throws: ConfigError when the job gives it no devices.
  TlmBridge& bridge(NodeId node) const;
  /// Throws: ConfigError, located, when sockets or devices are missing.
  void check_devices() {
    if (tlm_) tlm_->check();
  }
  /// For tests: adds a further listener. Before `run` only.
  void listen(ChannelSite::Kind kind, TransitListener& listener);

  /// Simulates until everything is delivered and the network is empty, or an error or a limit ends
  /// the run.
  /// Throws: ModelError, SystemFailure.
  Results run(const RunOptions& options);

  /// The same in a simulation of the caller's own: `begin` before it starts, once; `end` once, in
  /// the delta cycle after `RunOptions::ended` was called, or between calls of `sc_start`, which
  /// makes the run a partial one. No module ticks afterwards. `options` live until then.
  void begin(const RunOptions& options);
  Results end();
  /// Whether the run has ended, with or without an error.
  bool has_ended() const { return phase_ == Phase::done || domain_->has_failed(); }

 private:
  enum class Phase { running, settling, done };

  void on_stall(const Stall& stall) override;
  void on_passage(const Passage& passage) override;
  void entered(const UnitEntry& entry) override;
  void selected(const UnitSelection& selection) override;
  void held(NodeId router, std::int64_t flits);
  void due() override;
  void before_end_of_elaboration() override { check_devices(); }

  void make_network();
  void make_observers();
  ProgramStart start_of(NodeId node) const;
  void make_programs();
  void arrived_in(Cycle cycle);
  void arrived() { arrived_in(domain_->now()); }
  void pulse();
  void look_at(Cycle cycle);
  void await_sample();
  void await_end_of(Cycle cycle);
  void make_holdings();
  void await_inspection();
  void oversee();
  void inspect();
  static std::vector<Testbench*>& all();
  void look_after(Cycle now);
  Cycle next_look(Cycle now) const;
  void take_sample();
  bool stops_early() const;
  void begin_settling();
  bool transfers_over() const;
  bool work_is_over() const;
  bool measurement_is_over() const;
  void lost(const MessageInTransit& message);
  bool everything_arrived() const;
  std::int64_t tagged_arrivals() const {
    return requests_ ? requests_->answered() : packets_.arrivals();
  }
  bool tagged_arrived() const { return tagged_arrivals() >= traffic_.tagged; }
  Cycle end_of_drain() const;
  void check_deadlock(Cycle now);
  void check_movement(Cycle now);
  bool has_failed_devices(Cycle now);
  Progress progress() const;
  void stop();
  void cut_short();
  void check_books() const;
  void check_little() const;
  bool too_much() const { return load_ && !load_->too_much().empty(); }
  bool samples_are_whole() const;
  RunSummary summary() const;
  void report_circuits(Results& results) const;
  void report_load(const RunSummary& run, Results& results) const;
  std::optional<DeliveryTimes> delivery_times() const;
  void report_array(Results& results) const;
  Results report() const;
  Results conclude();
  void end_waves(Results& results);

  const Job& job_;
  const Plan& plan_;
  PacketPool packets_;
  Window window_;
  std::unique_ptr<ClockDomain> domain_;
  std::unique_ptr<Netlist> netlist_;                   // null at transaction fidelity
  std::unique_ptr<TransactionNetwork> transactional_;  // null at signal fidelity
  SimulatedNetwork* network_ = nullptr;                // the one that is not null
  std::vector<std::unique_ptr<Observer>> observers_;
  std::vector<Observer*> stall_observers_;
  std::vector<Observer*> passage_observers_;
  std::vector<Observer*> router_observers_;
  Fingerprint fingerprint_;
  std::vector<bool> given_up_;  // by transfer; empty until a message is lost
  std::int64_t given_up_count_ = 0;
  std::unique_ptr<FaultReport> faults_;  // null unless the job has faults
  std::unique_ptr<ArrayMemory> memory_;  // null unless the schedule moves an array
  std::unique_ptr<TransferTimes> transfers_;
  std::unique_ptr<StepBarrier> barrier_;  // null unless the schedule has barriers
  Payloads payloads_;
  std::vector<CollectiveProgram*> collective_;     // per node; empty without a schedule
  std::unique_ptr<RequestTimes> requests_;         // null unless the load is closed
  std::unique_ptr<TransactionList> transactions_;  // null unless nodes have devices
  std::unique_ptr<TlmNetwork> tlm_;                // the same
  std::unique_ptr<RouterHoldings> holdings_;       // null unless an observer needs them
  std::unique_ptr<LoadSamples> load_;              // null unless sources are random
  std::unique_ptr<OpaqueWatch> opaque_;            // null unless there are opaque routers
  std::unique_ptr<Waves> waves_;
  std::vector<TransitFeed*> feeds_;  // per ChannelSite::Kind; null until needed
  TrafficControl traffic_;
  Cycle limit_ = 0;
  Cycle next_look_ = INT64_MAX;  // the next inspection of the run
  Cycle last_arrival_ = 0;       // the last awaited event
  std::optional<Cycle> cut_at_;  // the last cycle of a run that was cut short
  Phase phase_ = Phase::running;
  bool interrupted_ = false;
  bool stopped_early_ = false;  // because of a load that the network does not carry
  Outcome outcome_ = Outcome::complete;
  std::string message_;
  const RunOptions* options_ = nullptr;
  bool awaits_inspection_ = false;
  sc_core::sc_event between_cycles_{"between_cycles"};
};

/// A testbench that is never destroyed: SystemC searches all modules for each one that is
/// destroyed, which for some thousand nodes takes longer than most runs. Its process ends soon.
/// `name`: of the module.
/// Throws: as the constructor.
Testbench& lasting_testbench(const Job& job, const Plan& plan, const char* name = "testbench");

/// Builds the modules, and finds the errors that only they show: too many ports, a wave of no
/// channel, of a router without wires inside, or whose list of signals exceeds its limit; also with
/// the job's other algorithm (`compare`), and of the first draws (networks of some 4000 nodes in
/// all) if nodes have devices, since these depend on the collective. Once per process.
/// Throws: ConfigError, located in the job.
void check_modules(const Job& job, const Plan& plan);

}  // namespace flitwave
