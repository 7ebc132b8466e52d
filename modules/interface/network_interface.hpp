// modules/interface/network_interface.hpp: packets in and out of the local ports of a router.
// processor -> [interface] -> channel -> router -> channel -> [interface] -> processor
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <systemc>

#include "algorithms/routing.hpp"
#include "modules/channel/circuit.hpp"
#include "modules/channel/input_port.hpp"
#include "modules/channel/output_port.hpp"
#include "modules/interface/message_port.hpp"
#include "modules/packet/packet_pool.hpp"
#include "topologies/fault_set.hpp"

namespace flitwave {

class RelayedMessages;

/// What becomes of an ejection channel after a message has come by it.
enum class Ejection {
  drains,  ///< It takes the next flits at once; receive overhead delays only the software.
  held,    ///< It takes no more until the software has done with the message.
  /// No packet is taken while the node sends one, and none is sent while it takes one.
  half_duplex,
};
std::vector<std::string> names_of(Ejection);

/// Which virtual channel of an injection channel a packet takes; of several, the next in turn.
enum class InjectionVc {
  free,       ///< One that no packet holds.
  with_room,  ///< Such a one that a flit can be sent on now.
};
std::vector<std::string> names_of(InjectionVc);

/// How packets on several virtual channels share an ejection channel.
enum class EjectionSharing {
  flits,    ///< Flit by flit, in turn.
  packets,  ///< One packet of a message class has it at a time; others wait where they are.
};
std::vector<std::string> names_of(EjectionSharing);

/// What the netlist tells an interface about its place.
struct InterfaceSite {
  ClockDomain& domain;
  NodeId node;
  std::vector<Channel*> injection;  ///< To the router. Shape: [ports]
  std::vector<Channel*> ejection;   ///< From the router. Shape: [ports]
  const Topology& topology;         ///< Outlives the interface; asked for names of nodes.
  const RoutingFunction& routing;   ///< Outlives the interface; asked for oblivious choices.
  PacketPool& packets;              ///< Outlives the interface.
  Ejection rule = Ejection::drains;
  std::uint64_t seed = 0;
  CircuitRetry retry;  ///< Under the handshake acknowledge.
  /// Requests that it holds until their replies have left; a further one is not taken. 0: any.
  int reply_queue = 0;
  InjectionVc injection_vc = InjectionVc::free;
  QueueOrder queue = QueueOrder::fifo;
  RelayedMessages* relayed = nullptr;  ///< Under the handshake request.
  /// The cycle from which the node is faulty; used under the handshake request.
  Cycle breaks = FaultSet::never;
};

/// A buffer at the interface whose front flit is a request that it does not take, and the
/// injection channels by which a reply would have to leave. For the watchdog.
struct RefusedRequest {
  int port = 0;  ///< Ejection channel.
  int vc = 0;
  Flit front;
  int free = 0;                  ///< Slots of the buffer. Unit: flit
  bool reply_can_leave = false;  ///< Some reply is not held up by the network.
  /// Room that the flits to be sent wait for, in the router's buffer at a local port.
  struct HoldUp {
    int port = 0;
    int vc = 0;
    int room = 1;  ///< Unit: flit
  };
  std::vector<HoldUp> held_up_by;  ///< Else: any one of these would do.
};

/// Turns messages into flits, one flit per injection channel and cycle as credits allow, and
/// flits into messages.
///
/// A message takes one free injection channel for all its packets; messages wait in one queue, from
/// which they are taken by the order of the site. A packet takes a free virtual channel, in turn.
/// Where the routing tells message classes apart, each has a queue, a share of the virtual channels
/// and its turn at the wires of its own. Under the handshake acknowledge a packet's head is a
/// probe; the rest waits for the answer. There an injection channel has a sender for each of its
/// time slots, and a packet takes the first slot that is free when its probe may go. Under request
/// a packet waits for the router's acknowledgement, and then leads with the fields that name its
/// destinations; what comes is acknowledged, one packet at a time.
///
/// Throws: ModelError when flits of a packet arrive out of order or at a wrong node; Livelock.
class NetworkInterface final : public Clocked, public MessagePort {
 public:
  NetworkInterface(const sc_core::sc_module_name& name, const InterfaceSite& site);

  void send(OutgoingMessage&& message) override;
  void release(int port) override;
  void listen(MessageListener& listener) override { listener_ = &listener; }
  int ports() const override { return static_cast<int>(injections_.size()); }

  NodeId node() const { return site_.node; }
  /// Messages that wait for an injection channel.
  std::size_t queued() const;
  /// Flits of the messages that waited for an injection channel when this cycle began: the same
  /// before and after the interface's own tick. Unit: flit
  std::int64_t flits_queued() const;
  std::int64_t flits_injected() const { return flits_injected_; }
  std::int64_t flits_ejected() const { return flits_ejected_; }
  const CircuitCounts& circuits() const { return circuits_; }
  /// Forgets the messages that wait for an injection channel, and takes all that comes. For the end
  /// of a run under load.
  void drop_queue();
  /// Appends the requests that are not taken.
  void report_refused(std::vector<RefusedRequest>& refused) const;
  /// Flits buffered at ejection channels.
  int flits_inside() const;
  /// Whether no message waits, no packet is half sent or half taken, and all credits are back.
  bool at_rest() const;

 private:
  struct Waiting {
    Waiting() = default;
    Waiting(OutgoingMessage&& what, Cycle when) : message(std::move(what)), handed_over(when) {}

    OutgoingMessage message;
    Cycle handed_over = 0;
  };
  /// A message that an injection channel sends, one of each class or, of circuits, slot; and the
  /// packet that is on its way.
  struct Sender final : Sleeper {
    void due() override;
    bool held_back(const NetworkInterface& owner, Cycle now) const;
    std::int64_t next_length() const { return current.message.packets[next_packet]; }

    NetworkInterface* interface = nullptr;
    OutputUnit* port = nullptr;
    int message_class = 0;
    bool busy = false;  // with a message
    Waiting current;
    Cycle taken = -1;  // when it took the message
    int record = -1;   // PacketPool message
    std::size_t next_packet = 0;
    bool in_packet = false;
    int slot = 0;
    std::int64_t length = 0;
    std::int64_t sent = 0;
    int vc = 0;
    int next_vc = 0;
    bool path_is_set = false;  // the head of a held path has arrived; the circuit is granted
    Cycle open_at = 0;         // when the rest of a held path, or the next probe, may follow
    std::int64_t refused = 0;  // how often the packet's circuit was
    Cycle first_probe = 0;
    bool acknowledged = false;  // the router has room for the packet
  };
  struct Injection {
    std::unique_ptr<OutputPort> module;
    OutputUnit* port = nullptr;
    std::vector<std::unique_ptr<Sender>> senders;  // Shape: [message classes], or [slots]
    std::size_t next = 0;                          // whose turn it is
  };
  struct Receiver {
    std::unique_ptr<InputPort> module;
    InputUnit* port = nullptr;
    std::uint64_t occupied = 0;  // bit per virtual channel with flits
    int last_vc = 0;
    Cycle held_until = 0;       // first cycle in which it takes flits again
    bool acknowledged = false;  // a packet is coming that was requested
    Cycle answers_at = -1;      // when the request it has seen is acknowledged; -1: it saw none
  };

  // A tick is compiled into one function, as a router's.
  [[gnu::flatten]] bool run_tick() override;
  void tick() override;
  void poll();
  void collect();
  void collect_credits();
  [[gnu::noinline]] void collect_late_credits();
  [[gnu::noinline]] void take_answer(const Injection& injection);
  bool takes_slot(Sender& sender);
  void end_run(const Sender& sender);
  [[gnu::noinline]] void acknowledge();
  [[gnu::noinline]] Cycle answers_after(const Receiver& receiver) const;
  void eject();
  void take(int port, Flit flit);
  [[gnu::noinline]] void take_unexpected(int port, Flit flit, const Packet& packet);
  [[gnu::noinline]] void finish_packet(int port, Flit flit, Packet& packet);
  [[gnu::noinline]] std::uint64_t takeable(const Receiver& receiver) const;
  bool is_selective() const { return site_.reply_queue > 0 || site_.rule == Ejection::half_duplex; }
  bool is_sending() const;
  void add_hold_ups(RefusedRequest& request) const;
  bool inject(Injection& injection);
  bool inject(Sender& sender);
  [[gnu::noinline]] bool start_message(Sender& sender);
  [[gnu::noinline]] void bring_forward(std::deque<Waiting>& queue) const;
  std::uint64_t open_vcs(const Sender& sender) const;
  int add_record(const OutgoingMessage& message);
  [[gnu::noinline]] bool start_packet(Sender& sender);
  bool take_vc(Sender& sender);
  [[gnu::noinline]] void add_copies(const Sender& sender, Packet packet);
  Packet next_packet(const Sender& sender);
  [[gnu::noinline]] void add_relayed(Sender& sender, Packet packet);
  void take_early_end(int port, Flit flit, const Packet& packet);
  void await_break();
  [[gnu::noinline]] void stay_broken();
  void lose_packet(Sender& sender);
  [[gnu::noinline]] void add_destinations(const Sender& sender, Packet packet);
  [[gnu::noinline]] void enter_copies(Flit head);
  [[gnu::noinline]] void end_packet(Sender& sender);
  void drive();
  void end_pulses() override;

  InterfaceSite site_;
  bool credits_;
  bool circuits_wanted_;    // the handshake is acknowledge
  bool requests_wanted_;    // the handshake is request
  bool credits_come_late_;  // a credit is counted some cycles after it has come
  Cycle now_ = 0;
  bool again_ = false;
  Random choices_;
  MessageListener* listener_ = nullptr;
  std::vector<std::uint64_t> class_masks_;   // per message class: its virtual channels
  std::vector<std::deque<Waiting>> queues_;  // Shape: [message classes]
  std::vector<Injection> injections_;        // Shape: [ports]
  std::vector<Receiver> receivers_;          // Shape: [ports]
  Cycle last_taken_ = -1;                    // when a flit was taken last
  int requests_held_ = 0;                    // taken, and their replies have not left
  Inbox flits_in_;                           // ejection channels
  Inbox backs_in_;                           // injection channels
  Inbox requests_in_;                        // ejection channels
  std::uint64_t arrivals_ = 0;               // ejection channels with a valid flit
  std::uint64_t returns_ = 0;                // injection channels with something on `back`
  std::uint64_t requested_ = 0;              // ejection channels with a request that waits
  std::uint64_t occupied_ = 0;               // ejection channels with buffered flits
  std::uint64_t busy_outputs_ = 0;           // injection channels whose drive() must be called
  std::uint64_t late_ = 0;                   // injection channels with credits not yet counted
  std::int64_t flits_injected_ = 0;
  std::int64_t flits_ejected_ = 0;
  std::int64_t packets_half_taken_ = 0;
  CircuitCounts circuits_;
  Random backoffs_;
};

}  // namespace flitwave
