// modules/interface/sender.hpp: the message that an injection channel sends, and its senders.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "modules/channel/output_port.hpp"
#include "modules/clock/clocked.hpp"
#include "modules/interface/message_queues.hpp"

namespace flitwave {

/// A message that is being sent, packet by packet: the one that an injection channel sends for a
/// message class or, where there are circuits, in a time slot.
struct Sender final : Sleeper {
  Sender(Clocked& its_interface, OutputPort& its_port, int its_class)
      : interface(its_interface), port(its_port), message_class(its_class) {}

  /// The head of a packet whose path is held has arrived, or its waiting time has ended.
  void due() override;
  /// Whether a packet's path is held and the rest must not follow yet.
  bool path_is_held(Cycle now) const {
    return sent > 0 && current.message.hold >= 0 && (!path_is_set || now < open_at);
  }
  std::int64_t next_length() const { return current.message.packets[next_packet]; }

  Clocked& interface;
  OutputPort& port;
  int message_class;
  bool busy = false;  // with a message
  WaitingMessage current;
  Cycle taken = -1;  // when it took the message
  int record = -1;   // PacketPool message
  std::size_t next_packet = 0;
  bool in_packet = false;
  int slot = 0;
  bool is_group = false;        // of packets, see RequestProtocol
  std::vector<FlitWord> words;  // of the packet's first flits
  std::int64_t length = 0;
  std::int64_t sent = 0;
  int vc = 0;
  int next_vc = 0;
  bool path_is_set = false;  // the head of a held path has arrived; the circuit is granted
  Cycle open_at = 0;         // when the rest of a held path, or the next probe, may follow
  std::int64_t refused = 0;  // how often the packet's circuit was rejected
  Cycle first_probe = 0;
  bool acknowledged = false;  // the router has space for the packet
};

/// The senders of an injection channel; one at a time puts a flit on the wires.
struct Injection {
  OutputPort* port = nullptr;
  std::vector<std::unique_ptr<Sender>> senders;  // Shape: [message classes], or [slots]
  std::size_t next = 0;                          // the sender that has the next turn
};

}  // namespace flitwave
