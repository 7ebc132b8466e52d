// testbenches/fuzz_jobs/run_rules.cpp: the rules that every run must satisfy by itself; see
// job_judge.hpp.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

#include "testbenches/fuzz_jobs/job_judge.hpp"
#include "topologies/measures/measures.hpp"

namespace flitwave::fuzz_jobs {

namespace {

/// The cells of a table by the names of its columns.
class Rows {
 public:
  explicit Rows(const Table& table) : table_(table) {}

  std::size_t count() const { return table_.rows.size(); }
  bool has(const char* column) const {
    return std::find(table_.columns.begin(), table_.columns.end(), column) != table_.columns.end();
  }
  const std::string& text(std::size_t row, const char* column) const {
    const auto at = std::find(table_.columns.begin(), table_.columns.end(), column);
    return table_.rows[row].at(static_cast<std::size_t>(at - table_.columns.begin()));
  }
  double number(std::size_t row, const char* column) const {
    return std::atof(text(row, column).c_str());
  }

 private:
  const Table& table_;
};

bool may_deadlock(const Plan& plan) {
  return !plan.dependencies || plan.dependencies->verdict == DependencyVerdict::cyclic ||
         plan.protocol_cycle || plan.half_duplex || !plan.serves_escapes;
}

/// The step model holds channels whatever virtual channels the dependency check assumes.
std::string deadlock_fault(const Job& job, const Plan& plan, const Results& results) {
  if (!job.is_clocked()) return "";
  const bool counted = results.has("deadlocked") && results.value("deadlocked") > 0;
  if ((results.outcome != Outcome::deadlock && !counted) || may_deadlock(plan)) return "";
  return "the dependency check says " + to_string(plan.dependencies->verdict) +
         ", and the run ends in a deadlock: " + results.message;
}

std::string metric_fault(const Results& results) {
  for (const Metric& metric : results.metrics) {
    if (!std::isfinite(metric.value)) return metric.name + " is no number";
    const bool is_difference = metric.name.find("error") != std::string::npos ||
                               metric.name.find(".excess") != std::string::npos;
    if (metric.value < 0 && metric.unit == "cycle" && !is_difference)
      return fmt::format("{} is {} cycles", metric.name, metric.value);
  }
  return "";
}

std::string load_fault(const Job& job, const Plan& plan, const Results& results) {
  const auto tables = results.tables.find("channel_load");
  if (tables != results.tables.end()) {
    const Rows rows(tables->second);
    for (std::size_t row = 0; row < rows.count(); ++row)
      if (rows.number(row, "utilisation") > 1)
        return rows.text(row, "channel") + " is used for " + rows.text(row, "utilisation") +
               " of the time";
  }
  const int ports = job.node.ports.of(std::max(1, greatest_degree(*plan.topology)));
  for (const Metric& metric : results.metrics)
    if (metric.name.find(".accepted") != std::string::npos && metric.unit == "flit/node/cycle" &&
        metric.value > ports)
      return fmt::format("{} is {}, and a node has {} ejection channels", metric.name, metric.value,
                         ports);
  return "";
}

/// Transfers that the table lists as not done must be accounted for by faults.
std::string delivery_fault(const Plan& plan, const Results& results) {
  const auto found = results.tables.find("transfers");
  if (!plan.schedule || found == results.tables.end() || results.outcome != Outcome::complete ||
      (results.has("deadlocked") && results.value("deadlocked") > 0))
    return "";
  const Rows rows(found->second);
  if (!rows.has("done_cycle")) return "";  // evaluated untimed
  double open = 0;
  for (std::size_t row = 0; row < rows.count(); ++row) {
    const std::string& done = rows.text(row, "done_cycle");
    if (done.empty() || std::atof(done.c_str()) < 0) ++open;
  }
  double listed = 0;
  for (const char* name : {"faults.lost_destinations", "faults.unreachable", "faults.never_sent"})
    if (results.has(name)) listed += results.value(name);
  if (open <= listed) return "";
  return fmt::format("{} transfers are not done, and {} are listed as lost", open, listed);
}

/// A row of the table of packets.
struct PacketRow {
  std::string name;
  NodeId source;
  NodeId destination;
  std::int64_t flits = 0;
  double created = 0;
  double injected = 0;
  double head_ejected = 0;
  double ejected = 0;
};

std::string packet_name(const Rows& rows, std::size_t row) {
  return fmt::format("{} to {}, packet {}", rows.text(row, "source"), rows.text(row, "destination"),
                     rows.text(row, "number"));
}

std::vector<PacketRow> packet_rows(const Topology& topology, const Table& table) {
  std::map<std::string, NodeId> nodes;
  for (int node = 0; node < topology.nodes(); ++node)
    nodes[topology.label(NodeId(node))] = NodeId(node);
  const Rows rows(table);
  std::vector<PacketRow> packets;
  for (std::size_t row = 0; row < rows.count(); ++row) {
    packets.push_back({packet_name(rows, row), nodes.at(rows.text(row, "source")),
                       nodes.at(rows.text(row, "destination")),
                       static_cast<std::int64_t>(rows.number(row, "flits")),
                       rows.number(row, "created"), rows.number(row, "injected"),
                       rows.number(row, "head_ejected"), rows.number(row, "ejected")});
  }
  return packets;
}

/// A packet must not be faster than the channels of its shortest path, nor than the closed form.
std::string speed_fault(const Plan& plan, const PacketRow& packet, int hops) {
  const double head = packet.head_ejected - packet.injected;
  const double channels = hops * static_cast<double>(plan.channel.latency.count);
  if (head < channels)
    return fmt::format("{} crossed {} channels of {} cycles each in {}", packet.name, hops,
                       plan.channel.latency.count, head);
  if (!plan.closed_form || hops < 1) return "";
  const Cycle least = plan.closed_form->packet_latency(hops, packet.flits);
  const double taken = packet.ejected - packet.created;
  if (taken >= static_cast<double>(least)) return "";
  return fmt::format("{} of {} flits took {} cycles over {} channels, and its closed form is {}",
                     packet.name, packet.flits, taken, hops, least);
}

/// Each node's received flits, from its first to its last.
std::string ejection_fault(const Job& job, const Plan& plan,
                           const std::vector<PacketRow>& packets) {
  struct Taken {
    double flits = 0;
    double first = std::numeric_limits<double>::infinity();
    double last = 0;
  };
  std::map<NodeId, Taken> by_node;
  for (const PacketRow& packet : packets) {
    Taken& taken = by_node[packet.destination];
    taken.flits += static_cast<double>(packet.flits);
    taken.first = std::min(taken.first, packet.head_ejected);
    taken.last = std::max(taken.last, packet.ejected);
  }
  for (const auto& [node, taken] : by_node) {
    const int ports = std::max(1, job.node.ports.of(plan.topology->degree(node)));
    const double cycles = taken.last - taken.first + 1;
    if (taken.flits > ports * cycles)
      return fmt::format("node {} took {} flits in {} cycles from {} ejection channels",
                         plan.topology->label(node), taken.flits, cycles, ports);
  }
  return "";
}

/// A packet of a collective serves a transfer between its own ends, and is no older than it could
/// begin. Later transfers of a table that is cut are not checked.
std::string link_fault(const Results& results, const Table& table) {
  const auto found = results.tables.find("transfers");
  if (found == results.tables.end()) return "";
  const Rows packets(table);
  const Rows transfers(found->second);
  for (std::size_t row = 0; row < packets.count(); ++row) {
    const std::string& text = packets.text(row, "transfer");
    if (text.empty() || packets.number(row, "transfer") >= static_cast<double>(transfers.count()))
      continue;
    const auto transfer = static_cast<std::size_t>(packets.number(row, "transfer"));
    const std::string name = packet_name(packets, row);
    if (transfers.text(transfer, "from") != packets.text(row, "source") ||
        transfers.text(transfer, "to") != packets.text(row, "destination"))
      return fmt::format("{} serves transfer {} from {} to {}", name, text,
                         transfers.text(transfer, "from"), transfers.text(transfer, "to"));
    if (packets.number(row, "created") < transfers.number(transfer, "ready_cycle"))
      return fmt::format("{} is older than transfer {}, which it serves", name, text);
  }
  return "";
}

std::string packet_fault(const Job& job, const Plan& plan, const Results& results) {
  const auto found = results.tables.find("packets");
  if (found == results.tables.end()) return "";
  const std::vector<PacketRow> packets = packet_rows(*plan.topology, found->second);
  std::set<std::string> seen;
  std::map<NodeId, std::vector<int>> hops_of;  // by source: hops to each node
  for (const PacketRow& packet : packets) {
    if (!seen.insert(packet.name).second) return packet.name + " was delivered twice";
    if (hops_of.count(packet.source) == 0)
      hops_of[packet.source] = hops_from(*plan.topology, packet.source);
    const int hops = hops_of.at(packet.source)[packet.destination.index()];
    std::string fault = speed_fault(plan, packet, hops);
    if (!fault.empty()) return fault;
  }
  std::string link = link_fault(results, found->second);
  if (!link.empty()) return link;
  const auto undelivered = results.tables.find("undelivered");
  if (undelivered != results.tables.end()) {
    const Rows rows(undelivered->second);
    for (std::size_t row = 0; row < rows.count(); ++row) {
      const std::string name = packet_name(rows, row);
      if (!seen.insert(name).second) return name + " was delivered, and was not";
    }
    link = link_fault(results, undelivered->second);
    if (!link.empty()) return link;
  }
  return ejection_fault(job, plan, packets);
}

}  // namespace

std::pair<std::string, std::string> broken_rule(const Job& job, const Plan& plan,
                                                const Results& results) {
  const std::pair<std::string, std::string> rules[] = {
      {"deadlock", deadlock_fault(job, plan, results)},
      {"metric", metric_fault(results)},
      {"load", load_fault(job, plan, results)},
      {"delivery", delivery_fault(plan, results)},
      {"packet", packet_fault(job, plan, results)}};
  for (const auto& [sort, fault] : rules)
    if (!fault.empty()) return {sort, fault};
  return {};
}

}  // namespace flitwave::fuzz_jobs
