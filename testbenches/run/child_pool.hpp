// testbenches/run/child_pool.hpp: tasks side by side, a process for each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace flitwave {

/// What a pool of child processes does, and whom it tells.
struct ChildTasks {
  /// Does a task, in a process of its own. What it throws is told to `ended`.
  std::function<void(int task)> work;
  /// A task's process is gone. `fault` is why it failed: what it threw, or how the system ended
  /// it; empty when `work` returned.
  std::function<void(int task, const std::string& fault)> ended;
  /// Asked several times a second, with the number of tasks that run. False ends them all.
  std::function<bool(int running)> go_on;
};

/// Does `tasks` in their order, `jobs` at a time. A child ignores ctrl-C, for that is its parent's
/// matter, and does not outlive its parent.
///
/// Range: jobs >= 1
/// Returns: whether all were done, not ended by `go_on`.
/// Throws: SystemFailure when no process can be made, and what a task throws of that kind, for the
///   others would meet it, too; those that run are ended.
bool run_in_children(const std::vector<int>& tasks, int jobs, const ChildTasks& pool);

}  // namespace flitwave
