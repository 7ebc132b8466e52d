// testbenches/observers/fault_report.cpp: see fault_report.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/observers/fault_report.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace flitwave {

namespace {

constexpr std::int64_t no_number = -1;  // number of a message that was never created

std::string nodes_text(const Topology& topology, const std::vector<NodeId>& nodes) {
  std::string text;
  for (NodeId node : nodes) text += (text.empty() ? "" : " ") + topology.label(node);
  return text;
}

Table table_of(const Topology& topology) {
  const FaultSet& faults = topology.faults();
  Table table{{"fault", "at", "onset"}, {}};
  for (const NodeFault& fault : faults.nodes())
    table.rows.push_back({"node", topology.label(fault.node), std::to_string(fault.onset)});
  for (const LinkFault& fault : faults.links())
    table.rows.push_back(
        {"link", nodes_text(topology, {fault.a, fault.b}), std::to_string(fault.onset)});
  return table;
}

}  // namespace

void report_faults(const Plan& plan, Results& results) {
  const Topology& topology = *plan.topology;
  const FaultSet& faults = topology.faults();
  const std::vector<Cycle> onsets = faults.onsets();
  const bool some_work = static_cast<int>(faults.nodes().size()) < topology.nodes();
  const bool valid = some_work && std::all_of(onsets.begin(), onsets.end(), [&](Cycle onset) {
                       return fault_violations(topology, faults, onset).empty();
                     });
  results.add("faults.nodes", static_cast<double>(faults.nodes().size()), "");
  results.add("faults.links", static_cast<double>(faults.links().size()), "");
  results.add("faults.valid", valid ? 1 : 0, "");
  if (plan.valid_faults) results.add("faults.valid_share", *plan.valid_faults, "");
  results.tables["faults"] = table_of(topology);
}

std::string never_sent_note(std::int64_t transfers) {
  return fmt::format(
      "{} were never sent, because they need messages that did not reach their nodes because of "
      "faults",
      counted(transfers, "transfer"));
}

FaultReport::FaultReport(const Plan& plan) : plan_(plan) {
  if (!plan.untimed) return;
  for (const auto& [delivery, destination] : plan.untimed->unreached) {
    const NodeId source = plan.schedule->demand().deliveries[index(delivery)].sources.front();
    unreachable({source, delivery, {destination}, source, {}, 0});
  }
}

void FaultReport::given_up_untimed() {
  judged_ = true;
  const std::vector<int>& given_up = plan_.untimed->given_up;
  const auto message_of = [this](int number) {
    const int original = plan_.schedule->transfer(number).copy_of;
    return original < 0 ? number : original;
  };
  for (std::size_t i = 0; i < given_up.size();) {
    const int message = message_of(given_up[i]);
    const Transfer& sent = plan_.schedule->transfer(message);
    const int delivery = plan_.schedule->pieces()[index(sent.pieces.front())].delivery;
    std::vector<NodeId> nodes;
    for (; i < given_up.size() && message_of(given_up[i]) == message; ++i)
      nodes.push_back(plan_.schedule->transfer(given_up[i]).to);
    unreachable({sent.from, delivery, std::move(nodes), sent.from, {}, 0});
  }
  for (const int transfer : plan_.untimed->never_sent) never_sent(transfer, 0);
}

void FaultReport::never_sent(int transfer, Cycle cycle) {
  const Transfer& due = plan_.schedule->transfer(transfer);
  add(Event::never_sent, {due.from, no_number, {due.to}, due.from, {}, cycle});
}

/// Among the reports for one destination in one cycle the first in the sort order counts: a node
/// precedes its channels, and reports of more destinations precede others. The order of reporting
/// does not matter.
std::vector<FaultReport::Entry> FaultReport::settled() const {
  // A destination does not receive its message; several routers may report it.
  const auto leaves_out = [](Event event) {
    return event == Event::lost || event == Event::unreachable;
  };
  std::vector<Entry> entries = entries_;
  const auto rank = [](const Entry& entry) {
    const FaultedMessage& message = entry.message;
    return std::tuple(message.cycle, entry.event == Event::lost, message.hops, message.port.valid(),
                      message.port, -static_cast<std::ptrdiff_t>(message.destinations.size()),
                      message.destinations);
  };
  std::sort(entries.begin(), entries.end(),
            [&](const Entry& a, const Entry& b) { return rank(a) < rank(b); });
  std::set<std::tuple<NodeId, std::int64_t, NodeId>> reported;
  for (Entry& entry : entries) {
    if (!leaves_out(entry.event)) continue;
    FaultedMessage& message = entry.message;
    std::vector<NodeId> first;
    for (const NodeId destination : message.destinations)
      if (reported.emplace(message.source, message.number, destination).second)
        first.push_back(destination);
    message.destinations = std::move(first);
  }
  entries.erase(std::remove_if(entries.begin(), entries.end(),
                               [&](const Entry& entry) {
                                 return leaves_out(entry.event) &&
                                        entry.message.destinations.empty();
                               }),
                entries.end());
  return entries;
}

void FaultReport::report(Results& results) const {
  report_faults(plan_, results);
  std::vector<Entry> entries = settled();
  const auto add = [&](const char* name, Event event, const auto& amount) {
    std::size_t sum = 0;
    for (const Entry& entry : entries)
      if (entry.event == event) sum += amount(entry.message);
    results.add(name, static_cast<double>(sum), "");
  };
  const auto once = [](const FaultedMessage&) { return std::size_t{1}; };
  const auto destinations = [](const FaultedMessage& message) {
    return message.destinations.size();
  };
  add("faults.lost", Event::lost, once);
  add("faults.lost_destinations", Event::lost, destinations);
  add("faults.unreachable", Event::unreachable, destinations);
  add("faults.never_sent", Event::never_sent, once);
  if (!judged_) add("faults.rerouted", Event::rerouted, once);
  results.tables["faulted_messages"] = messages(std::move(entries));
}

Table FaultReport::messages(std::vector<Entry> entries) const {
  // Routers report in any order within a cycle.
  const auto key = [](const Entry& entry) {
    const FaultedMessage& message = entry.message;
    return std::tuple(message.cycle, message.at, message.port, entry.event, message.source,
                      message.number, message.destinations);
  };
  std::sort(entries.begin(), entries.end(),
            [&](const Entry& a, const Entry& b) { return key(a) < key(b); });
  Table table{{"event", "cycle", "node", "channel", "source", "message", "destinations"}, {}};
  for (const auto& [event, message] : entries) {
    const Topology& topology = *plan_.topology;
    const ChannelId channel =
        message.port.valid() ? topology.channel_out(message.at, message.port) : ChannelId();
    const char* const names[] = {"lost", "unreachable", "rerouted", "never_sent"};
    table.rows.push_back(
        {names[static_cast<int>(event)], std::to_string(message.cycle), topology.label(message.at),
         channel.valid() ? topology.label(channel) : "", topology.label(message.source),
         message.number == no_number ? "" : std::to_string(message.number),
         nodes_text(topology, message.destinations)});
  }
  return table;
}

}  // namespace flitwave
