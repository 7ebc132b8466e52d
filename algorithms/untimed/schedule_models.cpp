// algorithms/untimed/schedule_models.cpp: see schedule_models.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/untimed/schedule_models.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "algorithms/untimed/schedule_replay.hpp"
#include "configs/error.hpp"

namespace flitwave {

namespace {

double bytes_of(Bytes size) { return static_cast<double>(size.count); }

/// The number of messages of `packet` bytes that carry the data.
double packets(Bytes size, int packet) {
  return static_cast<double>(std::max<std::int64_t>(1, (size.count + packet - 1) / packet));
}

void require_parameter(bool holds, const char* parameter, const char* remedy) {
  if (!holds) throw ConfigError(parameter, "the model has no such value", remedy);
}

}  // namespace

double predict(const Schedule& schedule, const Hockney& model) {
  require_parameter(model.startup >= 0, "startup", "give 0 or more");
  require_parameter(model.bandwidth > 0, "bandwidth", "give more than 0");
  const auto times = [&](Bytes size) {
    const double all = model.startup + bytes_of(size) / model.bandwidth;
    return MessageTimes{all, all, 0, all, all};
  };
  return replay(schedule, {times, false});
}

double predict(const Schedule& schedule, const XuHwang& model) {
  std::set<NodeId> nodes;
  double longest = 0;
  for (const Transfer& transfer : schedule.transfers()) {
    nodes.insert({transfer.from, transfer.to});
    longest = std::max(longest, bytes_of(transfer.size));
  }
  if (nodes.empty()) return 0;
  const int count = static_cast<int>(nodes.size());
  const double bandwidth = model.bandwidth(count);
  require_parameter(bandwidth > 0, "bandwidth", "give more than 0");
  return model.startup(count) + longest / bandwidth;
}

double predict(const Schedule& schedule, const LogP& model) {
  require_parameter(model.latency >= 0, "latency", "give 0 or more");
  require_parameter(model.overhead >= 0, "overhead", "give 0 or more");
  require_parameter(model.gap >= 0, "gap", "give 0 or more");
  require_parameter(model.packet >= 1, "packet", "give 1 or more bytes");
  const double gap = std::max(model.gap, model.overhead);
  // The receiver takes the first packet when it arrives, and has the message with the last.
  const auto times = [&](Bytes size) {
    const double count = packets(size, model.packet);
    const double busy = (count - 1) * gap + model.overhead;
    return MessageTimes{busy, count * gap, model.overhead + model.latency, gap, busy};
  };
  return replay(schedule, {times});
}

double predict(const Schedule& schedule, const LogGP& model) {
  require_parameter(model.latency >= 0, "latency", "give 0 or more");
  require_parameter(model.overhead >= 0, "overhead", "give 0 or more");
  require_parameter(model.gap >= 0, "gap", "give 0 or more");
  require_parameter(model.gap_per_byte >= 0, "gap_per_byte", "give 0 or more");
  const double gap = std::max(model.gap, model.overhead);
  const auto times = [&](Bytes size) {
    const double stream = std::max(0.0, bytes_of(size) - 1) * model.gap_per_byte;
    return MessageTimes{model.overhead, stream + gap, model.overhead + stream + model.latency,
                        stream + gap, model.overhead};
  };
  return replay(schedule, {times});
}

double predict(const Schedule& schedule, const Postal& model) {
  require_parameter(model.lambda >= 1, "lambda",
                    "give 1 or more: below 1, a sender is busy beyond the end");
  require_parameter(model.unit > 0, "unit", "give more than 0");
  return predict(schedule, LogP{model.lambda * model.unit, 0, model.unit, model.packet});
}

std::vector<HRelation> h_relations(const Schedule& schedule) {
  struct Load {
    HRelation out;
    HRelation in;
  };
  std::vector<std::map<NodeId, Load>> loads(index(schedule.steps()));
  for (const Transfer& transfer : schedule.transfers()) {
    auto& step = loads[index(transfer.step - 1)];
    const double bytes = bytes_of(transfer.size);
    const auto count = [&](HRelation& side) {
      ++side.messages;
      side.bytes += bytes;
    };
    if (transfer.copy_of < 0) count(step[transfer.from].out);
    count(step[transfer.to].in);
  }
  std::vector<HRelation> greatest(loads.size());
  for (std::size_t step = 0; step < loads.size(); ++step)
    for (const auto& [node, load] : loads[step])
      for (const HRelation& side : {load.out, load.in}) {
        greatest[step].messages = std::max(greatest[step].messages, side.messages);
        greatest[step].bytes = std::max(greatest[step].bytes, side.bytes);
      }
  return greatest;
}

double predict(const Schedule& schedule, const Bsp& model) {
  require_parameter(model.gap_per_byte >= 0, "gap_per_byte", "give 0 or more");
  require_parameter(model.barrier >= 0, "barrier", "give 0 or more");
  double sum = 0;
  for (const HRelation& step : h_relations(schedule))
    sum += step.bytes * model.gap_per_byte + model.barrier;
  return sum;
}

}  // namespace flitwave
