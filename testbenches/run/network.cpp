// testbenches/run/network.cpp: see network.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/run/network.hpp"

#include <optional>

#include "testbenches/run/expectations.hpp"
#include "testbenches/run/testbench/testbench.hpp"

namespace flitwave {

namespace {

/// Throws: ConfigError
Job checked_job(const Scenario& scenario, const Catalog& catalog) {
  Job job = Job::read(scenario, catalog);
  if (!job.is_clocked())
    throw error_at(job, "evaluation", "a network as a module is simulated in time",
                   "use evaluation: timed");
  if (job.top.draws != 1)
    throw error_at(job, "draws", "a network as a module runs once", "use draws: 1");
  return job;
}

}  // namespace

struct Network::Parts {
  Parts(const Scenario& scenario, const Catalog& catalog)
      : job(checked_job(scenario, catalog)), plan(Plan::make(job)) {}

  Job job;
  Plan plan;
  RunOptions options;
  std::unique_ptr<Testbench> testbench;
  std::optional<Results> results;
};

Network::Network(const sc_core::sc_module_name& name, const Scenario& scenario,
                 const Catalog& catalog, const std::string& wave_path)
    : sc_module(name), parts_(std::make_unique<Parts>(scenario, catalog)) {
  SC_METHOD(report_end);
  sensitive << end_requested_;
  dont_initialize();
  parts_->options.wave_path = wave_path;
  parts_->options.ended = [this] { end_requested_.notify(sc_core::SC_ZERO_TIME); };
  parts_->options.is_missed = [this](const Results& results) {
    Results judged = results;
    judge(parts_->job.expectations, judged);
    return judged.outcome == Outcome::failed_expectation;
  };
  try {
    parts_->testbench = std::make_unique<Testbench>("testbench", parts_->job, parts_->plan);
    parts_->testbench->begin(parts_->options);
  } catch (const ConfigError& error) {
    throw detail::located(error, parts_->job.written);
  }
}

Network::~Network() = default;

bool Network::has_ended() const { return parts_->testbench->has_ended(); }

Netlist& Network::netlist() { return parts_->testbench->netlist(); }

void Network::report_end() {
  if (reported_) return;
  reported_ = true;
  ended_.notify(sc_core::SC_ZERO_TIME);
  const std::string error = parts_->testbench->error_text();
  if (!error.empty()) SC_REPORT_ERROR(error_type, error.c_str());
}

const Results& Network::results() {
  if (parts_->results) return *parts_->results;
  parts_->testbench->cut_short();
  parts_->results = parts_->testbench->end();
  judge(parts_->job.expectations, *parts_->results);
  return *parts_->results;
}

}  // namespace flitwave
