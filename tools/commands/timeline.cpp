// tools/commands/timeline.cpp: flitwave timeline: a run for viewers of traces.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/timeline.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "testbenches/run/run_files.hpp"
#include "tools/commands/commands.hpp"

namespace flitwave {

namespace {

namespace fs = std::filesystem;

struct TimelineOptions {
  std::string folder;
  std::string out;
  bool vcd = false;
};

/// The whole file; empty if it does not exist.
std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const std::string& path, const std::string& text) {
  write_file(path, text);
  fmt::print("{}\n", path);
}

/// The view of the wave names files beside it, so it is used in its folder only.
void write_vcd(const TimelineOptions& options, const std::string& file) {
  const Timeline timeline = Timeline::of(options.folder);
  fs::path wave = fs::path(options.folder) / timeline.wave;
  if (wave.extension() == ".fst" && fs::exists(wave))
    fmt::print(stderr, "note: {} is no VCD file, so its signals are not in {}\n", wave.string(),
               file);
  const bool is_vcd = wave.extension() == ".vcd";
  const std::string signals = is_vcd ? text_of(wave) : "";
  const std::string view =
      is_vcd && options.out.empty() ? text_of(wave.replace_extension(".gtkw")) : "";
  const TimelineWave made = timeline_vcd(timeline, signals, view, fs::path(file).stem().string());
  write(file, made.file);
  write(fs::path(file).replace_extension(".gtkw").string(), made.view);
}

int timeline(const TimelineOptions& options) {
  const std::string file = !options.out.empty() ? options.out
                           : options.vcd        ? options.folder + "/timeline.vcd"
                                                : options.folder + "/timeline.json";
  if (options.vcd)
    write_vcd(options, file);
  else
    write(file, timeline_json(Timeline::of(options.folder)));
  return 0;
}

}  // namespace

Command timeline_command() {
  const auto options = std::make_shared<TimelineOptions>();
  return {"timeline",
          "write messages, packets, channels and transactions of a run for viewers",
          {Option("RESULTS", &options->folder, "the folder of the results of a run").required(),
           {"--out", &options->out, "the file; by default timeline.json or .vcd in that folder"},
           {"--vcd", &options->vcd,
            "a VCD file for GTKWave, with the signals of wave.vcd, instead of one for Perfetto"}},
          [options] { return timeline(*options); },
          {}};
}

}  // namespace flitwave
