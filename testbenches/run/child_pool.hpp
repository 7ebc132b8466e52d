// testbenches/run/child_pool.hpp: tasks side by side, a process for each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace flitwave {

/// The tasks of a pool of child processes, and its callbacks.
struct ChildTasks {
  /// Does a task, in a process of its own. Exceptions are reported to `ended`.
  std::function<void(int task)> work;
  /// A task's process has ended. `fault` is why it failed: the text of the exception, or how the
  /// system ended it; empty when `work` returned.
  std::function<void(int task, const std::string& fault)> ended;
  /// Called several times a second, with the number of running tasks. False ends them all.
  std::function<bool(int running)> go_on;
};

/// Does `tasks` in their order, `jobs` at a time. A child ignores ctrl-C, which its parent handles,
/// and does not outlive its parent.
///
/// Range: jobs >= 1
/// Returns: whether all were done, not ended by `go_on`.
/// Throws: SystemFailure when no process can be made, and a SystemFailure of a task, because the
///   others would fail, too; running tasks are ended.
bool run_in_children(const std::vector<int>& tasks, int jobs, const ChildTasks& pool);

/// Does one task in a process of its own.
/// Returns: why it failed, as of ChildTasks::ended; empty when `work` returned.
/// Throws: as run_in_children
std::string run_in_child(const std::function<void()>& work);

}  // namespace flitwave
