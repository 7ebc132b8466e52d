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
#include "testbenches/waves/files/gtkwave_rows.hpp"
#include "testbenches/waves/files/vcd_file.hpp"
#include "topologies/ids.hpp"

namespace flitwave {

namespace {

std::string without_blanks(std::string text) {
  std::replace(text.begin(), text.end(), ' ', '_');
  return text;
}

/// A variable with its values by time; before the first it is "-".
struct Track {
  std::string group;
  std::string scope;  // below that of the group
  std::string name;
  std::string alias;  // in the view
  std::string code;
  std::map<std::int64_t, std::string> values;  // Unit of times: ps
};

/// The variables of all groups, those of a scope one after another.
class Tracks {
 public:
  explicit Tracks(const Timeline& timeline) : timeline_(timeline) {
    for (const TimelineGroup& group : timeline.groups)
      for (const TimelineSlice& slice : group.slices) add(group, slice);
    for (auto& [key, track] : by_key_) all.push_back(std::move(track));
  }

  std::vector<Track> all;

 private:
  enum Part { whole, stage, after, serves };

  void add(const TimelineGroup& group, const TimelineSlice& slice) {
    set(group, slice, whole, {slice.name, slice.begin, slice.end});
    for (const TimelineSlice::Stage& part : slice.stages) set(group, slice, stage, part);
    const auto set_name = [&](Part part, const TimelineSlice& other) {
      set(group, slice, part, {other.full_name(), slice.begin, slice.end});
    };
    if (slice.cause >= 0) set_name(after, group.slices[index(slice.cause)]);
    if (slice.serves.valid()) set_name(serves, timeline_.slice(slice.serves));
  }
  /// Slices of a lane do not overlap, and come in the order of their beginning.
  void set(const TimelineGroup& group, const TimelineSlice& slice, Part part,
           const TimelineSlice::Stage& shown) {
    constexpr const char* names[] = {"slice", "stage", "after", "serves"};
    const std::int64_t begin = timeline_.picoseconds(shown.begin);
    const std::int64_t end = timeline_.picoseconds(shown.end);
    if (begin == end) return;
    const auto number = &group - timeline_.groups.data();
    Track& track = by_key_[{number, slice.track, slice.lane, part}];
    if (track.name.empty()) {
      const std::string lane = slice.lane == 0 ? "" : fmt::format(".lane_{}", slice.lane + 1);
      track.group = group.name;
      track.scope = without_blanks(slice.track) + lane;
      track.name = names[part];
      track.alias = slice.track + (slice.lane == 0 ? "" : fmt::format(" ({})", slice.lane + 1)) +
                    (part == whole ? "" : fmt::format(" {}", names[part]));
    }
    track.values[begin] = without_blanks(shown.name);
    track.values[end] = "-";
  }

  const Timeline& timeline_;
  std::map<std::tuple<std::ptrdiff_t, std::string, int, Part>, Track> by_key_;
};

constexpr const char* timeline_scope = "$scope module timeline $end";

/// The part of a wave before its first time, without the line that ends the declarations.
struct Declarations {
  std::string text;
  std::set<std::string> codes;
};

Declarations read_declarations(std::istream& wave) {
  Declarations declarations;
  for (std::string line; std::getline(wave, line);) {
    if (line.rfind("$enddefinitions", 0) == 0) return declarations;
    declarations.text += line + "\n";
    std::istringstream words(line);
    std::string keyword, type, width, code;
    if (words >> keyword >> type >> width >> code && keyword == "$var")
      declarations.codes.insert(code);
    if (line == timeline_scope) break;  // it has tracks already
  }
  throw SystemFailure("the wave is no VCD file of a run; run the job again");
}

void name_codes(std::vector<Track>& tracks, const std::set<std::string>& taken) {
  int number = 0;
  for (Track& track : tracks) {
    do track.code = fmt::format("t{}", number++);
    while (taken.count(track.code) > 0);
  }
}

/// A lane is a scope in that of its track.
std::string declare(const std::vector<Track>& tracks) {
  std::vector<WaveVariable> variables;
  for (const Track& track : tracks)
    variables.push_back({fmt::format("timeline.{}.{}", track.group, track.scope), track.name, 1});
  struct Text final : VcdScopes {
    explicit Text(const std::vector<Track>& its_tracks) : next(its_tracks.begin()) {}
    void declare(const WaveVariable& variable) override {
      text += fmt::format("$var string 1 {} {} $end\n", (next++)->code, variable.name);
    }

    std::vector<Track>::const_iterator next;
  } list(tracks);
  visit(variables, list);
  return list.text;
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
void merge(std::istream& wave, Changes& changes, std::ostream& out) {
  std::int64_t now = -1;
  for (std::string line; std::getline(wave, line);) {
    if (line[0] == '#') {
      const std::int64_t next = std::atoll(line.c_str() + 1);
      if (now >= 0) {
        out << changes.until(now);
        out << changes.before(next);
      }
      now = next;
    }
    out << line << '\n';
  }
  if (now >= 0) out << changes.until(now);
}

/// A group with more is closed.
constexpr std::ptrdiff_t most_open_tracks = 24;

/// The rows of the tracks.
std::string rows_of(const std::vector<Track>& tracks) {
  std::string text;
  for (auto first = tracks.begin(); first != tracks.end();) {
    const std::string& group = first->group;
    const auto last =
        std::find_if(first, tracks.end(), [&](const Track& track) { return track.group != group; });
    const bool shut = last - first > most_open_tracks;
    text += gtkwave::group_begins(group, shut);
    for (auto track = first; track != last; ++track)
      text += gtkwave::flags_line(gtkwave::text) + fmt::format("+{{{}}} timeline.{}.{}.{}\n",
                                                               track->alias, group, track->scope,
                                                               track->name);
    text += gtkwave::group_ends(group, shut);
    first = last;
  }
  return text;
}

}  // namespace

std::string write_timeline_vcd(const Timeline& timeline, std::istream* wave, std::ostream& out) {
  std::vector<Track> tracks = Tracks(timeline).all;
  Declarations declarations;
  if (wave)
    declarations = read_declarations(*wave);
  else
    declarations.text = "$version flitwave $end\n$timescale 1 ps $end\n";
  name_codes(tracks, declarations.codes);
  Changes changes(tracks);
  out << declarations.text << declare(tracks) << "$enddefinitions $end\n";
  if (wave) {
    merge(*wave, changes, out);
  } else {
    out << "#0\n" << changes.until(0);
    out << changes.before(INT64_MAX);
  }
  return rows_of(tracks);
}

std::string timeline_view(const std::string& rows, const std::string& view,
                          const std::string& name) {
  std::istringstream lines(view);
  std::string text = fmt::format(
      "[*] written by flitwave\n[dumpfile] \"{0}.vcd\"\n[savefile] \"{0}.gtkw\"\n", name);
  bool placed = false;
  for (std::string line; std::getline(lines, line);) {
    const auto begins = [&](const char* start) { return line.rfind(start, 0) == 0; };
    if (begins("[*]") || begins("[dumpfile]") || begins("[savefile]")) continue;
    if (!placed && begins("@")) {
      text += rows;
      placed = true;
    }
    text += line + "\n";
  }
  return placed ? text : text + rows;
}

}  // namespace flitwave
