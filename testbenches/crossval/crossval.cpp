// testbenches/crossval/crossval.cpp: the program behind tools/crossval: our results compared with a
// peer's.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "testbenches/crossval/measure.hpp"
#include "testbenches/run/programs/command_line.hpp"

using namespace flitwave;
using namespace flitwave::crossval;

/// SystemC's library requires this function; the program has its own main function.
extern "C" int sc_main(int, char**) { return 0; }

namespace {

constexpr double compared_share = 0.6;  // of saturation, up to which latencies must agree

struct Settings {
  bool quick = false;
  std::string into;

  Effort latency() const { return quick ? Effort{4000, 1} : Effort{40000, 1}; }
  Effort search() const { return quick ? Effort{4000, 1} : Effort{20000, 3}; }
};

std::string verdict(bool holds) { return holds ? "holds" : "**differs**"; }

std::string latency_line(const std::string& name, double rate, double theirs,
                         const std::optional<double>& ours, bool judged) {
  if (!ours)
    return fmt::format("| {} | {} | {} | - | - | {} |\n", name, rate, theirs,
                       judged ? verdict(false) : "saturated here");
  const double difference = *ours / theirs - 1;
  return fmt::format("| {} | {} | {} | {:.2f} | {:+.1f} % | {} |\n", name, rate, theirs, *ours,
                     100 * difference,
                     judged ? verdict(std::abs(difference) <= 0.05) : "for information");
}

const char* const latency_head =
    "| configuration | offered | peer | ours | difference | within 5 % |\n"
    "|---|---|---|---|---|---|\n";

std::string zero_load_table(const Settings& settings) {
  std::string text =
      "| configuration | formula for every pair | mean H | mean by it | ours at 0.002 | peer, at "
      "its H |\n|---|---|---|---|---|---|\n";
  for (const Row& row : rows()) {
    const Cycle slope = row.peer.zero_load(2, row.packet) - row.peer.zero_load(1, row.packet);
    const Cycle rest = row.peer.zero_load(1, row.packet) - slope;
    const double routers = mean_routers(row);
    const auto ours = latency_at(row, 0.002, {10 * settings.latency().measure, 1});
    text +=
        fmt::format("| {} | {} H + {} | {:.3f} | {:.2f} | {:.2f} | {} at {} |\n", row.name, slope,
                    rest, routers, static_cast<double>(slope) * routers + static_cast<double>(rest),
                    ours.value_or(NAN), row.zero_load, row.mean_routers);
  }
  return text;
}

std::string latency_table(const Settings& settings) {
  std::string text = latency_head;
  for (const Row& row : rows())
    for (std::size_t i = 0; i < row.latency.size(); ++i) {
      if (!row.latency[i]) continue;
      const double rate = static_cast<double>(i + 1) / 10;
      text +=
          latency_line(row.name, rate, *row.latency[i], latency_at(row, rate, settings.latency()),
                       rate <= compared_share * row.saturation);
    }
  return text;
}

std::string saturation_table(const Settings& settings) {
  std::string text =
      "| configuration | saturation, peer | ours | difference | within max(0.02, 5 %) | accepted "
      "at "
      "1.0, peer | ours |\n|---|---|---|---|---|---|---|\n";
  for (const Row& row : rows()) {
    const double ours = saturation_of(row, settings.search());
    const double off = ours - row.saturation;
    const bool holds = std::abs(off) <= std::max(0.02, 0.05 * row.saturation) + 1e-9;
    text += fmt::format("| {} | {} | {:.3f} | {:+.3f} | {} | {} | {:.3f} |\n", row.name,
                        row.saturation, ours, off, verdict(holds), row.throughput,
                        throughput_of(row, settings.search()));
  }
  return text;
}

std::string line_table() {
  std::string text =
      "| configuration | peer | ours | difference | within 0.002 |\n|---|---|---|---|---|\n";
  for (const LineRow& row : line_rows()) {
    const double ours = accepted_by(row);
    text += fmt::format("| {} | {:.4f} | {:.4f} | {:+.4f} | {} |\n", row.name, row.accepted, ours,
                        ours - row.accepted, verdict(std::abs(ours - row.accepted) <= 0.002));
  }
  return text;
}

std::string bound_table(const Settings& settings) {
  std::string text =
      "| configuration | load bound | a source falls short at | |\n|---|---|---|---|\n";
  for (const char* pattern : {"uniform", "transpose", "bit_complement", "tornado", "neighbor"}) {
    const Row row = mesh_under(pattern);
    const double bound = bound_of(row);
    const auto found = falls_short_at(row, settings.latency());
    text += fmt::format("| {} | {:.4f} | {} | {} |\n", row.name, bound,
                        found ? fmt::format("{:.4f}", *found) : "never",
                        verdict(found.value_or(1) <= bound / 0.99 + bound / 200));
  }
  return text;
}

std::string other_table(const Settings& settings) {
  std::string text = latency_head;
  for (const OtherRun& run : other_runs())
    text +=
        latency_line(run.name(), run.rate, run.latency, latency_of(run, settings.latency()), true);
  return text;
}

std::string report(const Settings& settings) {
  return fmt::format(
      "\n**Zero load.**\n\n{}\n**Latency.** Beyond {:.0f} % of saturation for information.\n\n{}\n"
      "**Saturation.**\n\n{}\n**A line of eight nodes, each sending to the next, offered "
      "1.0.**\n\n{}\n**Load bounds.**\n\n{}\n**Other configurations.**\n\n{}\n",
      zero_load_table(settings), 100 * compared_share, latency_table(settings),
      saturation_table(settings), line_table(), bound_table(settings), other_table(settings));
}

/// Replaces the text between two marks of a file.
void put_into(const std::string& name, const std::string& text) {
  std::ifstream in(name);
  std::stringstream before;
  before << in.rdbuf();
  std::string page = before.str();
  const std::string begin = "<!-- crossval: begin -->\n";
  const std::size_t from = page.find(begin);
  const std::size_t to = page.find("<!-- crossval: end -->");
  if (from == std::string::npos || to == std::string::npos)
    throw std::runtime_error(name + " has no marks <!-- crossval: begin --> and end");
  page.replace(from + begin.size(), to - from - begin.size(), text);
  std::ofstream out(name);
  if (!(out << page) || !out.flush()) throw std::runtime_error("cannot write " + name);
}

int compare(const Settings& settings) {
  const std::string text = report(settings);
  if (settings.into.empty())
    fmt::print("{}", text);
  else
    put_into(settings.into, text);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  const Command program = {
      "tools/crossval",
      "Runs configurations of BookSim2 in our network and prints both results.\n"
      "Exit codes: 0 completed, even with differences; 2 wrong arguments, 5 files or system.",
      {{"--quick", &settings.quick, "short runs"},
       {"--into", &settings.into, "write the tables between the marks of this file"}},
      [&settings] { return compare(settings); },
      {}};
  try {
    return read_command_line(program, argc, argv)();
  } catch (const std::exception& error) {
    fmt::print(stderr, "tools/crossval: {}\n", error.what());
    return 5;  // NOLINT: the code of system failures
  }
}
