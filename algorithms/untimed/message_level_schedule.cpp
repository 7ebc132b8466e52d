// algorithms/untimed/message_level_schedule.cpp: see message_level_schedule.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/untimed/message_level_schedule.hpp"

#include <utility>

namespace flitwave {

std::vector<LevelMessage> level_messages(const Schedule& schedule, const Topology& topology,
                                         const RoutingFunction& routing,
                                         const std::function<Cycle(const Transfer&)>& length) {
  std::vector<LevelMessage> messages;
  for (std::size_t i = 0; i < schedule.transfers().size(); ++i) {
    const Transfer& transfer = schedule.transfers()[i];
    LevelMessage message{transfer.from,
                         transfer.to,
                         {},
                         length(transfer),
                         transfer.after,
                         schedule.release_of(transfer),
                         {transfer.addresses, transfer.phase},
                         schedule.has_barriers() ? schedule.stage_of(transfer) : 0};
    for (const Crossing& on : untimed_crossings(schedule, static_cast<int>(i), topology, routing))
      message.route.push_back(on.channel.value() * routing.vc_classes() + on.vc_class);
    messages.push_back(std::move(message));
  }
  return messages;
}

std::vector<int> level_capacities(const Topology& topology, const RoutingFunction& routing,
                                  int vcs) {
  std::vector<int> capacities;
  for (int channel = 0; channel < topology.channels(); ++channel)
    for (int vc_class = 0; vc_class < routing.vc_classes(); ++vc_class)
      capacities.push_back(routing.class_vcs(vc_class, vcs).count);
  return capacities;
}

}  // namespace flitwave
