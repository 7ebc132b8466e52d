// testbenches/job/job_print.cpp: a job printed back, every default filled in.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/job.hpp"

namespace flitwave {

namespace {

ConfigNode print_section(const Printed& printed, const std::string& kind = "") {
  std::vector<ConfigNode::Entry> entries;
  if (!kind.empty()) entries.emplace_back("kind", ConfigNode::scalar(kind));
  for (const auto& [key, value] : printed)
    entries.emplace_back(key, ConfigNode::parse(value, "default"));
  return ConfigNode::map(std::move(entries));
}

template <class B>
ConfigNode print_bound(const B& bound) {
  return print_section(bound.parameters(), bound.kind());
}

ConfigNode print_router(const Job& job) {
  ConfigNode section = print_bound(job.router);
  if (job.router_overrides.empty()) return section;
  std::vector<ConfigNode> entries;
  for (const Job::RouterOverride& entry : job.router_overrides) {
    const ConfigNode nodes = ConfigNode::map({{"nodes", ConfigNode::list(entry.nodes)}});
    entries.push_back(nodes.merged(print_bound(entry.router)));
  }
  return section.with("at", ConfigNode::list(std::move(entries)));
}

}  // namespace

ConfigNode Job::resolved() const {
  std::vector<ConfigNode::Entry> entries;
  entries.emplace_back("scenario", ConfigNode::scalar(name));
  if (const ConfigNode* about = written.find("about")) entries.emplace_back("about", *about);
  const ConfigNode top_section = print_section(top_schema().print(top));
  for (const auto& entry : top_section.entries()) entries.push_back(entry);
  entries.emplace_back("evaluation", print_bound(evaluation));
  entries.emplace_back("clock", print_section(clock_schema().print(clock)));
  entries.emplace_back("topology", print_bound(topology));
  if (faults) entries.emplace_back("faults", print_section(fault_schema().print(*faults)));
  entries.emplace_back("routing", print_bound(routing));
  entries.emplace_back("channel", print_section(channel_schema().print(channel)));
  entries.emplace_back("router", print_router(*this));
  entries.emplace_back("packet_format", print_section(packet_format_schema().print(packet_format)));
  entries.emplace_back("node", print_section(node_schema().print(node)));
  if (operation) entries.emplace_back("operation", print_bound(*operation));
  if (algorithm) entries.emplace_back("algorithm", print_bound(*algorithm));
  if (compare) entries.emplace_back("compare", print_bound(*compare));
  if (traffic)
    entries.emplace_back("traffic", print_section(traffic_schema().print(*traffic))
                                        .with("pattern", print_bound(*pattern))
                                        .with("injection", print_bound(*injection)));
  if (trace) entries.emplace_back("trace", print_section(trace_schema().print(*trace)));
  if (requests)
    entries.emplace_back(
        "requests",
        print_section(request_schema().print(*requests)).with("pattern", print_bound(*pattern)));
  std::vector<ConfigNode> observe;
  for (const auto& observer : observers) observe.push_back(print_bound(observer));
  entries.emplace_back("observe", ConfigNode::list(observe));
  if (wave) entries.emplace_back("wave", print_section(wave_schema().print(*wave)));
  if (is_clocked()) {
    entries.emplace_back("stop", print_section(stop_schema().print(stop)));
    entries.emplace_back("watchdog", print_section(watchdog_schema().print(watchdog)));
  }
  if (const ConfigNode* expect = written.find("expect")) entries.emplace_back("expect", *expect);
  return ConfigNode::map(std::move(entries));
}

}  // namespace flitwave
