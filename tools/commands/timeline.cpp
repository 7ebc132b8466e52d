// tools/commands/timeline.cpp: flitwave timeline: a run for viewers of traces.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/timeline.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "configs/error.hpp"
#include "testbenches/run/child_pool.hpp"
#include "testbenches/run/run_files.hpp"
#include "testbenches/waves/files/fst_file.hpp"
#include "tools/commands/commands.hpp"

namespace flitwave {

namespace {

namespace fs = std::filesystem;

struct TimelineOptions {
  std::string folder;
  std::string out;
  bool vcd = false;
};

/// The wave of the run; none: empty.
fs::path wave_of(const TimelineOptions& options, const Timeline& timeline) {
  if (timeline.wave.empty()) return {};
  fs::path wave = fs::path(options.folder) / timeline.wave;
  if (fs::is_regular_file(wave)) return wave;
  fmt::print(stderr, "note: {} does not exist, so its signals are not shown\n", wave.string());
  return {};
}

fs::path view_name(fs::path file) { return file.replace_extension(".gtkw"); }

bool are_same(const fs::path& a, const fs::path& b) {
  std::error_code ignored;
  return fs::equivalent(a, b, ignored);
}

/// Throws: ConfigError when the file is one of the run.
void check_output(const TimelineOptions& options, const Timeline& timeline, const fs::path& file) {
  const fs::path folder(options.folder);
  const fs::path wave = folder / timeline.wave;
  const bool is_of_wave =
      !timeline.wave.empty() && (are_same(file, wave) || are_same(file, view_name(wave)));
  const std::string name = file.filename().string();
  const bool is_of_run = fs::path(name).stem() != "timeline" && are_same(file, folder / name) &&
                         is_listed(options.folder, name);
  if (is_of_wave || is_of_run)
    throw ConfigError("--out", file.string() + " is a file of the run", "name another file");
}

/// The text of the wave as VCD; one in FST is converted into a file beside `file`, which has no
/// name any more when this returns.
std::ifstream open_wave(const fs::path& wave, const fs::path& file) {
  if (wave.extension() != ".fst") return std::ifstream(wave, std::ios::binary);
  struct Removed {
    std::string path;
    ~Removed() { std::remove(path.c_str()); }
  } const converted{unfinished_name(file.string() + ".signals")};
  // The reader ends its process when a file is damaged.
  const std::string fault = run_in_child([&] {
    if (!std::freopen("/dev/null", "w", stderr)) return;
    convert_to_vcd(wave.string(), converted.path);
  });
  if (!fault.empty())
    throw SystemFailure(
        fmt::format("{} is no FST file of a run ({}); run the job again", wave.string(), fault));
  return std::ifstream(converted.path, std::ios::binary);
}

/// Returns: the rows of its tracks in a view.
std::string write_vcd_file(const Timeline& timeline, const fs::path& wave, const fs::path& file) {
  std::string rows;
  write_file(file.string(), [&](std::ostream& out) {
    std::ifstream signals;
    if (!wave.empty()) signals = open_wave(wave, file);
    rows = write_timeline_vcd(timeline, wave.empty() ? nullptr : &signals, out);
  });
  return rows;
}

/// The view of the wave names files beside it, so it is used in its folder only.
std::string view_of(const fs::path& wave, const fs::path& file) {
  if (wave.empty() || !are_same(fs::absolute(wave).parent_path(), fs::absolute(file).parent_path()))
    return "";
  std::ifstream view(view_name(wave), std::ios::binary);
  return {std::istreambuf_iterator<char>(view), {}};
}

/// Returns: the paths of the file and of its view.
std::vector<std::string> write_vcd(const Timeline& timeline, const fs::path& wave,
                                   const fs::path& file) {
  const std::string view = view_name(file).string();
  const std::string rows = write_vcd_file(timeline, wave, file);
  write_file(view, timeline_view(rows, view_of(wave, file), file.stem().string()));
  return {file.string(), view};
}

int timeline(const TimelineOptions& options) {
  const Timeline timeline = Timeline::of(options.folder);
  const std::string usual = options.folder + (options.vcd ? "/timeline.vcd" : "/timeline.json");
  const fs::path out = options.out.empty() ? usual : options.out;
  std::vector<std::string> written;
  if (options.vcd && out.extension() != ".vcd")
    throw ConfigError("--out", out.string() + " does not end in .vcd", "name a VCD file");
  check_output(options, timeline, out);
  if (options.vcd) {
    check_output(options, timeline, view_name(out));
    written = write_vcd(timeline, wave_of(options, timeline), out);
  } else {
    written = {out.string()};
    write_file(written.front(), timeline_json(timeline));
  }
  for (const std::string& path : written) {
    fmt::print("{}\n", path);
    if (options.out.empty()) add_to_run(options.folder, fs::path(path).filename().string());
  }
  return 0;
}

}  // namespace

Command timeline_command() {
  const auto options = std::make_shared<TimelineOptions>();
  return {"timeline",
          "write steps, messages, transactions, packets and channels of a run for viewers",
          {Option("RESULTS", &options->folder, "the folder of the results of a run").required(),
           {"--out", &options->out, "the file; by default timeline.json or .vcd in that folder"},
           {"--vcd", &options->vcd,
            "a VCD file for GTKWave, with the signals of the wave, instead of one for Perfetto"}},
          [options] { return timeline(*options); },
          {}};
}

}  // namespace flitwave
