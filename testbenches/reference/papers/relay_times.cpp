// testbenches/reference/papers/relay_times.cpp: times of fields from router to router.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/papers/relay_times.hpp"

#include <algorithm>
#include <tuple>

namespace flitwave {
namespace {

/// A message that arrives at a router, and the cycle in which its first field begins to arrive.
struct TimedHeader {
  CubeHeader header;
  std::int64_t begins = 0;
};

}  // namespace

RelaySchedule relay_schedule(const RelayTiming& timing, const CubeHeader& came,
                             const CubeDecision<CubeHeader>& decision) {
  const bool whole = timing.stores();
  const auto branches = static_cast<std::int64_t>(decision.branches.size());
  RelaySchedule schedule;
  schedule.decided = (came.length() + (whole ? timing.data : 0)) * timing.field;
  std::int64_t port_free = 0;  // when the common buffer of all branches is free
  const auto begin = [&](std::int64_t order) {
    const std::int64_t selected =
        timing.selecting == Selecting::sequential ? std::max<std::int64_t>(branches, 1) : order;
    const std::int64_t ready = schedule.decided + selected * timing.selection.count;
    return timing.branching == Branching::serial ? std::max(ready, port_free) : ready;
  };
  const auto end = [&](std::int64_t time) {
    port_free = time;
    schedule.done = std::max(schedule.done, time);
  };
  if (decision.deliver) {
    // A router that has the whole message has its data; the time of the copy is part of tau_sd.
    schedule.delivered = begin(1) + (whole ? 0 : timing.data * timing.field) + timing.to_processor;
    end(schedule.delivered);
  }
  for (std::int64_t order = 1; order <= branches; ++order) {
    const CubeHeader& header = decision.branches[static_cast<std::size_t>(order) - 1].message;
    const std::int64_t goes = begin(order) + timing.handshake();
    schedule.branches.push_back(goes + timing.flight);
    end(goes + (header.length() + timing.data) * timing.field);
  }
  return schedule;
}

std::int64_t relay_buffer_fill(const RelayTiming& timing, int order, int header_length) {
  const std::int64_t decided = order * timing.selection.count / timing.field;
  return std::min(timing.data + 1, decided + header_length);
}

std::vector<RelayArrival> relay_arrivals(const Cube& cube, const RelayRules& rules,
                                         const RelayTiming& timing, CubeAddress source,
                                         const CubeHeader& header, const FaultsAt& faults) {
  cube.require(source, "source");
  check_header(cube, header, rules.format());
  std::vector<RelayArrival> arrivals;
  const auto decide = [&](CubeAddress here, bool injected, const TimedHeader& came) {
    const CubeDecision<CubeHeader> decision =
        relay_decision(cube, rules, {here, injected, came.header, faults(here)});
    const RelaySchedule schedule = relay_schedule(timing, came.header, decision);
    if (decision.deliver) arrivals.push_back({here, came.begins + schedule.delivered});
    CubeDecision<TimedHeader> timed{decision.deliver, {}, decision.undeliverable};
    for (std::size_t i = 0; i < decision.branches.size(); ++i)
      timed.branches.push_back(
          {decision.branches[i].dimension,
           {decision.branches[i].message, came.begins + schedule.branches[i]}});
    return timed;
  };
  walk_cube(source, TimedHeader{header, timing.from_source}, decide);
  std::sort(arrivals.begin(), arrivals.end(), [](const RelayArrival& a, const RelayArrival& b) {
    return std::tie(a.time, a.node) < std::tie(b.time, b.node);
  });
  return arrivals;
}

}  // namespace flitwave
