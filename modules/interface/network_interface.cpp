// modules/interface/network_interface.cpp: see network_interface.hpp.
// SPDX-License-Identifier: Apache-2.0
// [compiled alone]
#include "modules/interface/network_interface.hpp"

#include <string>

#include "modules/signals/bits.hpp"

namespace flitwave {

NetworkInterface::NetworkInterface(const sc_core::sc_module_name& name, const InterfaceSite& site)
    : Clocked(name, site.domain),
      InterfacePlace(site),
      Ports(site.domain, module_index(),
            {site.ejection, [](int port) { return "ejection_" + std::to_string(port); }},
            {site.injection, [](int port) { return "injection_" + std::to_string(port); }}, 0,
            VcReallocation::non_atomic),
      ejector_(*this, site_, row(&in_port(0), site.ejection.size())),
      injector_(*this, site_, ejector_, row(&out_port(0), site.injection.size())) {
  prefetch_hint(hot());
  exchange_ = make_exchange(handshake(), {*this, site_, injector_.source(), injector_.injections(),
                                          ejector_.receivers()});
  injector_.set_exchange(exchange_.get());
  ejector_.set_exchange(exchange_.get());
}

template <class Port>
std::vector<Port*> NetworkInterface::row(Port* first, std::size_t count) {
  std::vector<Port*> ports;
  for (std::size_t i = 0; i < count; ++i) ports.push_back(first + i);
  return ports;
}

void NetworkInterface::listen(MessageListener& listener) {
  injector_.listen(listener);
  ejector_.sink().listen(listener);
}

void NetworkInterface::drop_queue() {
  injector_.queues().clear();
  site_.reply_queue = 0;
  domain().wake(*this);
}

void NetworkInterface::send(OutgoingMessage&& message) {
  injector_.queues().add(std::move(message), now());
  domain().wake(*this);
}

void NetworkInterface::release(int port) {
  ejector_.release(port, now());
  domain().wake(*this);
}

bool NetworkInterface::run_tick() {
  now_ = now();
  again_ = begin_tick(now_);
  tick();
  const bool driving = end_tick(now_);
  return again_ || driving;
}

void NetworkInterface::tick() {
  if (exchange_) exchange();
  if (arrivals_ != 0 || ejector_.has_flits()) again_ |= ejector_.eject(arrivals_, sends(), now_);
  const std::uint64_t sent = injector_.inject(now_);
  if (!out_port(0).sends_at_once()) busy_outputs_ |= sent;
  again_ |= injector_.take_again();
}

void NetworkInterface::exchange() {
  for_each_bit(returns_, [this](int port) {
    exchange_->on_return(injector_.injections()[index(port)], now_);
  });
  if (exchange_->is_faulty(now_)) stay_faulty();
  exchange_->on_requests(requested_, now_);
}

/// Takes the flits that the router had sent before the node became faulty, and nothing more. All
/// that is to be sent is lost.
void NetworkInterface::stay_faulty() {
  again_ |= ejector_.eject(arrivals_, sends(), now_);
  arrivals_ = requested_ = 0;
  ejector_.sink().forget();
  exchange_->forget();
  injector_.lose_all(now_);
}

void NetworkInterface::report_refused(std::vector<RefusedRequest>& refused) const {
  for (RefusedRequest& request : ejector_.refused(sends())) {
    injector_.add_hold_ups(request, now_);
    refused.push_back(std::move(request));
  }
}

bool NetworkInterface::at_rest() const {
  return injector_.at_rest() && ejector_.at_rest() && (!exchange_ || exchange_->at_rest()) &&
         ports_at_rest();
}

}  // namespace flitwave
