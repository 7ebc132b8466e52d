// tools/commands/model_schedule.cpp: flitwave model schedule: a job by models without channels.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "algorithms/cost_models/lower_bounds.hpp"
#include "algorithms/untimed/schedule_models.hpp"
#include "testbenches/job/job.hpp"
#include "testbenches/job/plan/plan.hpp"
#include "tools/commands/job_file.hpp"
#include "tools/commands/model.hpp"

namespace flitwave {

namespace {

struct ScheduleOptions {
  JobFile file;
  MachineOptions machine;
  std::string packet;
};

/// The length of one packet of LogP and of the postal model. Unit: byte
int packet_of(const ScheduleOptions& options, const Schedule& schedule) {
  std::int64_t bytes = 1;
  if (!options.packet.empty()) {
    bytes = bytes_of("--packet", options.packet);
  } else {
    for (const Transfer& transfer : schedule.transfers())
      bytes = std::max(bytes, transfer.size.count);
  }
  if (bytes < 1 || bytes > 1 << 30)
    throw ConfigError("--packet", fmt::format("a packet cannot have {} bytes", bytes),
                      "give --packet 1B .. 1GiB");
  return static_cast<int>(bytes);
}

/// For an operation by doubling: ceil(log2 n) messages one after the other.
XuHwang xu_hwang(const AlphaBetaGamma& cost) {
  const auto rounds = [](int nodes) { return std::max(1, ceil_log(2, nodes)); };
  return {[=](int nodes) { return rounds(nodes) * (cost.alpha + cost.gamma); },
          [=](int nodes) { return 1 / (rounds(nodes) * cost.beta); }};
}

/// The models' parameters, derived from alpha, beta and gamma.
void print_predictions(const Schedule& schedule, const AlphaBetaGamma& cost, int packet) {
  const auto print = [&](const char* name, const auto& model) {
    fmt::print("{}: {:.6g} us\n", name, predict(schedule, model));
  };
  const double overhead = (cost.alpha + cost.gamma) / 2;
  const double stream = packet * cost.beta;  // of a packet
  const double unit = cost.alpha + stream;
  print("Hockney", Hockney{cost.alpha + cost.gamma, 1 / cost.beta});
  print("Xu-Hwang", xu_hwang(cost));
  print("LogP", LogP{stream, overhead, stream, packet});
  print("LogGP", LogGP{cost.beta, overhead, overhead, cost.beta});
  print("Postal", Postal{(unit + cost.gamma) / unit, unit, packet});
  print("BSP", Bsp{cost.beta, cost.alpha + cost.gamma});
}

int schedule(const ScheduleOptions& options, const Catalog& catalog) {
  const AlphaBetaGamma cost = cost_of(options.machine);
  if (!(cost.beta > 0))
    throw ConfigError("--beta", "Hockney's model has a bandwidth, 1 / beta", "give more than 0");
  const Job job = Job::read(load(options.file), catalog);
  const Plan plan = Plan::make(job, Plan::Check::always);
  if (!plan.schedule)
    throw ConfigError("operation", "the job has no schedule to predict",
                      "give it sections `operation` and `algorithm`");
  for (const Delivery& delivery : plan.schedule->demand().deliveries)
    if (delivery.release.value_or(0) > 0)
      throw error_at(job, "operation.kind",
                     "in these models all nodes begin at once, but the "
                     "deliveries are released later",
                     "release them at the start, with count");
  print_predictions(*plan.schedule, cost, packet_of(options, *plan.schedule));
  return 0;
}

}  // namespace

Command model_schedule_command(const Catalog& catalog) {
  const auto settings = std::make_shared<ScheduleOptions>();
  std::vector<Option> options = job_options(settings->file);
  options.emplace_back(
      "--packet", &settings->packet,
      "length of a packet of LogP and of the postal model, e.g. 16B; by default the "
      "longest message of the schedule");
  return {"schedule",
          "the time of a job's schedule, by models without channels",
          with_machine(std::move(options), settings->machine),
          [settings, &catalog] { return schedule(*settings, catalog); },
          {}};
}

}  // namespace flitwave
