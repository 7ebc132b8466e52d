// testbenches/observers/delivery_times.cpp: see delivery_times.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/observers/delivery_times.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "testbenches/job/results/statistics.hpp"

namespace flitwave {

DeliveryTimes::DeliveryTimes(const Demand& demand, const Topology& topology,
                             std::vector<Cycle> completions)
    : demand_(demand), topology_(topology), completions_(std::move(completions)) {
  auto completed = completions_.begin();
  for (const Delivery& delivery : demand.deliveries) {
    Times times;
    times.release = delivery.release.value_or(0);
    times.counted = delivery.release && demand.measured.holds(*delivery.release);
    for (std::size_t i = 0; i < delivery.destinations.size(); ++i, ++completed) {
      times.complete = times.complete && *completed >= 0;
      if (*completed < 0) continue;
      times.done = std::max(times.done, *completed);
      times.sum += *completed - times.release;
      ++times.had;
    }
    times_.push_back(times);
  }
}

bool DeliveryTimes::saturated() const {
  return demand_.measured.bounded() && (latencies_grow() || backlog_grows());
}

bool DeliveryTimes::backlog_grows() const {
  double released = 0;
  double done = 0;
  for (const Times& times : times_) {
    if (!times.reached()) continue;
    released += times.counted ? 1 : 0;
    done += demand_.measured.holds(times.done) ? 1 : 0;
  }
  return released - done > std::max(0.02 * released, 3 * std::sqrt(released));
}

bool DeliveryTimes::latencies_grow() const {
  const auto length = static_cast<double>(demand_.measured.end - demand_.measured.begin);
  Trend trend(demand_.measured.begin, demand_.measured.end);
  for (const Times& times : times_)
    if (times.counted && times.reached()) trend.add(times.release, times.done - times.release);
  const std::optional<Growth> growth = trend.growth();
  return growth && growth->value > 0.02 * length && growth->value > 3 * growth->error;
}

void DeliveryTimes::report(Results& results) const {
  report_rates(results);
  if (!saturated())
    report_latencies(results);
  else
    results.notes.push_back(
        "saturated: deliveries queued up during the measurement; no latency is given");
  results.tables["deliveries"] = table();
  if (times_.size() > most_rows)
    results.notes.push_back(
        fmt::format("the table of deliveries has the first {} only", most_rows));
}

/// Over the measurement, or until the last delivery is done.
void DeliveryTimes::report_rates(Results& results) const {
  ReleaseWindow window = demand_.measured;
  if (!window.bounded()) {
    window.end = 1;
    for (const Times& times : times_) window.end = std::max(window.end, times.done + 1);
  }
  double count = 0;
  double incomplete = 0;
  double done = 0;
  double payload = 0;
  auto completed = completions_.begin();
  for (std::size_t i = 0; i < times_.size(); ++i) {
    const Delivery& delivery = demand_.deliveries[i];
    count += times_[i].counted ? 1 : 0;
    incomplete += times_[i].counted && !times_[i].complete ? 1 : 0;
    done += delivery.release && times_[i].reached() && window.holds(times_[i].done) ? 1 : 0;
    for (std::size_t k = 0; k < delivery.destinations.size(); ++k, ++completed)
      if (delivery.release && *completed >= 0 && window.holds(*completed))
        payload += static_cast<double>(delivery.size.count);
  }
  const double node_cycles = static_cast<double>(window.end - window.begin) * topology_.nodes();
  results.add("delivery.count", count, "delivery");
  if (std::any_of(times_.begin(), times_.end(), [](const Times& one) { return !one.complete; }))
    results.add("delivery.incomplete", incomplete, "delivery");
  if (demand_.measured.bounded())
    results.add("delivery.offered", count / node_cycles, "delivery/node/cycle");
  results.add("delivery.accepted", done / node_cycles, "delivery/node/cycle");
  results.add("delivery.payload", payload / node_cycles, "B/node/cycle");
}

void DeliveryTimes::report_latencies(Results& results) const {
  Sample last;
  Sample each;
  BatchMeans batches(demand_.measured.begin, demand_.measured.end);
  auto completed = completions_.begin();
  for (std::size_t i = 0; i < times_.size(); ++i) {
    const Times& times = times_[i];
    const std::size_t destinations = demand_.deliveries[i].destinations.size();
    for (std::size_t k = 0; k < destinations; ++k, ++completed)
      if (times.counted && *completed >= 0) each.add(*completed - times.release);
    if (!times.counted || !times.reached()) continue;
    last.add(times.done - times.release);
    batches.add(times.release, times.done - times.release);
  }
  if (last.count() == 0) return;
  flitwave::report(last, "delivery", results);
  flitwave::report(batches, "delivery", results);
  flitwave::report(each, "delivery.destination", results);
}

Table DeliveryTimes::table() const {
  Table table{{"delivery", "sources", "destinations", "release_cycle", "done_cycle", "latency",
               "mean_latency", "counted"},
              {}};
  for (std::size_t i = 0; i < std::min(times_.size(), most_rows); ++i) {
    const Delivery& delivery = demand_.deliveries[i];
    const Times& times = times_[i];
    const auto or_none = [&times](const std::string& text) { return times.reached() ? text : ""; };
    table.rows.push_back(
        {std::to_string(i),
         delivery.combines() ? std::to_string(delivery.sources.size()) + " nodes"
                             : topology_.label(delivery.source()),
         std::to_string(delivery.destinations.size()), std::to_string(times.release),
         or_none(std::to_string(times.done)), or_none(std::to_string(times.done - times.release)),
         or_none(number_text(static_cast<double>(times.sum) / static_cast<double>(times.had))),
         times.counted ? "1" : "0"});
  }
  return table;
}

}  // namespace flitwave
