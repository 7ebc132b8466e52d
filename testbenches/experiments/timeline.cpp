// testbenches/experiments/timeline.cpp: see timeline.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/timeline.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "configs/error.hpp"
#include "configs/node.hpp"
#include "configs/schema.hpp"
#include "configs/table.hpp"

namespace flitwave {

namespace {

namespace fs = std::filesystem;

/// A table of the results with its file, for errors.
struct RunTable {
  std::string path;
  Table table;

  double number(std::size_t row, const char* column) const {
    return table.number(row, column, path);
  }
  const std::string& text(std::size_t row, const char* column) const {
    return table.rows[row][table.column(column, path)];
  }
};

/// Trace events, one per line.
class Events {
 public:
  /// `before`: cycles of the reset before cycle 1.
  Events(double us_per_cycle, std::int64_t before)
      : us_(us_per_cycle), before_(static_cast<double>(before)) {}

  void name_group(int group, const std::string& name) {
    add({{"ph", "M"}, {"name", "process_name"}, {"pid", group}, {"args", {{"name", name}}}});
    add({{"ph", "M"},
         {"name", "process_sort_index"},
         {"pid", group},
         {"args", {{"sort_index", group}}}});
  }
  void name_track(int group, int track, const std::string& name) {
    add({{"ph", "M"},
         {"name", "thread_name"},
         {"pid", group},
         {"tid", track},
         {"args", {{"name", name}}}});
    add({{"ph", "M"},
         {"name", "thread_sort_index"},
         {"pid", group},
         {"tid", track},
         {"args", {{"sort_index", track}}}});
  }
  /// A time in cycles.
  double cycles(double ns) const { return ns / 1000 / us_ - before_; }
  /// Times in cycles.
  void slice(int group, int track, const std::string& name, double begin, double end,
             const nlohmann::json& details = nlohmann::json::object()) {
    add({{"ph", "X"},
         {"name", name},
         {"pid", group},
         {"tid", track},
         {"ts", begin * us_},
         {"dur", (end - begin) * us_},
         {"args", details}});
  }
  /// An arrow between two slices: `phase` is "s" at its beginning, "f" at its end.
  void arrow(const char* phase, int number, int group, int track, double at) {
    nlohmann::json event = {{"ph", phase},  {"name", "data"}, {"cat", "data"}, {"id", number},
                            {"pid", group}, {"tid", track},   {"ts", at * us_}};
    if (std::string(phase) == "f") event["bp"] = "e";  // ends at the slice around it
    add(event);
  }

  std::string text() const {
    return "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n" + lines_ + "\n]}\n";
  }

 private:
  void add(const nlohmann::json& event) {
    if (!lines_.empty()) lines_ += ",\n";
    lines_ += event.dump();
  }

  double us_;
  double before_;
  std::string lines_;
};

/// The tracks of one group: those of each name are numbered in a row, and as many as it has slices
/// at the same time.
class Tracks {
 public:
  /// Slices must come in the order of their beginning. Returns: the number among those of `name`.
  int take(const std::string& name, double begin, double end) {
    std::vector<double>& ends = ends_[name];
    const auto free =
        std::find_if(ends.begin(), ends.end(), [&](double at) { return at <= begin; });
    const auto lane = static_cast<int>(free - ends.begin());
    if (free == ends.end())
      ends.push_back(end);
    else
      *free = end;
    return lane;
  }
  /// After all slices were taken: names the tracks, and knows their numbers.
  void name_in(Events& events, int group) {
    int next = 1;
    for (const auto& [name, ends] : ends_) {
      first_[name] = next;
      for (std::size_t lane = 0; lane < ends.size(); ++lane)
        events.name_track(group, next++, lane == 0 ? name : fmt::format("{} ({})", name, lane + 1));
    }
  }
  int number(const std::string& name, int lane) const { return first_.at(name) + lane; }

 private:
  std::map<std::string, std::vector<double>> ends_;
  std::map<std::string, int> first_;
};

/// A slice before its track is known.
struct Slice {
  std::string track;
  double begin = 0;
  double end = 0;
  std::size_t row = 0;
  int lane = 0;
};

/// In the order of their beginning, with a lane each.
void place(std::vector<Slice>& slices, Tracks& tracks, Events& events, int group) {
  std::stable_sort(slices.begin(), slices.end(),
                   [](const Slice& a, const Slice& b) { return a.begin < b.begin; });
  for (Slice& slice : slices) slice.lane = tracks.take(slice.track, slice.begin, slice.end);
  tracks.name_in(events, group);
}

std::string packet_name(const std::string& source, const std::string& number) {
  return source + "#" + number;
}

/// The slices of transfers by message and receiver, in the order of their ends.
using Deliveries =
    std::map<std::pair<std::string, std::string>, std::multimap<double, const Slice*>>;

/// The transfer that brought the data of a transfer to its sender; null if it was there.
const Slice* cause_of(const Slice& slice, const RunTable& transfers, const Deliveries& deliveries) {
  const auto found = deliveries.find({transfers.text(slice.row, "message"), slice.track});
  if (found == deliveries.end()) return nullptr;
  const auto after = found->second.upper_bound(slice.begin);
  return after == found->second.begin() ? nullptr : std::prev(after)->second;
}

void add_messages(const RunTable& transfers, Events& events) {
  constexpr int group = 1;
  events.name_group(group, "messages");
  std::vector<Slice> slices;
  for (std::size_t row = 0; row < transfers.table.rows.size(); ++row)
    slices.push_back({transfers.text(row, "from"), transfers.number(row, "ready_cycle"),
                      transfers.number(row, "done_cycle"), row});
  Tracks tracks;
  place(slices, tracks, events, group);
  Deliveries deliveries;
  for (const Slice& slice : slices)
    deliveries[{transfers.text(slice.row, "message"), transfers.text(slice.row, "to")}].emplace(
        slice.end, &slice);
  const auto track_of = [&](const Slice& slice) { return tracks.number(slice.track, slice.lane); };
  int arrows = 0;
  for (const Slice& slice : slices) {
    events.slice(group, track_of(slice),
                 fmt::format("message {} to {}", transfers.text(slice.row, "message"),
                             transfers.text(slice.row, "to")),
                 slice.begin, slice.end, {{"step", transfers.text(slice.row, "step")}});
    const Slice* const cause = cause_of(slice, transfers, deliveries);
    if (!cause) continue;
    events.arrow("s", ++arrows, group, track_of(*cause), cause->end);
    events.arrow("f", arrows, group, track_of(slice), slice.begin);
  }
}

void add_packets(const RunTable& packets, Events& events) {
  constexpr int group = 2;
  events.name_group(group, "packets");
  std::vector<Slice> slices;
  for (std::size_t row = 0; row < packets.table.rows.size(); ++row)
    slices.push_back({packets.text(row, "source"), packets.number(row, "created"),
                      packets.number(row, "ejected"), row});
  Tracks tracks;
  place(slices, tracks, events, group);
  for (const Slice& slice : slices) {
    const int track = tracks.number(slice.track, slice.lane);
    const double injected = packets.number(slice.row, "injected");
    const double arrived = packets.number(slice.row, "head_ejected");
    events.slice(group, track, packet_name(slice.track, packets.text(slice.row, "number")),
                 slice.begin, slice.end,
                 {{"destination", packets.text(slice.row, "destination")},
                  {"flits", packets.text(slice.row, "flits")}});
    events.slice(group, track, "source queue", slice.begin, injected);
    events.slice(group, track, "head in the network", injected, arrived);
    events.slice(group, track, "tail", arrived, slice.end);
  }
}

void add_channels(const RunTable& log, Events& events) {
  constexpr int group = 3;
  events.name_group(group, "channels");
  std::map<std::string, std::size_t> open;  // by track: its last slice
  std::vector<Slice> slices;
  for (std::size_t row = 0; row < log.table.rows.size(); ++row) {
    const std::string track =
        fmt::format("{} vc {}", log.text(row, "channel"), log.text(row, "vc"));
    const double cycle = log.number(row, "cycle");
    const auto found = open.find(track);
    const auto same = [&](const char* column) {
      return log.text(slices[found->second].row, column) == log.text(row, column);
    };
    if (found != open.end() && same("source") && same("packet")) {
      slices[found->second].end = cycle + 1;
      continue;
    }
    open[track] = slices.size();
    slices.push_back({track, cycle, cycle + 1, row});
  }
  Tracks tracks;
  place(slices, tracks, events, group);
  for (const Slice& slice : slices)
    events.slice(group, tracks.number(slice.track, slice.lane),
                 packet_name(log.text(slice.row, "source"), log.text(slice.row, "packet")),
                 slice.begin, slice.end, {{"destination", log.text(slice.row, "destination")}});
}

void add_transactions(const RunTable& transactions, Events& events) {
  constexpr int group = 4;
  events.name_group(group, "transactions");
  const auto at = [&](std::size_t row, const char* column) {
    return events.cycles(transactions.number(row, column));
  };
  std::vector<Slice> slices;
  for (std::size_t row = 0; row < transactions.table.rows.size(); ++row)
    slices.push_back({fmt::format("{} socket {}", transactions.text(row, "initiator"),
                                  transactions.text(row, "socket")),
                      at(row, "begun_ns"), at(row, "ended_ns"), row});
  Tracks tracks;
  place(slices, tracks, events, group);
  constexpr const char* stages[][3] = {{"begun_ns", "requested_ns", "waits for a clock edge"},
                                       {"requested_ns", "arrived_ns", "request"},
                                       {"arrived_ns", "answered_ns", "target"},
                                       {"answered_ns", "replied_ns", "waits for a clock edge"},
                                       {"replied_ns", "ended_ns", "reply"}};
  for (const Slice& slice : slices) {
    const int track = tracks.number(slice.track, slice.lane);
    const std::string& target = transactions.text(slice.row, "target");
    events.slice(group, track,
                 fmt::format("{} {}", transactions.text(slice.row, "command"),
                             transactions.text(slice.row, "address")),
                 slice.begin, slice.end,
                 {{"target", target},
                  {"device", transactions.text(slice.row, "device")},
                  {"bytes", transactions.text(slice.row, "bytes")},
                  {"status", transactions.text(slice.row, "status")}});
    if (target.empty()) continue;  // no device serves the address
    for (const auto& [begin, end, name] : stages)
      events.slice(group, track, name, at(slice.row, begin), at(slice.row, end));
  }
}

}  // namespace

std::string timeline_of(const std::string& folder) {
  if (!fs::exists(folder + "/job.yaml") || !fs::exists(folder + "/results.json"))
    throw SystemFailure(folder + " contains no results: job.yaml or results.json is missing");
  const ConfigNode job = ConfigNode::load(folder + "/job.yaml");
  const ConfigNode* period = job.find_path("clock.period");
  if (!period)
    throw SystemFailure(folder +
                        " has no results of a single run; run one job, and name its folder");
  const ConfigNode* reset = job.find_path("clock.reset");
  Events events(static_cast<double>(Codec<Duration>::read(*period).picoseconds) * 1e-6,
                reset ? Codec<Cycles>::read(*reset).count - 1 : 0);
  bool any = false;
  const auto add = [&](const char* name, void (*add_table)(const RunTable&, Events&)) {
    const std::string path = folder + "/" + name + ".csv";
    if (!fs::exists(path)) return;
    any = true;
    add_table({path, load_csv(path)}, events);
  };
  add("transfers", add_messages);
  add("packets", add_packets);
  add("flit_log", add_channels);
  add("transactions", add_transactions);
  if (!any)
    throw ConfigError("observe",
                      folder + " has no transfers, packets, flits or transactions to show",
                      "run the job with `observe: [{kind: latency, packets: true}, {kind: "
                      "flit_log}]`");
  return events.text();
}

}  // namespace flitwave
