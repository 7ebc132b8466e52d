// testbenches/run/network.cpp: see network.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/run/network.hpp"

#include <exception>
#include <optional>
#include <utility>

#include "testbenches/run/expectations.hpp"
#include "testbenches/run/result_files.hpp"
#include "testbenches/run/testbench/testbench.hpp"

namespace flitwave {

namespace {

/// Throws: ConfigError
Job checked_job(const Scenario& scenario, const Catalog& catalog) {
  Job job = Job::read(scenario, catalog);
  if (job.evaluation.kind() != "timed")
    throw error_at(job, "evaluation", "a network as a module is simulated in time, once",
                   "use evaluation: timed");
  if (job.compare)
    throw error_at(job, "compare", "a network as a module runs one algorithm", "remove it");
  if (job.top.draws != 1)
    throw error_at(job, "draws", "a network as a module runs once", "use draws: 1");
  return job;
}

/// Whether the caller's simulation is not to go on as if nothing had happened.
bool is_error(Outcome outcome) {
  switch (outcome) {
    case Outcome::complete:
    case Outcome::partial:
    case Outcome::limit:
    case Outcome::failed_expectation:
      return false;
    default:
      return true;
  }
}

}  // namespace

struct Network::Parts {
  Parts(const Scenario& scenario, const Catalog& catalog, const std::string& path)
      : job(checked_job(scenario, catalog)), plan(Plan::make(job)) {
    if (path.empty()) return;
    folder.emplace(path);
    if (job.wave) options.wave_path = folder->unfinished(job.wave->file);
  }

  Job job;
  Plan plan;
  std::optional<RunFolder> folder;
  RunOptions options;
  std::unique_ptr<Testbench> testbench;
  std::optional<Results> results;
};

Network::Network(const sc_core::sc_module_name& name, const Scenario& scenario,
                 const Catalog& catalog, const std::string& folder)
    : sc_module(name), parts_(std::make_unique<Parts>(scenario, catalog, folder)) {
  SC_METHOD(end);
  sensitive << end_requested_;
  dont_initialize();
  parts_->options.ended = [this] { end_requested_.notify(sc_core::SC_ZERO_TIME); };
  parts_->options.is_missed = [this](const Results& results) {
    return misses(parts_->job.expectations, results);
  };
  try {
    parts_->testbench = std::make_unique<Testbench>("testbench", parts_->job, parts_->plan);
    parts_->testbench->begin(parts_->options);
  } catch (const ConfigError& error) {
    throw detail::located(error, parts_->job.written);
  }
}

Network::~Network() = default;

bool Network::has_ended() const { return parts_->results.has_value(); }

TlmBridge& Network::tlm(const std::string& node) {
  const Topology& topology = *parts_->plan.topology;
  for (int i = 0; i < topology.nodes(); ++i)
    if (topology.label(NodeId(i)) == node) return parts_->testbench->bridge(NodeId(i));
  throw ConfigError("node", "the network has no node " + detail::in_quotes(node),
                    "nodes are named as in results, e.g. " + topology.label(NodeId(0)));
}

Netlist& Network::netlist() { return parts_->testbench->netlist(); }

void Network::end() {
  if (has_ended()) return;
  const Results& ended = results();
  ended_.notify(sc_core::SC_ZERO_TIME);
  if (is_error(ended.outcome)) SC_REPORT_ERROR(error_type, ended.message.c_str());
}

const Results& Network::results() {
  if (parts_->results) return *parts_->results;
  Results results;
  try {
    results = parts_->testbench->end();
    judge(parts_->job.expectations, results);
    if (parts_->folder) publish_results(parts_->job, results, *parts_->folder);
  } catch (const SystemFailure& error) {
    results.outcome = Outcome::system_failure;
    results.message = error.what();
  } catch (const std::exception& error) {
    results.outcome = Outcome::model_error;
    results.message = error.what();
  }
  parts_->folder.reset();
  return parts_->results.emplace(std::move(results));
}

}  // namespace flitwave
