// testbenches/run/child_pool.cpp: see child_pool.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/run/child_pool.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "configs/error.hpp"
#include "topologies/ids.hpp"

namespace flitwave {

namespace {

/// The exit code of a child whose task threw a SystemFailure.
constexpr int code_of_system_failure = 5;

/// A running child; its pipe closes when it has ended, and carries the text of an exception.
struct Child {
  int task;
  pid_t process;
  int pipe;
  std::string said;
};

/// Blocks requests to end during its lifetime. A child that still has its parent's image must not
/// handle them like its parent.
class HeldSignals {
 public:
  HeldSignals() {
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigaddset(&held, SIGTERM);
    sigprocmask(SIG_BLOCK, &held, &before_);
  }
  ~HeldSignals() { release(); }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  void release() const { sigprocmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

[[noreturn]] void be_child(int task, int pipe, pid_t parent, const HeldSignals& signals,
                           const ChildTasks& pool) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // the parent ended before the request for its death signal
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_DFL);
  std::signal(SIGPIPE, SIG_IGN);
  signals.release();
  std::string fault;
  int code = 0;
  try {
    pool.work(task);
  } catch (const SystemFailure& error) {
    fault = error.what();
    code = code_of_system_failure;
  } catch (const std::exception& error) {
    fault = error.what();
    if (fault.empty()) fault = "failed without a message";
    code = 1;
  }
  const char* rest = fault.data();
  std::size_t left = fault.size();
  while (left > 0) {
    const ssize_t count = write(pipe, rest, left);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    rest += count;
    left -= index(count);
  }
  std::fflush(nullptr);
  _exit(code);
}

Child start(int task, const ChildTasks& pool) {
  int ends[2];
  if (pipe(ends) != 0) throw SystemFailure(std::string("no pipe to a child: ") + strerror(errno));
  std::fflush(nullptr);
  const pid_t parent = getpid();
  const HeldSignals signals;
  const pid_t process = fork();
  if (process < 0) {
    const int error = errno;
    close(ends[0]);
    close(ends[1]);
    throw SystemFailure(std::string("no process for a point: ") + strerror(error));
  }
  if (process == 0) {
    close(ends[0]);
    be_child(task, ends[1], parent, signals, pool);
  }
  close(ends[1]);
  return {task, process, ends[0], ""};
}

/// Waits for the child's end. Returns: its status.
int wait_for(const Child& child) {
  close(child.pipe);
  int status = 0;
  while (waitpid(child.process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

/// Waits for the child's end and returns why it failed; empty when it did not.
/// Throws: SystemFailure when its task threw one.
std::string reap(const Child& child) {
  const int status = wait_for(child);
  if (WIFSIGNALED(status))
    return fmt::format("its process was ended by signal {} ({})", WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
  if (WIFEXITED(status) && WEXITSTATUS(status) == code_of_system_failure)
    throw SystemFailure(child.said.empty() ? "a point ended; see its output for the reason"
                                           : child.said);
  if (!child.said.empty()) return child.said;
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
    return fmt::format("its process ended with exit code {}", WEXITSTATUS(status));
  return "";
}

void end_all(std::vector<Child>& children) {
  for (const Child& child : children) kill(child.process, SIGTERM);
  for (const Child& child : children) wait_for(child);
  children.clear();
}

/// Reads the available data. False when the pipe has been closed.
bool read_some(Child& child) {
  char buffer[4096];
  const ssize_t count = read(child.pipe, buffer, sizeof buffer);
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  child.said.append(buffer, index(count));
  return count > 0;
}

/// Waits a moment for children to end, and removes those that have ended.
std::vector<Child> wait_for_some(std::vector<Child>& children) {
  constexpr int patience_ms = 100;
  std::vector<pollfd> pipes;
  for (const Child& child : children) pipes.push_back({child.pipe, POLLIN, 0});
  std::vector<Child> gone;
  if (poll(pipes.data(), pipes.size(), patience_ms) <= 0) return gone;
  for (std::size_t i = children.size(); i-- > 0;) {
    if (pipes[i].revents == 0 || read_some(children[i])) continue;
    gone.push_back(std::move(children[i]));
    children.erase(children.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return gone;
}

}  // namespace

bool run_in_children(const std::vector<int>& tasks, int jobs, const ChildTasks& pool) {
  std::vector<Child> running;
  std::size_t next = 0;
  try {
    while (next < tasks.size() || !running.empty()) {
      if (!pool.go_on(static_cast<int>(running.size()))) {
        end_all(running);
        return false;
      }
      while (next < tasks.size() && running.size() < index(jobs))
        running.push_back(start(tasks[next++], pool));
      for (const Child& child : wait_for_some(running)) pool.ended(child.task, reap(child));
    }
  } catch (...) {
    end_all(running);
    throw;
  }
  return true;
}

std::string run_in_child(const std::function<void()>& work) {
  std::string failure;
  ChildTasks pool;
  pool.work = [&work](int) { work(); };
  pool.ended = [&failure](int, const std::string& fault) { failure = fault; };
  pool.go_on = [](int) { return true; };
  run_in_children({0}, 1, pool);
  return failure;
}

}  // namespace flitwave
