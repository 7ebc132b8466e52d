// modules/transaction/transaction_interface.hpp: messages of a node become worms.
// processor -> [transaction_interface] -> transaction_network -> processor
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "modules/interface/interface_site.hpp"
#include "modules/interface/message_queues.hpp"
#include "modules/interface/packet_source.hpp"

namespace flitwave {

class TransactionNetwork;

/// The node's end of a network without flits. Each injection channel sends one packet of each
/// message class at a time, as in NetworkInterface; its packets are the same, with the same random
/// choices.
class TransactionInterface final : public MessagePort {
 public:
  /// Both outlive it. `ports`: injection channels.
  TransactionInterface(const InterfaceSite& site, int ports, TransactionNetwork& network);

  void send(OutgoingMessage&& message) override;
  void release(int) override {}  // ejection channels take flits at once
  void listen(MessageListener& listener) override { listener_ = &listener; }
  int ports() const override { return static_cast<int>(senders_.size()) / classes(); }

  /// Begins the packets that can be sent in this cycle.
  void serve(Cycle now);
  /// The last flit of the sender's packet departs in this cycle. `sender`: as of
  /// TransactionNetwork::begin.
  void departs(int sender, Cycle now);
  /// A message has arrived.
  void receive(const ArrivedMessage& message) {
    if (listener_) listener_->arrived(message);
  }

  std::int64_t flits_queued(Cycle now) const;
  void drop_queue() { queues_.clear(); }
  bool at_rest() const;

 private:
  /// What an injection channel sends of a message class.
  struct Sender {
    bool busy = false;  // with a message
    bool in_packet = false;
    Cycle free = 0;  // the next packet's head departs from here on
    WaitingMessage current;
    Cycle taken = -1;  // when it took the message
    int record = -1;   // PacketPool message
    std::size_t next_packet = 0;
  };

  int classes() const { return site_.routing.message_classes(); }
  bool start_message(Sender& sender, int message_class, Cycle now);
  void start_packet(int number, Cycle now);

  InterfaceSite site_;
  TransactionNetwork& network_;
  MessageQueues queues_;
  PacketSource source_;
  std::vector<Sender> senders_;  // Shape: [ports][message classes]
  MessageListener* listener_ = nullptr;
};

}  // namespace flitwave
