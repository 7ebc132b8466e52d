// testbenches/experiments/timeline_vcd.cpp: a run as texts in a VCD file; see timeline.hpp.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include <fmt/format.h>

#include "configs/error.hpp"
#include "testbenches/experiments/timeline.hpp"

namespace flitwave {

namespace {

std::string without_blanks(std::string text) {
  std::replace(text.begin(), text.end(), ' ', '_');
  return text;
}

/// A variable with its values by time; before the first it is "-".
struct Track {
  std::string group;
  std::string name;
  std::string code;
  std::map<std::int64_t, std::string> values;  // Unit of times: ps
};

/// The variables of all groups, those of a group one after another.
class Tracks {
 public:
  explicit Tracks(const Timeline& timeline) : timeline_(timeline) {
    for (const TimelineGroup& group : timeline.groups)
      for (const TimelineSlice& slice : group.slices) add(group, slice);
    for (auto& [key, track] : by_key_) all.push_back(std::move(track));
  }

  std::vector<Track> all;

 private:
  void add(const TimelineGroup& group, const TimelineSlice& slice) {
    set(group, slice, "", {slice.name, slice.begin, slice.end});
    for (const TimelineSlice::Stage& stage : slice.stages) set(group, slice, "_stage", stage);
    if (slice.cause < 0) return;
    const TimelineSlice& cause = group.slices[static_cast<std::size_t>(slice.cause)];
    set(group, slice, "_after", {cause.track + " " + cause.name, slice.begin, slice.end});
  }
  /// Slices of a lane do not overlap, and come in the order of their beginning.
  void set(const TimelineGroup& group, const TimelineSlice& slice, const std::string& ending,
           const TimelineSlice::Stage& shown) {
    const std::int64_t begin = timeline_.picoseconds(shown.begin);
    const std::int64_t end = timeline_.picoseconds(shown.end);
    if (begin == end) return;
    const std::string lane = slice.lane == 0 ? "" : fmt::format("_lane_{}", slice.lane + 1);
    const auto number = &group - timeline_.groups.data();
    Track& track = by_key_[{number, slice.track, slice.lane, ending}];
    track.group = group.name;
    track.name = without_blanks(slice.track + lane + ending);
    track.values[begin] = without_blanks(shown.name);
    track.values[end] = "-";
  }

  const Timeline& timeline_;
  std::map<std::tuple<std::ptrdiff_t, std::string, int, std::string>, Track> by_key_;
};

/// The part of a wave before its first time, without the line that ends the declarations.
struct Declarations {
  std::string text;
  std::set<std::string> codes;
};

[[noreturn]] void reject_wave() {
  throw SystemFailure("the wave is no VCD file of a run; run the job again");
}

Declarations read_declarations(std::istream& wave) {
  Declarations declarations;
  for (std::string line; std::getline(wave, line);) {
    if (line.rfind("$enddefinitions", 0) == 0) return declarations;
    declarations.text += line + "\n";
    std::istringstream words(line);
    std::string keyword, type, width, code;
    if (words >> keyword >> type >> width >> code && keyword == "$var")
      declarations.codes.insert(code);
  }
  reject_wave();
}

void name_codes(std::vector<Track>& tracks, const std::set<std::string>& taken) {
  int number = 0;
  for (Track& track : tracks) {
    do track.code = fmt::format("t{}", number++);
    while (taken.count(track.code) > 0);
  }
}

std::string declare(const std::vector<Track>& tracks) {
  std::string text = "$scope module timeline $end\n";
  std::string group;
  for (const Track& track : tracks) {
    if (track.group != group) {
      if (!group.empty()) text += "$upscope $end\n";
      text += "$scope module " + track.group + " $end\n";
      group = track.group;
    }
    text += "$var string 1 " + track.code + " " + track.name + " $end\n";
  }
  return text + "$upscope $end\n$upscope $end\n";
}

/// The changes of the tracks, which are inserted among those of a wave as time advances.
class Changes {
 public:
  explicit Changes(const std::vector<Track>& tracks) {
    for (const Track& track : tracks) {
      at_[INT64_MIN].emplace_back(&track, "-");
      for (const auto& [time, value] : track.values) at_[time].emplace_back(&track, value);
    }
  }

  /// Those that come before `time`, each after its time.
  std::string before(std::int64_t time) {
    std::string text;
    while (!at_.empty() && at_.begin()->first < time) {
      const std::int64_t next = at_.begin()->first;
      text += fmt::format("#{}\n", next) + until(next);
    }
    return text;
  }
  /// The last value, until `time`, of each track that has changed.
  std::string until(std::int64_t time) {
    std::map<std::string, std::string> values;  // by code
    for (; !at_.empty() && at_.begin()->first <= time; at_.erase(at_.begin()))
      for (const auto& [track, value] : at_.begin()->second) values[track->code] = value;
    std::string text;
    for (const auto& [code, value] : values) text += fmt::format("s{} {}\n", value, code);
    return text;
  }

 private:
  std::map<std::int64_t, std::vector<std::pair<const Track*, std::string>>> at_;
};

/// Copies the values of a wave, each time followed by the changes of the tracks at it.
std::string merge(std::istream& wave, Changes& changes) {
  std::string text;
  std::int64_t now = -1;
  for (std::string line; std::getline(wave, line);) {
    if (line[0] == '#') {
      if (now >= 0) {
        text += changes.until(now);
        text += changes.before(std::atoll(line.c_str() + 1));
      }
      now = std::atoll(line.c_str() + 1);
    }
    text += line + "\n";
  }
  return now < 0 ? text : text + changes.until(now);
}

// Trace flags of GTKWave: texts, and the beginning and the end of a group.
constexpr const char* as_text = "@820";
constexpr const char* group_begins = "@800200";
constexpr const char* group_ends = "@1000200";

std::string view_of(const std::vector<Track>& tracks) {
  std::string text;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    const Track& track = tracks[i];
    if (i == 0 || tracks[i - 1].group != track.group)
      text += fmt::format("{}\n-{}\n", group_begins, track.group);
    text += fmt::format("{}\ntimeline.{}.{}\n", as_text, track.group, track.name);
    if (i + 1 == tracks.size() || tracks[i + 1].group != track.group)
      text += fmt::format("{}\n-{}\n", group_ends, track.group);
  }
  return text;
}

/// The view of the wave with the tracks before its signals.
std::string with_tracks(const std::string& view, const std::string& tracks,
                        const std::string& name) {
  std::istringstream lines(view);
  std::string text = fmt::format(
      "[*] written by flitwave\n[dumpfile] \"{0}.vcd\"\n"
      "[savefile] \"{0}.gtkw\"\n",
      name);
  bool placed = false;
  for (std::string line; std::getline(lines, line);) {
    const auto begins = [&](const char* start) { return line.rfind(start, 0) == 0; };
    if (begins("[*]") || begins("[dumpfile]") || begins("[savefile]")) continue;
    if (!placed && line[0] == '@') {
      text += tracks;
      placed = true;
    }
    text += line + "\n";
  }
  return placed ? text : text + tracks;
}

}  // namespace

TimelineWave timeline_vcd(const Timeline& timeline, const std::string& wave,
                          const std::string& view, const std::string& name) {
  std::vector<Track> tracks = Tracks(timeline).all;
  std::istringstream signals(wave);
  Declarations declarations;
  if (wave.empty())
    declarations.text = "$version flitwave $end\n$timescale 1 ps $end\n";
  else
    declarations = read_declarations(signals);
  name_codes(tracks, declarations.codes);
  Changes changes(tracks);
  std::string values;
  if (wave.empty()) {
    values = "#0\n" + changes.until(0);
    values += changes.before(INT64_MAX);
  } else {
    values = merge(signals, changes);
  }
  return {declarations.text + declare(tracks) + "$enddefinitions $end\n" + values,
          with_tracks(view, view_of(tracks), name)};
}

}  // namespace flitwave
