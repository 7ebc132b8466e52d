// testbenches/run/testbench/load_samples.cpp: see load_samples.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/run/testbench/load_samples.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace flitwave {

LoadSamples::LoadSamples(const SimulatedNetwork& network, const PacketPool& packets,
                         const TrafficControl& traffic, const Window& window, double dispersion)
    : network_(network),
      packets_(packets),
      traffic_(traffic),
      dispersion_(dispersion),
      start_(window.begin - 1),
      length_(window.end - window.begin),
      samples_(static_cast<int>(std::min<Cycle>(most_samples, length_))),
      queues_(index(network.topology().nodes())) {}

Cycle LoadSamples::next() const {
  const auto taken = static_cast<int>(population_.size());
  return stopped_ || taken > samples_ ? INT64_MAX : at(taken);
}

void LoadSamples::take() {
  if (population_.empty()) gone_before_ = packets_.singles_gone();
  population_.push_back(
      static_cast<double>(traffic_.tagged - (packets_.singles_gone() - gone_before_)));
  delivered_.push_back(static_cast<double>(packets_.single_flits_gone()));
  const auto taken = static_cast<int>(population_.size()) - 1;
  if (taken % per_queue_sample == 0 && taken > 0) take_queues();
  const bool judged = taken == samples_ || taken % (most_samples / quarters) == 0;
  if (judged && taken > 0 && too_much_.empty()) judge();
}

void LoadSamples::take_queues() {
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    const auto flits = static_cast<double>(network_.flits_queued(NodeId(static_cast<int>(i))));
    queues_[i].sum += flits;
    queues_[i].by_sample += queue_samples_ * flits;
  }
  ++queue_samples_;
}

void LoadSamples::judge() {
  const bool at_end = next() == INT64_MAX;
  const auto offered = static_cast<double>(traffic_.tagged);
  const std::optional<Drift> drift = drift_of(population_);
  if (drift && (at_end ? whole_window : part_of_window).finds(*drift, offered))
    too_much_ = fmt::format(
        "the packets in network and sources grew by {:.0f} in {} cycles, {:.1f} % of those offered",
        drift->growth, at(static_cast<int>(population_.size()) - 1) - start_,
        100 * drift->growth / offered);
  else if (const NodeId source = at_end ? growing() : NodeId(); source.valid())
    too_much_ = fmt::format("the queue of source {} grew during the measurement",
                            network_.topology().label(source));
}

/// From the first sample to one beyond the last, along the least-squares line.
double LoadSamples::Queue::growth(int samples) const {
  const double n = samples;
  if (samples < 2) return 0;
  return (by_sample - sum * (n - 1) / 2) * 12 / (n * n - 1);
}

/// The source whose queue grew most significantly, or none: by more than 2 % of its offered load,
/// and by more than the random excess of its packets. The number of deviations for this excess is
/// chosen such that all sources together are wrong in at most 0.5 % of runs, by the bound exp(-z^2
/// / 2) / 2 of a normal variable's tail.
NodeId LoadSamples::growing() const {
  if (traffic_.tagged == 0) return {};
  const std::vector<std::int64_t>& by_source = traffic_.offered_by(JobPart::background);
  double offered = 0;
  for (const std::int64_t flits : by_source) offered += static_cast<double>(flits);
  const double length = offered / static_cast<double>(traffic_.tagged);
  const double deviations = std::sqrt(2 * std::log(static_cast<double>(queues_.size()) / 0.01));
  NodeId worst;
  double most = 0;
  for (std::size_t node = 0; node < queues_.size(); ++node) {
    const auto own = static_cast<double>(by_source[node]);
    const double chance = deviations * std::sqrt(dispersion_ * length * own);
    const double beyond = queues_[node].growth(queue_samples_) - std::max(0.02 * own, chance);
    if (beyond <= most) continue;
    most = beyond;
    worst = NodeId(static_cast<int>(node));
  }
  return worst;
}

std::optional<double> LoadSamples::accepted_interval() const {
  if (delivered_.size() < 2) return std::nullopt;
  const double all = delivered_.back() - delivered_.front();
  const auto times = static_cast<double>(delivered_.size() - 1);
  const auto cycles = static_cast<double>(at(static_cast<int>(delivered_.size()) - 1) - start_);
  // Where samples are not equally spaced, adds the effect of their distance on the rate.
  std::vector<double> amounts;
  for (std::size_t i = 1; i < delivered_.size(); ++i) {
    const auto apart = static_cast<double>(at(static_cast<int>(i)) - at(static_cast<int>(i) - 1));
    amounts.push_back(delivered_[i] - delivered_[i - 1] + all * (1 / times - apart / cycles));
  }
  std::optional<double> half_width = rate_interval(amounts);
  if (half_width) *half_width *= times / cycles / static_cast<double>(queues_.size());
  return half_width;
}

void LoadSamples::report(Results& results) const {
  Queue all;
  for (const Queue& queue : queues_) {
    all.sum += queue.sum;
    all.by_sample += queue.by_sample;
  }
  const auto nodes = static_cast<double>(queues_.size());
  const auto cycles = static_cast<double>(at(static_cast<int>(population_.size()) - 1) - start_);
  const double queue_samples = std::max(1, queue_samples_);
  results.add("source_queue.mean", all.sum / queue_samples / nodes, "flit/node");
  results.add("source_queue.growth", all.growth(queue_samples_) / std::max(1.0, cycles) / nodes,
              "flit/node/cycle");
  const std::optional<Drift> drift = drift_of(population_);
  if (!drift || traffic_.tagged == 0) return;
  results.add("packets.growth", drift->growth / cycles, "packet/cycle");
  results.add("packets.growth_share", drift->growth / static_cast<double>(traffic_.tagged), "");
}

}  // namespace flitwave
