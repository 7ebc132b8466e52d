// testbenches/bench/measure.cpp: see measure.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/bench/measure.hpp"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testbenches/fuzz/compare.hpp"
#include "testbenches/reference/reference.hpp"
#include "testbenches/run/simulate.hpp"

namespace flitwave::bench {

namespace {

/// CPU time of this process, user and system. Unit: s
double cpu_time() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Unit: MiB
double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// Calls `work` in a child process, whose times and memory are not affected by others.
template <class Work>
Measurement in_child(Work work) {
  int ends[2];
  if (pipe(ends) != 0) throw SystemFailure("no pipe to a measurement");
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw SystemFailure("no process for a measurement");
  if (child == 0) {
    close(ends[0]);
    const Measurement measured = work();
    const auto size = static_cast<ssize_t>(sizeof measured);
    _exit(write(ends[1], &measured, sizeof measured) == size ? 0 : 1);
  }
  close(ends[1]);
  Measurement measured;
  const ssize_t count = read(ends[0], &measured, sizeof measured);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (count != static_cast<ssize_t>(sizeof measured) || status != 0)
    throw SystemFailure("a measurement failed");
  return measured;
}

Measurement network_here(const Scenario& scenario, const std::string& wave_path) {
  Measurement measured;
  const double begin = cpu_time();
  const Job job = Job::read(scenario, standard_catalog());
  const Plan plan = Plan::make(job, Plan::Check::skip);
  double elaborated = begin;
  SimulateOptions options;
  options.in_process = true;
  options.wave_path = wave_path;
  options.attach = [&](Testbench&) {
    elaborated = cpu_time();
    return std::function<void(Results&)>();
  };
  const Results results = simulate(job, plan, options);
  if (results.outcome != Outcome::complete) {
    std::fprintf(stderr, "%s\n", results.message.c_str());
    _exit(1);
  }
  measured.run = cpu_time() - elaborated;
  measured.elaboration = elaborated - begin;
  measured.memory = peak_memory();
  measured.fingerprint = results.fingerprint;
  measured.cycles = results.cycles;
  measured.transits = static_cast<std::int64_t>(results.value("transits"));
  if (results.has("latency.mean")) {
    measured.latency = results.value("latency.mean");
    measured.median = results.value("latency.p50");
    measured.p99 = results.value("latency.p99");
    measured.greatest = results.value("latency.max");
  }
  if (results.has("throughput.accepted"))
    measured.arrived = std::llround(results.value("throughput.accepted") * plan.topology->nodes() *
                                    static_cast<double>(job.measurement->measure.count));
  return measured;
}

Measurement loop_here(const Scenario& scenario) {
  Measurement measured;
  const double begin = cpu_time();
  const Job job = Job::read(scenario, standard_catalog());
  const Plan plan = Plan::make(job, Plan::Check::skip);
  const reference::Params params = fuzz::reference_params(job, plan);
  const double planned = cpu_time();
  const reference::Results results = reference::run(params);
  measured.run = cpu_time() - planned;
  measured.elaboration = planned - begin;
  measured.memory = peak_memory();
  measured.fingerprint = results.fingerprint;
  measured.cycles = results.cycles;
  measured.transits = results.transits;
  if (job.traffic) measured.arrived = results.flits_in_window;
  if (results.saturated || results.total.count() == 0) return measured;
  measured.latency = results.total.mean();
  measured.median = static_cast<double>(results.total.percentile(0.5));
  measured.p99 = static_cast<double>(results.total.percentile(0.99));
  measured.greatest = static_cast<double>(results.total.greatest());
  return measured;
}

}  // namespace

Measurement measure_network(const Scenario& scenario, const std::string& wave_path) {
  return in_child([&] { return network_here(scenario, wave_path); });
}

Measurement measure_loop(const Scenario& scenario) {
  return in_child([&] { return loop_here(scenario); });
}

}  // namespace flitwave::bench
