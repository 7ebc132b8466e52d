// testbenches/experiments/timeline_json.cpp: a run as trace events; see timeline.hpp.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "testbenches/experiments/timeline.hpp"
#include "topologies/ids.hpp"

namespace flitwave {

namespace {

/// Trace events, one per line. Viewers sort them by time and keep the order of those of one time,
/// so that the events of a track are in the order in which its slices begin and end. Beginnings and
/// ends have their own times: a duration would be rounded apart from them.
class Events {
 public:
  explicit Events(const Timeline& timeline) : timeline_(timeline) {}

  /// `number`: of the group, from 1.
  void add(int number) {
    const TimelineGroup& group = timeline_.groups[index(number - 1)];
    group_ = number;
    name("process", group.name, number, {});
    name_tracks(group);
    const std::size_t slices = group.slices.size();
    std::vector<Leads> leads(slices);
    for (std::size_t i = 0; i < slices; ++i)
      if (const int cause = group.slices[i].cause; cause >= 0)
        leads[index(cause)].effects.push_back(i);
    for (const TimelineGroup& other : timeline_.groups)
      for (std::size_t i = 0; i < other.slices.size(); ++i)
        if (const TimelineSlice::Place& place = other.slices[i].serves; place.group == number - 1)
          leads[index(place.slice)].servants.push_back(i);
    for (std::size_t i = 0; i < slices; ++i) add(group.slices[i], i, leads[i]);
  }

  std::string text() const {
    return R"({"displayTimeUnit": "ns", "metadata": {"highres-ticks": true}, "traceEvents": [)"
           "\n" +
           lines_ + "\n]}\n";
  }

 private:
  using Json = nlohmann::json;

  /// The slices to which arrows lead from one: those of the group that begin after it, because of
  /// it, and those of the group of packets that serve it.
  struct Leads {
    std::vector<std::size_t> effects;
    std::vector<std::size_t> servants;
  };

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
  double microseconds(double cycle) const {
    return static_cast<double>(timeline_.picoseconds(cycle)) * 1e-6;
  }
  int thread(const TimelineSlice& slice) const { return first_.at(slice.track) + slice.lane; }

  /// An arrow has the number of the slice to which it leads.
  void add(const TimelineSlice& slice, std::size_t number, const Leads& leads) {
    Json details = Json::object();
    for (const auto& [key, value] : slice.details) details[key] = value;
    const int thread = this->thread(slice);
    bound("B", thread, slice.name, slice.begin, details);
    if (slice.cause >= 0) arrow("f", "data", number, thread, slice.begin);
    if (slice.serves.valid()) arrow("f", "serves", number, thread, slice.begin);
    for (const std::size_t servant : leads.servants)
      arrow("s", "serves", servant, thread, slice.begin);
    for (const TimelineSlice::Stage& stage : slice.stages) {
      bound("B", thread, stage.name, stage.begin, Json::object());
      bound("E", thread, stage.name, stage.end, Json::object());
    }
    for (const std::size_t effect : leads.effects) arrow("s", "data", effect, thread, slice.end);
    bound("E", thread, slice.name, slice.end, Json::object());
  }
  /// `phase`: "B" where a slice begins, "E" where it ends.
  void bound(const char* phase, int thread, const std::string& name, double at,
             const Json& details) {
    Json event = {
        {"ph", phase}, {"name", name}, {"pid", group_}, {"tid", thread}, {"ts", microseconds(at)}};
    if (!details.empty()) event["args"] = details;
    write(event);
  }
  /// `phase`: "s" where an arrow begins, "f" where it ends; in the slice around it.
  void arrow(const std::string& phase, const char* kind, std::size_t number, int thread,
             double at) {
    Json event = {{"ph", phase},   {"name", kind},  {"cat", kind},           {"id", number},
                  {"pid", group_}, {"tid", thread}, {"ts", microseconds(at)}};
    if (phase == "f") event["bp"] = "e";
    write(event);
  }

  const Timeline& timeline_;
  int group_ = 0;
  std::map<std::string, int> first_;  // by track: the thread of its first lane
  std::string lines_;
};

}  // namespace

std::string timeline_json(const Timeline& timeline) {
  Events events(timeline);
  for (int number = 1; number <= static_cast<int>(timeline.groups.size()); ++number)
    events.add(number);
  return events.text();
}

}  // namespace flitwave
