// tools/commands/resolve.cpp: flitwave resolve: a job with every default filled in.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "routers/input_queued/closed_form.hpp"
#include "testbenches/experiments/experiment.hpp"
#include "testbenches/job/job.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/job_file.hpp"

namespace flitwave {

namespace {

struct NamedDelay {
  const char* name;
  Delay delay;
};

std::vector<NamedDelay> delays_of(const Job& job) {
  std::vector<NamedDelay> delays = {{"node.send_overhead", job.node.send_overhead},
                                    {"node.receive_overhead", job.node.receive_overhead}};
  if (job.wave) {
    delays.push_back({"wave.from", job.wave->from});
    delays.push_back({"wave.until", job.wave->until});
  }
  delays.push_back({"stop.limit", job.stop.limit});
  return delays;
}

void print_cycles(const Job& job) {
  const Duration period = job.clock.period;
  fmt::print("# in cycles of {}:\n", to_string(period));
  for (const auto& [name, delay] : delays_of(job)) {
    const Cycle rounded = delay.rounded(period);
    fmt::print("#   {:<22} {}", name, to_string(delay));
    if (!delay.in_cycles) {
      const double exact =
          static_cast<double>(delay.picoseconds) / static_cast<double>(period.picoseconds);
      fmt::print(" = {} cycle", exact);
      if (exact != static_cast<double>(rounded))
        fmt::print(", rounded to {} ({:+.3f} %)", rounded,
                   100 * (static_cast<double>(rounded) - exact) / exact);
    }
    fmt::print("\n");
  }
}

void print_rates(const char* name, const RouterModel& router, const ChannelParams& channel) {
  if (!router.timing) {
    fmt::print("# {}: no closed form\n", name);
    return;
  }
  const ClosedForm form(*router.timing, channel, router.switching);
  fmt::print("# {}: ", name);
  if (router.switching != Switching::circuit)
    fmt::print("round trip of a buffer slot R = {} cycle; ", form.round_trip());
  fmt::print("peak rate of a virtual channel {:.4g}, of a channel {:.4g} flit/cycle\n",
             form.vc_rate(), form.channel_rate());
}

int resolve(const JobFile& file, const Catalog& catalog) {
  const Scenario scenario = load(file);
  if (is_experiment(scenario)) {
    fmt::print("{}", Experiment::read(scenario, catalog).resolved().to_yaml());
    return 0;
  }
  const Job job = Job::read(scenario, catalog);
  fmt::print("{}", job.resolved().to_yaml());
  // Without a clock nothing is rounded to cycles, and no flit waits for a buffer.
  if (!job.is_clocked()) return 0;
  fmt::print("\n");
  print_cycles(job);
  print_rates("router", job.router.build(), job.channel);
  for (std::size_t i = 0; i < job.router_overrides.size(); ++i)
    print_rates(fmt::format("router.at[{}]", i).c_str(), job.router_overrides[i].router.build(),
                job.channel);
  return 0;
}

}  // namespace

Command resolve_command(const Catalog& catalog) {
  const auto file = std::make_shared<JobFile>();
  return {"resolve",
          "print a job with every default filled in",
          any_job_options(*file),
          [file, &catalog] { return resolve(*file, catalog); },
          {}};
}

}  // namespace flitwave
