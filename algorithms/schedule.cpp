// algorithms/schedule.cpp: transfers in order, none before its sender has the message.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/algorithms/schedule.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "flitwave/configs/error.hpp"

namespace flitwave {

std::vector<std::string> names_of(Pace) { return {"dataflow", "stepped"}; }

Schedule::Schedule(Demand demand, Pace pace) : demand_(std::move(demand)), pace_(pace) {
  for (const Delivery& delivery : demand_.deliveries) holders_.push_back({{delivery.source, 0}});
}

void Schedule::send(int message, NodeId from, NodeId to, int step, int addresses) {
  const auto refuse = [&](const char* fault) {
    throw ModelError(fmt::format("transfer of message {} from node {} to node {} in step {}: {}",
                                 message, from.value(), to.value(), step, fault));
  };
  if (message < 0 || static_cast<std::size_t>(message) >= holders_.size())
    refuse("the demand has no such message");
  if (step < 1) refuse("steps count from 1");
  // Sorted by node.
  std::vector<std::pair<NodeId, int>>& holders = holders_[static_cast<std::size_t>(message)];
  const auto place = [&](NodeId node) {
    return std::lower_bound(holders.begin(), holders.end(), node,
                            [](const auto& holder, NodeId key) { return holder.first < key; });
  };
  const auto sender = place(from);
  if (sender == holders.end() || sender->first != from || sender->second >= step)
    refuse("the sender does not have it before");
  const auto receiver = place(to);
  if (receiver != holders.end() && receiver->first == to) refuse("the receiver has it already");
  holders.insert(receiver, {to, step});
  transfers_.push_back({message, from, to, step, addresses});
  steps_ = std::max(steps_, step);
}

}  // namespace flitwave
