// modules/interface/network_interface_waits.cpp: what an interface does not take, and why, for the
// watchdog.
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "modules/interface/network_interface.hpp"
#include "modules/signals/bits.hpp"

namespace flitwave {

void NetworkInterface::report_refused(std::vector<RefusedRequest>& refused) const {
  if (!is_selective()) return;
  for (int port = 0; port < ports(); ++port) {
    const Receiver& receiver = receivers_[index(port)];
    for_each_bit(receiver.occupied & ~takeable(receiver), [&](int vc) {
      RefusedRequest request;
      request.port = port;
      request.vc = vc;
      request.front = receiver.port->front(vc).flit;
      request.free = receiver.port->depth() - receiver.port->count(vc);
      add_hold_ups(request);
      refused.push_back(std::move(request));
    });
  }
}

/// What keeps replies here: flits, theirs or those before them, without room in the router.
void NetworkInterface::add_hold_ups(RefusedRequest& request) const {
  const std::size_t reply_class = class_masks_.size() - 1;
  for (int port = 0; port < ports(); ++port) {
    const Sender& sender = *injections_[index(port)].senders[reply_class];
    if (sender.in_packet && !sender.port.can_send(sender.vc))
      request.held_up_by.push_back({port, sender.vc, 1});
    else if (sender.in_packet || !sender.busy || open_vcs(sender) != 0)
      request.reply_can_leave = true;
    else
      for_each_bit(class_masks_[reply_class], [&](int vc) {
        request.held_up_by.push_back({port, vc, static_cast<int>(sender.next_length())});
      });
  }
}

}  // namespace flitwave
