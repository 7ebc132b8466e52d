// algorithms/untimed.cpp: a schedule walked along its routes, step by step.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/algorithms/untimed.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "flitwave/configs/random.hpp"

namespace flitwave {
namespace {

/// Judges the transfers of one step after the other.
class Judge {
 public:
  Judge(const Schedule& schedule, const Topology& topology, const RoutingFunction& routing,
        int ports)
      : schedule_(schedule), topology_(topology), routing_(routing), ports_(ports) {
    const auto steps = static_cast<std::size_t>(schedule.steps());
    result_.steps = schedule.steps();
    result_.transfers_per_step.resize(steps, 0);
    result_.step_load.resize(steps, 0);
    result_.channel_load.resize(static_cast<std::size_t>(topology.channels()), 0);
  }

  Untimed judge() {
    std::vector<int> by_step(schedule_.transfers().size());
    std::iota(by_step.begin(), by_step.end(), 0);
    std::stable_sort(by_step.begin(), by_step.end(),
                     [&](int a, int b) { return transfer(a).step < transfer(b).step; });
    for (auto first = by_step.begin(); first != by_step.end();) {
      const int step = transfer(*first).step;
      const auto last = std::find_if(first, by_step.end(),
                                     [&](int number) { return transfer(number).step != step; });
      judge_step(step, {first, last});
      first = last;
    }
    if (!by_step.empty())
      result_.mean_path = static_cast<double>(hops_) / static_cast<double>(by_step.size());
    judge_coverage();
    return std::move(result_);
  }

 private:
  /// A transfer crosses a channel.
  struct Crossing {
    ChannelId channel;
    int transfer;
  };

  const Transfer& transfer(int number) const {
    return schedule_.transfers()[static_cast<std::size_t>(number)];
  }

  void judge_step(int step, const std::vector<int>& numbers) {
    const auto at = static_cast<std::size_t>(step - 1);
    result_.transfers_per_step[at] = static_cast<int>(numbers.size());
    std::vector<Crossing> crossings;
    for (int number : numbers)
      for (ChannelId channel : route_of(number)) {
        crossings.push_back({channel, number});
        ++result_.channel_load[channel.index()];
      }
    hops_ += static_cast<std::int64_t>(crossings.size());
    std::stable_sort(crossings.begin(), crossings.end(),
                     [](const Crossing& a, const Crossing& b) { return a.channel < b.channel; });
    std::size_t first = 0;
    for (std::size_t i = 0; i < crossings.size(); ++i) {
      if (crossings[i].channel != crossings[first].channel) first = i;
      if (i > first)
        result_.contentions.push_back(
            {step, crossings[i].channel, crossings[first].transfer, crossings[i].transfer});
      result_.step_load[at] = std::max(result_.step_load[at], static_cast<int>(i - first) + 1);
    }
    judge_ports(step, numbers);
  }

  std::vector<ChannelId> route_of(int number) const {
    const Transfer& sent = transfer(number);
    Random random(0, "untimed", static_cast<std::uint64_t>(number));
    return path(routing_, topology_,
                {sent.from, sent.to, routing_.choose(sent.from, sent.to, random)});
  }

  void judge_ports(int step, const std::vector<int>& numbers) {
    std::vector<NodeId> senders;
    std::vector<NodeId> receivers;
    for (int number : numbers) {
      senders.push_back(transfer(number).from);
      receivers.push_back(transfer(number).to);
    }
    judge_ports(step, "sends", std::move(senders));
    judge_ports(step, "receives", std::move(receivers));
  }

  void judge_ports(int step, const char* verb, std::vector<NodeId> busy) {
    std::sort(busy.begin(), busy.end());
    for (auto first = busy.begin(); first != busy.end();) {
      const auto last = std::upper_bound(first, busy.end(), *first);
      if (last - first > ports_)
        fault("node {} {} {} messages in step {} over {} ports", topology_.label(*first), verb,
              last - first, step, ports_);
      first = last;
    }
  }

  void judge_coverage() {
    const std::vector<Delivery>& deliveries = schedule_.demand().deliveries;
    std::vector<std::vector<NodeId>> received(deliveries.size());
    for (const Transfer& sent : schedule_.transfers())
      received[static_cast<std::size_t>(sent.message)].push_back(sent.to);
    for (std::size_t message = 0; message < deliveries.size(); ++message) {
      std::vector<NodeId>& got = received[message];
      std::vector<NodeId> due = deliveries[message].destinations;
      std::sort(got.begin(), got.end());
      std::sort(due.begin(), due.end());
      std::vector<NodeId> missed;
      std::vector<NodeId> extra;
      std::set_difference(due.begin(), due.end(), got.begin(), got.end(),
                          std::back_inserter(missed));
      std::set_difference(got.begin(), got.end(), due.begin(), due.end(),
                          std::back_inserter(extra));
      for (NodeId node : missed)
        fault("node {} does not get message {}", topology_.label(node), message);
      for (NodeId node : extra)
        if (std::binary_search(due.begin(), due.end(), node))
          fault("node {} gets message {} more than once", topology_.label(node), message);
        else
          fault("node {} gets message {} and is no destination", topology_.label(node), message);
    }
  }

  template <class... Parts>
  void fault(const char* format, const Parts&... parts) {
    result_.faults.push_back(fmt::format(fmt::runtime(format), parts...));
  }

  const Schedule& schedule_;
  const Topology& topology_;
  const RoutingFunction& routing_;
  int ports_;
  std::int64_t hops_ = 0;
  Untimed result_;
};

}  // namespace

Untimed evaluate(const Schedule& schedule, const Topology& topology, const RoutingFunction& routing,
                 int ports) {
  return Judge(schedule, topology, routing, ports).judge();
}

}  // namespace flitwave
