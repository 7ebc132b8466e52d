// modules/interface/network_interface.hpp: moves packets through the local ports of a router.
// processor -> [interface] -> channel -> router -> channel -> [interface] -> processor
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "modules/channel/ports.hpp"
#include "modules/interface/ejector.hpp"
#include "modules/interface/exchange.hpp"
#include "modules/interface/injector.hpp"
#include "modules/interface/interface_site.hpp"
#include "modules/signals/compiler.hpp"

namespace flitwave {

/// A base, so that the data that the ports and the interface read in each tick are adjacent.
class InterfacePlace {
 protected:
  explicit InterfacePlace(const InterfaceSite& site) : site_(site) {}

  InterfaceSite site_;
};

/// The node's end of the network. An Injector turns messages into flits; an Ejector takes flits,
/// which become messages again; both have the ports of one module. An Exchange handles what a
/// handshake exchanges beside flits.
///
/// Throws: ModelError when flits of a packet arrive out of order or at a wrong node; Livelock.
class NetworkInterface final : public Clocked,
                               public MessagePort,
                               private InterfacePlace,
                               private Ports {
 public:
  NetworkInterface(const sc_core::sc_module_name& name, const InterfaceSite& site);

  void send(OutgoingMessage&& message) override;
  void release(int port) override;
  void listen(MessageListener& listener) override;
  int ports() const override { return static_cast<int>(site_.injection.size()); }

  NodeId node() const { return site_.node; }
  /// Messages that wait for an injection channel.
  std::size_t queued() const { return injector_.queues().size(); }
  /// Flits of the messages that waited for an injection channel when this cycle began: the same
  /// before and after the interface's own tick. Unit: flit
  std::int64_t flits_queued() const { return injector_.flits_queued(now()); }
  std::int64_t flits_injected() const { return injector_.flits_injected(); }
  std::int64_t flits_ejected() const { return ejector_.sink().flits_taken(); }
  CircuitCounts circuits() const { return exchange_ ? exchange_->circuits() : CircuitCounts{}; }
  /// Discards the messages that wait for an injection channel, and takes all that arrives. For the
  /// end of a run under load.
  void drop_queue();
  /// Appends the requests that are not taken. For the watchdog.
  void report_refused(std::vector<RefusedRequest>& refused) const;
  /// The port of an injection channel. Range: 0 .. ports() - 1
  const OutputPort& injection(int port) const { return out_port(port); }
  /// Flits buffered at ejection channels.
  int flits_inside() const { return flits_in_ports(); }
  /// Whether no message waits, no packet is partly sent or taken, and all credits have returned.
  bool at_rest() const;

 private:
  // The interface is ticked only in cycles in which a flit can move. A tick is compiled into one
  // function, which contains the code in the headers of its parts, but not that in their sources.
  FLITWAVE_HOT bool run_tick() override;
  void tick() override;
  void end_pulses() override { end_port_pulses(); }
  void exchange();
  void stay_faulty();
  /// Of a half-duplex node: whether it is sending a packet.
  bool sends() const { return site_.rule == Ejection::half_duplex && injector_.is_sending(); }

  template <class Port>
  static std::vector<Port*> row(Port* first, std::size_t count);

  Cycle now_ = 0;
  bool again_ = false;
  std::unique_ptr<Exchange> exchange_;  // null if the handshake has none
  Ejector ejector_;
  Injector injector_;
};

}  // namespace flitwave
