// testbenches/job/job.cpp: a job is read, section by section.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/job.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "algorithms/trace.hpp"
#include "testbenches/job/declared_metrics.hpp"
#include "testbenches/job/job_sections.hpp"
#include "testbenches/job/needed_parts.hpp"

namespace flitwave {

namespace {

/// Sections, and the settings at the top.
std::vector<std::string> known_keys() {
  std::vector<std::string> keys;
  for (const JobSection& section : job_sections()) {
    if (section.name.empty())
      for (const ParameterInfo& info : section.parameters) keys.push_back(info.name);
    else if (section.key.empty())
      keys.push_back(section.name);
  }
  return keys;
}

/// Throws: MissingPart for a kind that this program was built without.
template <class R, class Traits>
auto bind_kind(const Registry<R, Traits>& registry, const ConfigNode& section) {
  auto bound = registry.bind(section);
  const std::string& reason = registry.info(bound.kind()).about.unavailable;
  if (reason.empty()) return bound;
  const ConfigNode& kind = section.is_map() ? section.at("kind") : section;
  throw MissingPart(kind.place(), kind.path(), reason);
}

template <class R, class Traits>
auto bind_section(const Registry<R, Traits>& registry, const ConfigNode& job,
                  const std::string& key, const std::string& fallback) {
  if (const ConfigNode* node = job.find(key)) return bind_kind(registry, *node);
  return registry.bind(ConfigNode::map({{"kind", ConfigNode::scalar(fallback)}}));
}

template <class Params>
Params read_section(const Schema<Params>& schema, const ConfigNode& job, const std::string& key) {
  const ConfigNode* node = job.find(key);
  return schema.parse(node ? *node : ConfigNode::map({}));
}

JobParams read_top(const ConfigNode& written) {
  const std::vector<ParameterInfo> known = top_schema().describe();
  std::vector<ConfigNode::Entry> entries;
  for (const auto& entry : written.entries())
    if (std::any_of(known.begin(), known.end(),
                    [&](const ParameterInfo& info) { return info.name == entry.first; }))
      entries.push_back(entry);
  JobParams top = top_schema().parse(ConfigNode::map(std::move(entries)));
  if (top.count_deadlock && !top.allow_deadlock)
    throw written.at("count_deadlock")
        .error("deadlocks can be counted only in a job that allows them",
               "set allow_deadlock: true");
  return top;
}

const ConfigNode& required_section(const ConfigNode& job, const std::string& key,
                                   const std::string& example) {
  if (const ConfigNode* node = job.find(key)) return *node;
  throw ConfigError(job.place(), key, "a job needs a section `" + key + "`",
                    "write e.g. `" + key + ": " + example + "`");
}

/// What `read` returns; an error without a position gets that of the section.
template <class Read>
auto located_in(const ConfigNode& section, Read read) {
  try {
    return read();
  } catch (const ConfigError& error) {
    throw detail::located(error, section);
  }
}

/// The entries of the list `at` of a section, each of which names its nodes.
std::vector<ConfigNode> entries_at(const ConfigNode& section, const std::string& example) {
  const ConfigNode* at = section.find("at");
  if (!at) return {};
  if (!at->is_list()) throw at->error("overrides are a list", "write `at: [" + example + "]`");
  for (const ConfigNode& entry : at->items()) {
    const ConfigNode* nodes = entry.find("nodes");
    if (!nodes || !nodes->is_list() || nodes->items().empty())
      throw entry.error("an override names its nodes", "write `" + example + "`");
  }
  return at->items();
}

void read_routers(const ConfigNode& written, const Catalog& catalog, Job& job) {
  const ConfigNode* section = written.find("router");
  if (!section) {
    job.router = bind_section(catalog.routers, written, "router", "wormhole");
    return;
  }
  job.router = bind_kind(catalog.routers, section->without("at"));
  for (const ConfigNode& entry : entries_at(*section, "{nodes: [[3, 4]], kind: wormhole}"))
    job.router_overrides.push_back(
        {entry.at("nodes").items(), bind_kind(catalog.routers, entry.without("nodes"))});
}

void read_nodes(const ConfigNode& written, const Catalog& catalog, Job& job) {
  const ConfigNode* section = written.find("node");
  job.node = node_schema().parse(section ? section->without("at") : ConfigNode::map({}));
  if (section)
    for (const ConfigNode& entry :
         entries_at(*section, "{nodes: [[3, 4]], kind: tlm, memory: {size: 64 KiB}}"))
      job.devices.push_back(
          {entry, entry.at("nodes").items(), bind_kind(catalog.nodes, entry.without("nodes"))});
  const ConfigNode* transactions = written.find("transactions");
  if (transactions && job.devices.empty())
    throw transactions->error("the job has no devices that begin or serve transactions",
                              "add e.g. `node: {at: [{nodes: [[3, 4]], kind: tlm, memory: {size: "
                              "64 KiB}}]}`");
  if (!job.devices.empty())
    job.transactions = read_section(transaction_schema(), written, "transactions");
}

void read_trace(const ConfigNode& section, Job& job) {
  job.trace = trace_schema().parse(section);
  job.measurement = *job.trace;
  if (job.measurement->measure.count > 0) return;
  const Cycle last = located_in(section, [&] { return last_cycle_of_trace(job.trace->file); });
  job.measurement->measure.count = std::max<Cycle>(1, last + 1 - job.measurement->warmup.count);
}

void read_traffic(const ConfigNode& written, const Catalog& catalog, Job& job) {
  if (const ConfigNode* node = written.find("traffic")) {
    job.traffic = traffic_schema().parse(*node);
    job.pattern = catalog.traffic.bind(job.traffic->pattern);
    job.injection = catalog.injections.bind(job.traffic->injection);
    job.measurement = *job.traffic;
  }
  if (const ConfigNode* node = written.find("requests")) {
    job.requests = request_schema().parse(*node);
    job.pattern = catalog.traffic.bind(job.requests->pattern);
    job.measurement = *job.requests;
  }
  if (const ConfigNode* node = written.find("trace")) read_trace(*node, job);
}

/// Throws: ConfigError for the second of them.
void reject_two_loads(const ConfigNode& written) {
  const char* found = nullptr;
  for (const char* key : {"traffic", "trace", "requests"}) {
    const ConfigNode* node = written.find(key);
    if (node && found)
      throw node->error(std::string("a second load beside `") + found + "`",
                        "remove one of them; a job has one of traffic, trace and requests");
    if (node) found = key;
  }
}

void read_load(const ConfigNode& written, const Catalog& catalog, Job& job) {
  if (const ConfigNode* node = written.find("operation"))
    job.operation = catalog.operations.bind(*node);
  if (const ConfigNode* node = written.find("algorithm")) {
    if (!job.operation)
      throw node->error("the job has no operation for the algorithm",
                        "add e.g. `operation: {kind: broadcast, root: 0, message: 1 KiB}`");
    job.algorithm = catalog.collectives.bind(*node);
  } else if (job.operation) {
    job.algorithm = bind_section(catalog.collectives, written, "algorithm", "separate");
  }
  if (const ConfigNode* node = written.find("compare"))
    job.compare = catalog.collectives.bind(*node);
  reject_two_loads(written);
  read_traffic(written, catalog, job);
  if (!job.operation && !job.measurement && job.devices.empty())
    throw ConfigError(written.place(), "operation", "the operation sends no message",
                      "add a section `operation` (a collective), `traffic` (open-loop load), "
                      "`trace` (packets from a file) or `requests` (closed-loop load), or devices "
                      "(node.at)");
}

/// Two observers of a kind would write the same tables.
void add_observer(const Catalog& catalog, const ConfigNode& entry, Job& job) {
  auto observer = catalog.observers.bind(entry);
  for (const auto& other : job.observers)
    if (other.kind() == observer.kind())
      throw entry.error("there are two observers of kind " + detail::in_quotes(other.kind()),
                        "keep one; each observes the whole network");
  job.observers.push_back(std::move(observer));
}

/// The observers of a job without a list.
void add_default_observers(const Catalog& catalog, Job& job) {
  std::vector<std::string> kinds{"latency", "channel_load"};
  if (job.operation && job.top.fidelity == Fidelity::signal) kinds.push_back("prediction");
  if (!job.devices.empty()) kinds.push_back("transactions");
  if (!job.is_clocked()) kinds = {"steps", "prediction"};
  for (const std::string& kind : kinds)
    job.observers.push_back(
        catalog.observers.bind(ConfigNode::map({{"kind", ConfigNode::scalar(kind)}})));
}

void read_observers(const ConfigNode& written, const Catalog& catalog, Job& job) {
  const ConfigNode* list = written.find("observe");
  if (!list) return add_default_observers(catalog, job);
  if (!list->is_list())
    throw list->error("expected a list of observers", "write e.g. `observe: [{kind: latency}]`");
  for (const ConfigNode& entry : list->items()) add_observer(catalog, entry, job);
}

/// Throws: ConfigError when there is something that only a simulation can do.
void check_unclocked(const ConfigNode& written, const Job& job) {
  const std::string problem = "evaluation: " + job.evaluation.kind() +
                              " evaluates a schedule and does not simulate the network";
  for (const JobSection& section : job_sections())
    if (const ConfigNode* node = section.only_simulated ? written.find(section.name) : nullptr)
      throw node->error(problem, fmt::format("remove it (in an experiment `drop: [{}]`), or set "
                                             "evaluation: timed",
                                             section.name));
  if (const ConfigNode* list = written.find("observe"))
    for (std::size_t i = 0; i < job.observers.size(); ++i)
      if (!job.observers[i].traits().without_clock)
        throw list->items()[i].error(
            problem + ", so that `" + job.observers[i].kind() + "` has nothing to observe",
            "remove it (in an experiment set `observe: []`), or set evaluation: timed");
  if (!job.devices.empty())
    throw written.at("node").at("at").error(
        problem, "remove it (in an experiment `drop: [node.at]`), or set evaluation: timed");
  if (job.faults && !job.faults->later.empty())
    throw written.at("faults").at("later").error(
        "evaluation: " + job.evaluation.kind() + " has no clock, so that no later fault occurs",
        "list it under faults.nodes or faults.links, or set evaluation: timed");
  if (!job.operation)
    throw written.at("evaluation")
        .error(problem + "; the job has no operation",
               "add a section `operation`, or set evaluation: timed");
}

/// Throws: ConfigError when the job has a setting that needs a single simulation.
void check_simulations(const ConfigNode& written, const Job& job) {
  if (job.top.draws == 1 && !job.compare) return;
  if (const ConfigNode* wave = written.find("wave"))
    throw wave->error("a wave records one simulation; the job has several",
                      "remove it, or remove draws and compare");
}

/// Throws: ConfigError, located, for a metric that no run reports, or that this job does not
///   report.
void check_expectation(const Expectation& expectation, const MetricInfos& declared,
                       const Job& job) {
  const std::string key = "expect." + expectation.metric;
  const std::string& observer =
      require_metric(declared, expectation.metric, expectation.place, key).observer;
  const bool observed =
      observer.empty() || std::any_of(job.observers.begin(), job.observers.end(),
                                      [&](const auto& own) { return own.kind() == observer; });
  if (!observed)
    throw ConfigError(expectation.place, key,
                      "the metric is reported by an observer that the job does not have",
                      "add {kind: " + observer + "} to `observe`");
}

std::vector<Expectation> read_expectations(const ConfigNode* section) {
  std::vector<Expectation> expectations;
  if (!section) return expectations;
  if (!section->is_map())
    throw section->error("expectations are a map from metric to value",
                         "write e.g. `expect: {steps: 4}`");
  for (const auto& [metric, node] : section->entries()) {
    Expectation expectation{metric, 0, 0, node.place()};
    if (node.is_scalar()) {
      expectation.least = expectation.greatest = Codec<double>::read(node);
    } else if (node.is_list() && node.items().size() == 2) {
      expectation.least = Codec<double>::read(node.items()[0]);
      expectation.greatest = Codec<double>::read(node.items()[1]);
      if (expectation.least > expectation.greatest)
        throw node.error("the range is empty", "write the least value first, as in [3.9, 4.1]");
    } else {
      throw node.error("an expectation is a number or a range",
                       "write e.g. `" + metric + ": 4` or `" + metric + ": [3.9, 4.1]`");
    }
    expectations.push_back(expectation);
  }
  return expectations;
}

}  // namespace

std::string read_name(const ConfigNode& node) {
  constexpr std::size_t longest = 100;
  const std::string name = Codec<std::string>::read(node);
  const std::string_view signs =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
  if (name.empty() || name[0] == '.' || name[0] == '-' ||
      name.find_first_not_of(signs) != std::string::npos)
    throw node.error(detail::in_quotes(name) + " is not a valid name for a job",
                     "use letters, digits, _ and -; the results go to a folder of that name");
  if (name.size() > longest)
    throw node.error(
        "a name of " + counted(static_cast<std::int64_t>(name.size()), "letter"),
        "use at most " + std::to_string(longest) + "; the results go to a folder of that name");
  return name;
}

Job Job::read(const Scenario& scenario, const Catalog& catalog) {
  const ConfigNode& written = scenario.tree();
  detail::require_map(written);
  detail::reject_unknown_keys(written, known_keys());
  Job job;
  job.written = written;
  job.name = read_name(required_section(written, "scenario", "my_first_run"));
  check_needed_part(written);
  job.top = read_top(written);
  // [read]
  job.clock = read_section(clock_schema(), written, "clock");
  job.topology =
      catalog.topologies.bind(required_section(written, "topology", "{kind: mesh, shape: [8, 8]}"));
  if (const ConfigNode* faults = written.find("faults")) job.faults = fault_schema().parse(*faults);
  job.routing = bind_section(catalog.routings, written, "routing",
                             job.topology.kind() == "custom" ? "shortest_path" : "dimension_order");
  job.channel = read_section(channel_schema(), written, "channel");
  read_routers(written, catalog, job);
  job.packet_format = read_section(packet_format_schema(), written, "packet_format");
  read_nodes(written, catalog, job);
  // [read]
  read_load(written, catalog, job);
  job.evaluation = bind_section(catalog.evaluations, written, "evaluation", "timed");
  read_observers(written, catalog, job);
  if (const ConfigNode* wave = written.find("wave")) job.wave = read_wave(*wave);
  if (job.is_clocked())
    check_simulations(written, job);
  else
    check_unclocked(written, job);
  job.stop = read_section(stop_schema(), written, "stop");
  job.watchdog = read_section(watchdog_schema(), written, "watchdog");
  job.expectations = read_expectations(written.find("expect"));
  if (job.expectations.empty()) return job;
  const MetricInfos declared = declared_metrics(catalog);
  for (const Expectation& expectation : job.expectations)
    check_expectation(expectation, declared, job);
  return job;
}

ConfigNode Job::resolved() const {
  std::vector<ConfigNode::Entry> entries;
  for (const JobSection& section : job_sections()) {
    const std::optional<ConfigNode> value = section.print(*this);
    if (!value || (section.only_simulated && !is_clocked())) continue;
    if (section.name.empty())
      entries.insert(entries.end(), value->entries().begin(), value->entries().end());
    else if (section.key.empty())
      entries.emplace_back(section.name, *value);
    else if (entries.back().first == section.name)
      entries.back().second = entries.back().second.with(section.key, *value);
  }
  return ConfigNode::map(std::move(entries));
}

ConfigError error_at(const Job& job, const std::string& path, std::string problem,
                     std::string remedy) {
  const ConfigNode* node = job.written.find_path(path);
  // A default has the position of the nearest section that was written.
  std::string parent = path;
  while (!node && parent.find('.') != std::string::npos) {
    parent.resize(parent.rfind('.'));
    node = job.written.find_path(parent);
  }
  return ConfigError(node ? node->place() : job.written.place(), path, std::move(problem),
                     std::move(remedy));
}

}  // namespace flitwave
