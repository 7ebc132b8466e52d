// testbenches/job/job_sections.cpp: see job_sections.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/job_sections.hpp"

#include <utility>

#include "testbenches/job/job.hpp"

namespace flitwave {

namespace {

template <class T>
const T* value_of(const T& value) {
  return &value;
}

template <class T>
const T* value_of(const std::optional<T>& value) {
  return value ? &*value : nullptr;
}

/// A section whose settings a job holds in `member`, which may be an optional.
template <class Params, class Member>
JobSection settings(std::string name, std::string sentence, Schema<Params> schema,
                    Member Job::*member) {
  JobSection section{{std::move(name), std::move(sentence), schema.describe()}};
  section.print = [schema = std::move(schema), member](const Job& job) {
    const Params* params = value_of(job.*member);
    return params ? std::optional(to_map(schema.print(*params))) : std::nullopt;
  };
  return section;
}

template <class BoundKind>
ConfigNode print_kind(const BoundKind& bound) {
  Printed printed = bound.parameters();
  printed.insert(printed.begin(), {"kind", bound.kind()});
  return to_map(printed);
}

/// A section whose kind a job holds in `member`, which may be an optional.
template <class Kinds, class Base, class Member>
JobSection kind(std::string name, std::string room, std::string sentence, Kinds Base::*registry,
                Member Job::*member) {
  JobSection section{{std::move(name), std::move(sentence), {}}};
  section.room = std::move(room);
  section.kinds = [registry](const Catalog& catalog) { return (catalog.*registry).kinds(); };
  section.print = [member](const Job& job) {
    const auto* bound = value_of(job.*member);
    return bound ? std::optional(print_kind(*bound)) : std::nullopt;
  };
  return section;
}

/// A setting of the section `of`.
JobSection within(std::string of, JobSection section) {
  section.key = std::exchange(section.name, std::move(of));
  return section;
}

JobSection simulated(JobSection section) {
  section.only_simulated = true;
  return section;
}

/// A section that is printed as it is in the job.
JobSection as_written(std::string name, std::string sentence,
                      std::vector<ParameterInfo> parameters = {}) {
  JobSection section{{name, std::move(sentence), std::move(parameters)}};
  section.print = [name = std::move(name)](const Job& job) {
    const ConfigNode* node = job.written.find(name);
    return node ? std::optional(*node) : std::nullopt;
  };
  return section;
}

/// A section with its entries for some nodes, of which `kind_of` gives the kind.
template <class Entries, class KindOf>
ConfigNode with_entries(const ConfigNode& section, const Entries& entries, KindOf kind_of) {
  std::vector<ConfigNode> printed;
  for (const auto& entry : entries)
    printed.push_back(ConfigNode::map({{"nodes", ConfigNode::list(entry.nodes)}})
                          .merged(print_kind(kind_of(entry))));
  return printed.empty() ? section : section.with("at", ConfigNode::list(std::move(printed)));
}

JobSection router() {
  JobSection section = kind("router", "router",
                            "moves flits at a node; `at` is a list of others for some nodes, "
                            "each {nodes: [...], kind: ...}",
                            &Catalog::routers, &Job::router);
  section.print = [](const Job& job) {
    return with_entries(
        print_kind(job.router), job.router_overrides,
        [](const auto& entry) -> const auto& { return entry.router; });
  };
  return section;
}

JobSection node() {
  const std::string name = "node";
  JobSection section = settings(name,
                                "processors and their local ports; `at` is a list of devices for "
                                "some nodes, each {nodes: [...], kind: ...}",
                                node_schema(), &Job::node);
  section.room = name;
  section.kinds = [](const Catalog& catalog) { return catalog.nodes.kinds(); };
  section.print = [](const Job& job) {
    return with_entries(
        to_map(node_schema().print(job.node)), job.devices,
        [](const auto& entry) -> const auto& { return entry.kind; });
  };
  return section;
}

JobSection compare() {
  JobSection section = kind("compare", "algorithm",
                            "another algorithm for the same demands; how far a metric of "
                            "`algorithm` is above that of the other is reported as NAME.excess",
                            &Catalog::collectives, &Job::compare);
  const ValueType algorithm{"map", "{kind: optimal_multicast}", "{}"};
  section.parameters = {
      {"kind", algorithm, true, "", "", "an algorithm, with its parameters beside the kind"}};
  return section;
}

JobSection observe() {
  JobSection section{{"observe", "what is measured", {}}};
  section.room = section.name;
  section.kinds = [](const Catalog& catalog) { return catalog.observers.kinds(); };
  section.print = [](const Job& job) {
    std::vector<ConfigNode> entries;
    for (const auto& observer : job.observers) entries.push_back(print_kind(observer));
    return ConfigNode::list(std::move(entries));
  };
  return section;
}

JobSection expect() {
  const ValueType judged{"number, or [least, greatest]", "4", "{}"};
  return as_written("expect", "expected results; a miss is exit code 4",
                    {{"METRIC", judged, false, "null", "",
                      "value of a metric of the run; `flitwave list metric` shows them"}});
}

}  // namespace

const std::vector<JobSection>& job_sections() {
  static const std::vector<JobSection> sections{
      as_written("scenario", "the job's name"),
      as_written("about", "purpose of the job; not read"),
      as_written("needs",
                 "a part that the ordinary program does not have: rtl, routers in Verilog; "
                 "`tools/flitwave --rtl run JOB.yaml` builds it"),
      settings("", "settings at the top of a job", top_schema(), &Job::top),
      kind("evaluation", "evaluation", "the model that evaluates a job", &Catalog::evaluations,
           &Job::evaluation),
      settings("clock", "the clock that drives every module", clock_schema(), &Job::clock),
      kind("topology", "topology", "nodes and channels", &Catalog::topologies, &Job::topology),
      settings("faults",
               "faulty nodes and links of the network (nodes: Lan 1988, section 7.2; links and "
               "later faults are extensions)",
               fault_schema(), &Job::faults),
      kind("routing", "routing", "the paths of packets", &Catalog::routings, &Job::routing),
      settings("channel", "parameters of every channel", channel_schema(), &Job::channel),
      router(),
      settings("packet_format", "how messages become packets", packet_format_schema(),
               &Job::packet_format),
      node(),
      simulated(settings("transactions", "TLM transactions between devices of nodes",
                         transaction_schema(), &Job::transactions)),
      kind("operation", "operation", "what must be delivered", &Catalog::operations,
           &Job::operation),
      kind("algorithm", "algorithm", "the transfers of an operation", &Catalog::collectives,
           &Job::algorithm),
      compare(),
      simulated(settings("traffic", "open-loop load", traffic_schema(), &Job::traffic)),
      within("traffic", kind("pattern", "traffic", "sources and destinations under open-loop load",
                             &Catalog::traffic, &Job::pattern)),
      within("traffic", kind("injection", "injection", "when sources create packets",
                             &Catalog::injections, &Job::injection)),
      simulated(settings("trace", "open-loop load from a file", trace_schema(), &Job::trace)),
      simulated(settings("requests", "closed-loop load: requests, replies and a window",
                         request_schema(), &Job::requests)),
      within("requests", kind("pattern", "traffic",
                              "sources and destinations of requests under closed-loop load",
                              &Catalog::traffic, &Job::pattern)),
      observe(),
      simulated(settings("wave", "a file of selected channels, in VCD or FST", wave_schema(),
                         &Job::wave)),
      simulated(settings("stop", "when a run is stopped", stop_schema(), &Job::stop)),
      simulated(settings("watchdog", "the search for deadlock while running", watchdog_schema(),
                         &Job::watchdog)),
      expect(),
  };
  return sections;
}

}  // namespace flitwave
