// testbenches/tests/timed/modules/soak_test.cpp: a million packets take no more memory than a few
// thousand.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fstream>
#include <malloc.h>
#include <memory>
#include <unistd.h>
#include <vector>

#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"

namespace soak_test {

using namespace flitwave;

namespace {

constexpr double million = 1'000'000;
constexpr double kibibyte = 1024;
constexpr bool keeps_what_is_freed = test::instrumented;  // for a while, so memory grows

/// Memory of the process. Unit: B
struct Memory {
  double resident = 0;
  double allocated = 0;  ///< Heap: pools, wheel, feeds, queues and everything else.
};

Memory memory_now() {
  std::ifstream statm("/proc/self/statm");
  double pages = 0;
  statm >> pages >> pages;
  const struct mallinfo2 heap = mallinfo2();
  return {pages * static_cast<double>(sysconf(_SC_PAGESIZE)),
          static_cast<double>(heap.uordblks + heap.hblkhd)};
}

/// Samples the memory of a simulation at regular intervals, from within it.
class MemoryWatch final : public Sleeper {
 public:
  MemoryWatch(ClockDomain& domain, Cycle step) : domain_(domain), step_(step) {
    samples_.reserve(most_samples);
    domain_.at(step_, *this);
  }

  /// Adds the greatest values of the second and of the last quarter of the run.
  void report(Results& results) const {
    const auto greatest = [&](std::size_t quarter, double Memory::*figure) {
      double found = 0;
      for (std::size_t i = samples_.size() * quarter / 4; i < samples_.size() * (quarter + 1) / 4;
           ++i)
        found = std::max(found, samples_[i].*figure);
      return found;
    };
    results.add("samples", static_cast<double>(samples_.size()), "");
    results.add("resident.early", greatest(1, &Memory::resident), "B");
    results.add("resident.late", greatest(3, &Memory::resident), "B");
    results.add("allocated.early", greatest(1, &Memory::allocated), "B");
    results.add("allocated.late", greatest(3, &Memory::allocated), "B");
  }

 private:
  static constexpr std::size_t most_samples = 4096;

  void due() override {
    if (samples_.size() < most_samples) samples_.push_back(memory_now());
    domain_.at(domain_.now() + step_, *this);
  }

  ClockDomain& domain_;
  Cycle step_;
  std::vector<Memory> samples_;
};

Results soak(const Scenario& scenario) {
  const Catalog catalog = standard_catalog();
  const Job job = Job::read(scenario, catalog);
  const Plan plan = Plan::make(job);
  SimulateOptions options;
  options.attach = [&job](Testbench& testbench) {
    const Cycle step = job.measurement->measure.count / 200;
    const auto watch = std::make_shared<MemoryWatch>(testbench.domain(), step);
    return [watch](Results& results) { watch->report(results); };
  };
  return simulate(job, plan, options);
}

Scenario with_load(const std::string& load) {
  return Scenario::parse(R"(
scenario: soak
topology: {kind: torus, shape: [8, 8]}
channel: {vcs: 2, buffer: 4 flit}
observe: [{kind: latency}, {kind: channel_load}, {kind: contention}]
)" + load);
}

void check_flat(const Results& results, double least_packets = million) {
  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
  INFO(results.value("allocated.early")
       << " B of heap early, " << results.value("allocated.late") << " late, "
       << results.value("resident.early") << " B resident early, " << results.value("resident.late")
       << " late");
  CHECK(results.value("packets") >= least_packets);
  CHECK(results.value("samples") >= 190);
  if (keeps_what_is_freed) return;
  // Half of the packets are sent between the two quarters; a few bytes per packet would show.
  CHECK(results.value("allocated.late") - results.value("allocated.early") <= 64 * kibibyte);
  CHECK(results.value("resident.late") - results.value("resident.early") <= 256 * kibibyte);
}

}  // namespace

TEST_CASE("a million packets take no more memory than a quarter of them", "[timed][long]") {
  const char* scheduling = GENERATE("batched", "per_module");
  INFO(scheduling);

  check_flat(soak(with_load(R"(
traffic: {rate: 0.15 flit/node/cycle, packet: 3 flit, warmup: 0 cycle, measure: 330000 cycle}
)")
                      .with("clock.scheduling", scheduling)));
}

TEST_CASE("a hundred thousand requests and replies leave no memory allocated", "[timed]") {
  check_flat(soak(with_load(R"(
requests: {window: 4, request: 1 flit, reply: 4 flit, message_classes: 2, warmup: 0 cycle,
           measure: 16000 cycle}
)")
                      .with("channel.vcs", "4")),
             100'000);
}

TEST_CASE("a million requests and replies take no more memory than a quarter of them",
          "[timed][long]") {
  check_flat(soak(with_load(R"(
requests: {window: 4, request: 1 flit, reply: 4 flit, message_classes: 2, warmup: 0 cycle,
           measure: 400000 cycle}
)")
                      .with("channel.vcs", "4")));
}

TEST_CASE("a million circuits take no more memory than a quarter of them", "[timed][long]") {
  check_flat(soak(with_load(R"(
router: {kind: circuit, busy: teardown}
routing: {kind: dimension_order, vc_rule: none}
traffic: {rate: 0.005 flit/node/cycle, packet: 2 flit, warmup: 0 cycle, measure: 6600000 cycle}
)")
                      .with("channel", "{handshake: acknowledge}")));
}

}  // namespace soak_test
