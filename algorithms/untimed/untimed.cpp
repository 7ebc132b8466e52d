// algorithms/untimed/untimed.cpp: a schedule checked along its routes, step by step.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/untimed/untimed.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "algorithms/cost_models/lower_bounds.hpp"
#include "configs/random.hpp"
#include "topologies/measures/measures.hpp"

namespace flitwave {
namespace {

/// Checks the transfers of one step after the other.
class Judge {
 public:
  Judge(const Schedule& schedule, const Topology& topology, const RoutingFunction& routing,
        int ports, const RelayedWays& ways)
      : schedule_(schedule), topology_(topology), routing_(routing), ports_(ports), ways_(ways) {
    const auto steps = index(schedule.steps());
    if (ways_) result_.way_steps.resize(schedule.transfers().size(), -1);
    result_.steps = schedule.steps();
    result_.barrier_steps = schedule.barrier_steps();
    result_.transfers_per_step.resize(steps, 0);
    result_.step_load.resize(steps, 0);
    result_.channel_load.resize(index(topology.channels()), 0);
  }

  Untimed judge() {
    std::vector<Sent> by_step;
    for (const Transfer& transfer : schedule_.transfers())
      by_step.push_back({schedule_.step_of(transfer), static_cast<int>(by_step.size())});
    std::sort(by_step.begin(), by_step.end());
    std::vector<int> numbers;
    for (std::size_t i = 0; i < by_step.size(); ++i) {
      const auto step = by_step[i].first;
      numbers.push_back(by_step[i].second);
      if (i + 1 < by_step.size() && by_step[i + 1].first == step) continue;
      judge_step(step.first, numbers);
      numbers.clear();
    }
    if (!by_step.empty())
      result_.mean_path =
          static_cast<double>(result_.traffic) / static_cast<double>(by_step.size());
    const std::vector<Delivery>& deliveries = schedule_.demand().deliveries;
    if (deliveries.size() == 1 && !deliveries[0].combines() && !schedule_.copies())
      result_.least_steps = least_broadcast_steps(
          static_cast<std::int64_t>(deliveries[0].destinations.size()) + 1, sends_at_once());
    judge_coverage();
    return std::move(result_);
  }

 private:
  /// Over disjoint channels.
  int sends_at_once() const { return std::min(ports_, std::max(1, greatest_degree(topology_))); }

  /// A transfer crosses a channel.
  struct ChannelUse {
    Crossing on;
    int transfer;
  };

  const Transfer& transfer(int number) const { return schedule_.transfers()[index(number)]; }

  using Sent = std::pair<std::pair<int, int>, int>;  ///< Schedule::step_of; number of a transfer.

  void judge_step(int step, const std::vector<int>& numbers) {
    const auto at = index(step - 1);
    result_.transfers_per_step[at] += static_cast<int>(numbers.size());
    std::vector<ChannelUse> uses;
    for (int number : numbers) {
      bool blocked = false;
      for (const Crossing& on : ways_ ? relayed_way_of(number) : way_of(number)) {
        if (!blocked && topology_.faults().broken(on.channel))
          result_.blocked.push_back({number, on.channel});
        blocked = blocked || topology_.faults().broken(on.channel);
        uses.push_back({on, number});
        ++result_.channel_load[on.channel.index()];
      }
    }
    result_.traffic += static_cast<std::int64_t>(uses.size());
    std::stable_sort(uses.begin(), uses.end(), [](const ChannelUse& a, const ChannelUse& b) {
      return a.on.channel < b.on.channel;
    });
    for (std::size_t first = 0; first < uses.size();) {
      std::size_t end = first;
      while (end < uses.size() && uses[end].on.channel == uses[first].on.channel) ++end;
      const int load = static_cast<int>(end - first);
      result_.step_load[at] = std::max(result_.step_load[at], load);
      if (load > 1) judge_channel(step, {uses.begin() + index(first), uses.begin() + index(end)});
      first = end;
    }
    judge_ports(step, numbers);
  }

  /// For a step's uses of one channel, in the order of transfers.
  void judge_channel(int step, std::vector<ChannelUse> uses) {
    const auto add = [&](std::vector<Contention>& to, const ChannelUse& first,
                         const ChannelUse& second) {
      if (!is_signal(first.transfer) && !is_signal(second.transfer))
        to.push_back({step, first.on.channel, first.transfer, second.transfer});
    };
    for (std::size_t i = 1; i < uses.size(); ++i) add(result_.contentions, uses[0], uses[i]);
    if (ways_) return;
    std::stable_sort(uses.begin(), uses.end(), [](const ChannelUse& a, const ChannelUse& b) {
      return a.on.vc_class < b.on.vc_class;
    });
    std::size_t first = 0;
    for (std::size_t i = 1; i < uses.size(); ++i) {
      if (uses[i].on.vc_class != uses[first].on.vc_class)
        first = i;
      else
        add(result_.class_contentions, uses[first], uses[i]);
    }
  }

  static std::ptrdiff_t index(std::size_t place) { return static_cast<std::ptrdiff_t>(place); }

  /// Signals of barriers may share channels.
  bool is_signal(int number) const { return schedule_.is_signal(transfer(number)); }

  std::vector<Crossing> way_of(int number) const {
    return untimed_crossings(schedule_, number, topology_, routing_);
  }

  /// For a message with all its copies; a copy has no other.
  std::vector<Crossing> relayed_way_of(int number) {
    const Transfer& sent = transfer(number);
    const auto first = index(number);
    const int end = number + schedule_.receivers_of(number);
    std::vector<NodeId> receivers;
    for (int i = number; i < end; ++i) receivers.push_back(transfer(i).to);
    if (receivers.empty()) return {};
    const auto happens = [this](int before) { return result_.way_steps[index(before)] >= 0; };
    if (!std::all_of(sent.after.begin(), sent.after.end(), happens)) {
      for (int i = number; i < end; ++i) result_.never_sent.push_back(i);
      return {};
    }
    RelayedWay way = ways_(sent.from, receivers);
    for (std::size_t i = 0; i < receivers.size(); ++i) {
      result_.way_steps[first + i] = way.steps[i];
      if (way.steps[i] < 0) result_.given_up.push_back(static_cast<int>(first + i));
    }
    std::vector<Crossing> crossings;
    for (ChannelId channel : way.channels) crossings.push_back({channel, 0});
    return crossings;
  }

  void judge_ports(int step, const std::vector<int>& numbers) {
    std::vector<NodeId> senders;
    std::vector<NodeId> receivers;
    for (int number : numbers) {
      if (transfer(number).copy_of < 0) senders.push_back(transfer(number).from);
      receivers.push_back(transfer(number).to);
    }
    judge_ports(step, "sends", std::move(senders));
    judge_ports(step, "receives", std::move(receivers));
  }

  void judge_ports(int step, const char* verb, std::vector<NodeId> busy) {
    std::sort(busy.begin(), busy.end());
    for (auto first = busy.begin(); first != busy.end();) {
      const auto last = std::upper_bound(first, busy.end(), *first);
      result_.most_at_once = std::max(result_.most_at_once, static_cast<int>(last - first));
      if (last - first > ports_)
        fault("node {} {} {} messages in step {} over {} ports", topology_.label(*first), verb,
              last - first, step, ports_);
      first = last;
    }
  }

  void judge_coverage() {
    for (std::size_t piece = 0; piece < schedule_.pieces().size(); ++piece)
      judge_piece(static_cast<int>(piece));
    // A node that lacks several pieces of a delivery lacks it once.
    std::vector<Unreached>& unreached = result_.unreached;
    const auto key = [](const Unreached& one) { return std::pair(one.delivery, one.destination); };
    std::sort(unreached.begin(), unreached.end(),
              [&](const Unreached& a, const Unreached& b) { return key(a) < key(b); });
    unreached.erase(
        std::unique(unreached.begin(), unreached.end(),
                    [&](const Unreached& a, const Unreached& b) { return key(a) == key(b); }),
        unreached.end());
  }

  void judge_piece(int piece) {
    const Delivery& delivery = schedule_.delivery_of(piece);
    const PieceHolders& holders = schedule_.holders(piece);
    const std::vector<Datum> due = due_of(piece);
    for (std::size_t i = 0; i < due.size(); ++i) {
      const NodeId node = delivery.destinations[i];
      const PieceHistory* history = holders.find(node);
      const Datum got = history ? history->result() : Datum{};
      if (got != due[i]) judge_result(piece, node, got, due[i]);
    }
    if (schedule_.allows_strangers()) return;
    std::vector<NodeId> wanted = delivery.destinations;
    std::sort(wanted.begin(), wanted.end());
    for (NodeId node : holders.nodes()) {
      const PieceHistory& history = holders.at(node);
      if (history.receipts().back().transfer >= 0 && history.last_sent() == 0 &&
          !std::binary_search(wanted.begin(), wanted.end(), node))
        fault("node {} receives message {} but is not a destination", topology_.label(node),
              schedule_.name_of(piece));
    }
  }

  /// The expected data of a piece at each destination. Shape: [destinations]
  std::vector<Datum> due_of(int piece) const {
    const Delivery& delivery = schedule_.delivery_of(piece);
    std::vector<Datum> due;
    Datum sum;
    std::size_t counted = 0;
    const std::vector<NodeId>& sources = delivery.sources;
    for (NodeId destination : delivery.destinations) {
      while (counted < sources.size() && delivery.wants(destination, sources[counted]))
        sum += contribution(piece, sources[counted++]);
      due.push_back(sum);
    }
    return due;
  }

  void judge_result(int piece, NodeId node, const Datum& got, const Datum& due) {
    const std::string label = topology_.label(node);
    if (!topology_.faults().empty() && got.empty())
      result_.unreached.push_back({schedule_.pieces()[index(piece)].delivery, node});
    else if (!schedule_.delivery_of(piece).combines())
      fault("node {} does not receive message {}", label, schedule_.name_of(piece));
    else if (got.contributions != due.contributions)
      fault("node {} combines {} contributions to message {}, not {}", label, got.contributions,
            schedule_.name_of(piece), due.contributions);
    else
      fault("node {} combines some contributions to message {} twice, and omits others", label,
            schedule_.name_of(piece));
  }

  template <class... Parts>
  void fault(const char* format, const Parts&... parts) {
    result_.faults.push_back(fmt::format(fmt::runtime(format), parts...));
  }

  const Schedule& schedule_;
  const Topology& topology_;
  const RoutingFunction& routing_;
  int ports_;
  const RelayedWays& ways_;
  Untimed result_;
};

}  // namespace

std::vector<Crossing> untimed_crossings(const Schedule& schedule, int number,
                                        const Topology& topology, const RoutingFunction& routing) {
  const Transfer& sent = schedule.transfer(number);
  const bool goes_on = sent.follows >= 0;
  const NodeId from = goes_on ? schedule.transfer(sent.follows).to : sent.from;
  Random random(0, "untimed", static_cast<std::uint64_t>(number));
  const std::uint32_t choice = routing.choose(from, sent.to, random);
  return crossings(routing, topology, {from, sent.to, choice, 0, sent.direction},
                   goes_on ? arrival_at(topology, from) : Arrival{});
}

std::vector<ChannelId> untimed_route(const Schedule& schedule, int number, const Topology& topology,
                                     const RoutingFunction& routing) {
  return channels_of(untimed_crossings(schedule, number, topology, routing));
}

Untimed evaluate(const Schedule& schedule, const Topology& topology, const RoutingFunction& routing,
                 int ports, const RelayedWays& ways) {
  return Judge(schedule, topology, routing, ports, ways).judge();
}

}  // namespace flitwave
