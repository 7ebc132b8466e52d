// testbenches/experiments/timeline_json.cpp: a run as trace events; see timeline.hpp.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "testbenches/experiments/timeline.hpp"

namespace flitwave {

namespace {

/// Trace events, one per line.
class Events {
 public:
  explicit Events(const Timeline& timeline)
      : us_per_cycle_(static_cast<double>(timeline.period) * 1e-6) {}

  void add(const TimelineGroup& group, int number) {
    group_ = number;
    name("process", group.name, number, {});
    name_tracks(group);
    for (const TimelineSlice& slice : group.slices) add(slice);
    int arrows = 0;
    for (const TimelineSlice& slice : group.slices) {
      if (slice.cause < 0) continue;
      const TimelineSlice& cause = group.slices[static_cast<std::size_t>(slice.cause)];
      arrow("s", ++arrows, cause, cause.end);
      arrow("f", arrows, slice, slice.begin);
    }
  }

  std::string text() const {
    return "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n" + lines_ + "\n]}\n";
  }

 private:
  using Json = nlohmann::json;

  void write(const Json& event) {
    if (!lines_.empty()) lines_ += ",\n";
    lines_ += event.dump();
  }
  /// Names a process or a thread, and its position.
  void name(const std::string& what, const std::string& text, int position, const Json& thread) {
    Json named = {{"ph", "M"}, {"name", what + "_name"}, {"pid", group_}};
    Json sorted = {{"ph", "M"}, {"name", what + "_sort_index"}, {"pid", group_}};
    named["args"] = {{"name", text}};
    sorted["args"] = {{"sort_index", position}};
    for (Json* event : {&named, &sorted}) {
      if (!thread.is_null()) (*event)["tid"] = thread;
      write(*event);
    }
  }
  void name_tracks(const TimelineGroup& group) {
    std::map<std::string, int> lanes;  // by track
    for (const TimelineSlice& slice : group.slices)
      lanes[slice.track] = std::max(lanes[slice.track], slice.lane + 1);
    first_.clear();
    int next = 1;
    for (const auto& [track, count] : lanes) {
      first_[track] = next;
      for (int lane = 1; lane <= count; ++lane, ++next)
        name("thread", lane == 1 ? track : fmt::format("{} ({})", track, lane), next, next);
    }
  }
  int thread(const TimelineSlice& slice) const { return first_.at(slice.track) + slice.lane; }

  void add(const TimelineSlice& slice) {
    Json details = Json::object();
    for (const auto& [key, value] : slice.details) details[key] = value;
    complete(thread(slice), {slice.name, slice.begin, slice.end}, details);
    for (const TimelineSlice::Stage& stage : slice.stages)
      complete(thread(slice), stage, Json::object());
  }
  void complete(int thread, const TimelineSlice::Stage& stage, const Json& details) {
    write({{"ph", "X"},
           {"name", stage.name},
           {"pid", group_},
           {"tid", thread},
           {"ts", stage.begin * us_per_cycle_},
           {"dur", (stage.end - stage.begin) * us_per_cycle_},
           {"args", details}});
  }
  /// `phase`: "s" where an arrow begins, "f" where it ends.
  void arrow(const std::string& phase, int number, const TimelineSlice& slice, double at) {
    Json event = {
        {"ph", phase},   {"name", "data"},       {"cat", "data"},           {"id", number},
        {"pid", group_}, {"tid", thread(slice)}, {"ts", at * us_per_cycle_}};
    if (phase == "f") event["bp"] = "e";  // ends at the slice around it
    write(event);
  }

  double us_per_cycle_;
  int group_ = 0;
  std::map<std::string, int> first_;  // by track: the thread of its first lane
  std::string lines_;
};

}  // namespace

std::string timeline_json(const Timeline& timeline) {
  Events events(timeline);
  int number = 0;
  for (const TimelineGroup& group : timeline.groups) events.add(group, ++number);
  return events.text();
}

}  // namespace flitwave
