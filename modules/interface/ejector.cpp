// modules/interface/ejector.cpp: see ejector.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/interface/ejector.hpp"

#include <utility>

namespace flitwave {

Ejector::Ejector(Clocked& interface, const InterfaceSite& site,
                 const std::vector<InputPort*>& ports)
    : site_(site), receivers_(ports.size()), sink_(site, interface, receivers_) {
  for (std::size_t i = 0; i < ports.size(); ++i) receivers_[i].port = ports[i];
}

/// The virtual channels whose front flit may be taken. Not taken are the head of a request while
/// the node holds as many requests as it may, and any head while a half-duplex node sends.
std::uint64_t Ejector::takeable(const Receiver& receiver, bool sends) const {
  std::uint64_t vcs = receiver.occupied;
  const bool is_full = site_.reply_queue > 0 && sink_.requests_held() >= site_.reply_queue;
  if (!is_full && !sends) return vcs;
  for_each_bit(receiver.occupied, [&](int vc) {
    const Flit front = receiver.port->front(vc).flit;
    if (front.head() && (sends || sink_.is_request(front))) vcs &= ~word_bit(vc);
  });
  return vcs;
}

std::vector<RefusedRequest> Ejector::refused(bool sends) const {
  std::vector<RefusedRequest> refused;
  if (!is_selective()) return refused;
  for (std::size_t port = 0; port < receivers_.size(); ++port) {
    const Receiver& receiver = receivers_[port];
    for_each_bit(receiver.occupied & ~takeable(receiver, sends), [&](int vc) {
      RefusedRequest request;
      request.port = static_cast<int>(port);
      request.vc = vc;
      request.front = receiver.port->front(vc).flit;
      request.free = receiver.port->depth() - receiver.port->count(vc);
      refused.push_back(std::move(request));
    });
  }
  return refused;
}

}  // namespace flitwave
