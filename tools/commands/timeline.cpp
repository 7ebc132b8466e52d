// tools/commands/timeline.cpp: flitwave timeline: a run for viewers of traces.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/timeline.hpp"

#include <fmt/format.h>

#include "testbenches/run/run_files.hpp"
#include "tools/commands/commands.hpp"

namespace flitwave {

namespace {

struct TimelineOptions {
  std::string folder;
  std::string out;
};

int timeline(const TimelineOptions& options) {
  const std::string file = options.out.empty() ? options.folder + "/timeline.json" : options.out;
  write_file(file, timeline_of(options.folder));
  fmt::print("{}\n", file);
  return 0;
}

}  // namespace

Command timeline_command() {
  const auto options = std::make_shared<TimelineOptions>();
  return {"timeline",
          "write messages, packets and channels of a run as a file for Perfetto",
          {Option("RESULTS", &options->folder, "the folder of the results of a run").required(),
           {"--out", &options->out, "the file; by default timeline.json in that folder"}},
          [options] { return timeline(*options); },
          {}};
}

}  // namespace flitwave
