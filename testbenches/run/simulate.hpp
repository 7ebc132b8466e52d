// testbenches/run/simulate.hpp: a simulation is a function from a scenario to results.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "configs/scenario.hpp"
#include "testbenches/job/catalog.hpp"
#include "testbenches/job/results/results.hpp"
#include "testbenches/run/testbench/testbench.hpp"

namespace flitwave {

/// Options of a simulation.
struct SimulateOptions {
  std::string wave_path;                          ///< Path of the job's wave; empty: none.
  std::function<void(const Progress&)> progress;  ///< Called in the caller's process.
  bool tables = true;  ///< Whether the results have them; without, a run costs less.
  bool in_process =
      false;  ///< Without a child process: once per process, for debuggers and profilers.
  /// How often the user requested the end; called in the caller's process, may be empty. Once: the
  /// run ends soon and its results are partial. More than once: its process is killed.
  std::function<int()> interrupts;
  bool is_interrupted() const { return interrupts && interrupts() > 0; }
  /// Called on the testbench before it runs, in the process that simulates it: attaches foreign
  /// modules. Its result is called when the run has ended and may add to the results.
  std::function<std::function<void(Results&)>(Testbench&)> attach;
};

/// Runs a scenario in a child process, since SystemC elaborates once per process. Any failure is
/// reported in the results' outcome and message.
/// Throws: ConfigError when the job is wrong; SystemFailure when no process can be made.
Results simulate(const Scenario& scenario, const Catalog& catalog,
                 const SimulateOptions& options = {});
Results simulate(const Scenario& scenario);

/// The same for a job that was read and planned, by the model that it names (`evaluation`).
Results simulate(const Job& job, const Plan& plan, const SimulateOptions& options);

/// Simulates the network of a job once, regardless of `draws` and `compare`.
Results simulate_once(const Job& job, const Plan& plan, const SimulateOptions& options);

}  // namespace flitwave
