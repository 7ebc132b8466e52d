// modules/interface/network_interface.hpp: packets in and out of the local ports of a router.
// processor -> [interface] -> channel -> router -> channel -> [interface] -> processor
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "modules/channel/ports.hpp"
#include "modules/interface/exchange.hpp"
#include "modules/interface/interface_site.hpp"
#include "modules/interface/message_queues.hpp"
#include "modules/interface/packet_sink.hpp"
#include "modules/interface/packet_source.hpp"

namespace flitwave {

/// A base, so that what the ports and the interface read in each tick is next to each other.
class InterfacePlace {
 protected:
  explicit InterfacePlace(const InterfaceSite& site) : site_(site) {}

  InterfaceSite site_;
};

/// Turns messages into flits, one flit per injection channel and cycle as the handshake allows, and
/// flits into messages.
///
/// A message takes one free injection channel for all its packets; messages wait in one queue, from
/// which they are taken by the order of the site. A packet takes a free virtual channel, in turn.
/// Where the routing has message classes, each has a queue, a share of the virtual channels
/// and its turn at the wires of its own. What a handshake exchanges beside flits is an Exchange.
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
  int ports() const override { return static_cast<int>(injections_.size()); }

  NodeId node() const { return site_.node; }
  /// Messages that wait for an injection channel.
  std::size_t queued() const { return queues_.size(); }
  /// Flits of the messages that waited for an injection channel when this cycle began: the same
  /// before and after the interface's own tick. Unit: flit
  std::int64_t flits_queued() const;
  std::int64_t flits_injected() const { return flits_injected_; }
  std::int64_t flits_ejected() const { return sink_.flits_taken(); }
  CircuitCounts circuits() const { return exchange_ ? exchange_->circuits() : CircuitCounts{}; }
  /// Forgets the messages that wait for an injection channel, and takes all that arrives. For the
  /// end of a run under load.
  void drop_queue();
  /// Appends the requests that are not taken.
  void report_refused(std::vector<RefusedRequest>& refused) const;
  /// Flits buffered at ejection channels.
  int flits_inside() const { return flits_in_ports(); }
  /// Whether no message waits, no packet is half sent or half taken, and all credits are back.
  bool at_rest() const;

 private:
  // It knows exactly when a flit can move, and is ticked in no other cycle. A tick is compiled into
  // one function, but for what is rare.
  [[gnu::flatten]] bool run_tick() override;
  void tick() override;
  void end_pulses() override { end_port_pulses(); }
  void eject();
  [[gnu::noinline]] std::uint64_t takeable(const Receiver& receiver) const;
  bool is_selective() const { return site_.reply_queue > 0 || site_.rule == Ejection::half_duplex; }
  bool is_sending() const;
  bool inject(Injection& injection);
  bool inject(Sender& sender);
  bool is_alternating(const Sender& sender);
  [[gnu::noinline]] void enter(Sender& sender, Flit head);
  [[gnu::noinline]] bool start_message(Sender& sender);
  [[gnu::noinline]] bool start_packet(Sender& sender);
  std::uint64_t open_vcs(const Sender& sender) const;
  bool take_vc(Sender& sender);
  [[gnu::noinline]] void end_packet(Sender& sender);
  [[gnu::noinline]] void exchange();
  void stay_faulty();
  void add_hold_ups(RefusedRequest& request) const;

  Cycle now_ = 0;
  bool again_ = false;
  std::uint64_t occupied_ = 0;          // ejection channels with buffered flits
  std::vector<Injection> injections_;   // Shape: [ports]
  std::vector<Receiver> receivers_;     // Shape: [ports]
  std::unique_ptr<Exchange> exchange_;  // null if the handshake has none
  Cycle last_taken_ = -1;               // when a flit was taken last
  std::int64_t flits_injected_ = 0;
  MessageQueues queues_;
  std::vector<std::uint64_t> class_masks_;  // per message class: its virtual channels
  PacketSource source_;
  PacketSink sink_;
  MessageListener* listener_ = nullptr;
};

}  // namespace flitwave
