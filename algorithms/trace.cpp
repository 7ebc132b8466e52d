// algorithms/trace.cpp: see trace.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/trace.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace flitwave {

namespace {

const char* const file_key = "file";
constexpr Cycle last_possible = std::int64_t{1} << 60;

void for_each_packet(const InputFile& file,
                     const std::function<void(const WordLine&, Cycle)>& visit) {
  bool any = false;
  for_each_line(file, file_key, 4, "CYCLE SOURCE DESTINATION FLITS", [&](const WordLine& line) {
    const Cycle at = line.number(0, "cycle");
    if (at < 0 || at > last_possible)
      throw line.error(fmt::format("there is no cycle {}", at),
                       fmt::format("cycles are 0, the start of the sources, .. {}", last_possible));
    visit(line, at);
    any = true;
  });
  if (!any)
    throw ConfigError(file_key, detail::in_quotes(file.path) + " has no packets",
                      "write lines `CYCLE SOURCE DESTINATION FLITS`");
}

}  // namespace

Trace::Trace(const InputFile& file, const Topology& topology, std::int64_t longest) {
  std::set<std::int64_t> seen;
  for_each_packet(file, [&](const WordLine& line, Cycle at) {
    TracedPacket packet;
    packet.at = at;
    packet.source = find_node(topology, line, 1);
    packet.destination = find_node(topology, line, 2);
    packet.flits = line.number(3, "number of flits");
    if (packet.flits < 1 || packet.flits > longest)
      throw line.error(fmt::format("a packet of {} flits", packet.flits),
                       fmt::format("a packet has 1 .. {} flits", longest));
    if (seen.insert(packet.flits).second) lengths_.push_back({packet.flits, line.place});
    packets_.push_back(packet);
  });
  std::stable_sort(packets_.begin(), packets_.end(),
                   [](const TracedPacket& a, const TracedPacket& b) {
                     return a.source == b.source ? a.at < b.at : a.source < b.source;
                   });
  first_.assign(index(topology.nodes()) + 1, 0);
  for (const TracedPacket& packet : packets_) ++first_[packet.source.index() + 1];
  for (std::size_t node = 1; node < first_.size(); ++node) first_[node] += first_[node - 1];
}

Cycle last_cycle_of_trace(const InputFile& file) {
  Cycle last = 0;
  for_each_packet(file, [&last](const WordLine&, Cycle at) { last = std::max(last, at); });
  return last;
}

}  // namespace flitwave
