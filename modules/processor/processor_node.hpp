// modules/processor/processor_node.hpp: the processor of a node: overheads, ports and programs.
// [processor] -> packet_format -> interface -> channel
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <systemc>

#include "configs/schema.hpp"
#include "modules/clock/clock_domain.hpp"
#include "modules/interface/message_port.hpp"
#include "modules/interface/network_interface.hpp"

namespace flitwave {

/// The relation of the overheads of several messages at one node.
enum class Overhead {
  /// One overhead at a time, of sends and receives, even when the node has many ports. A send holds
  /// a port from the start of its overhead to its last flit.
  /// Source: Tsai 1997, section 3.3.5.
  serialized,
  /// A send overhead is only a latency before the first flit; several may overlap.
  /// Source: one reading of Wang et al. 2001, section 2.1.
  overlapped,
  /// The head is sent first; when it has arrived, the path is held for the send overhead, then the
  /// rest follows. The source is notified of the arrival one cycle later, without a message.
  /// Source: another reading of the same.
  path_held,
};
std::vector<std::string> names_of(Overhead);

/// The number of injection channels of a node, which is also that of its ejection channels.
struct PortCount {
  bool all = false;  ///< One per network channel of the node.
  int count = 1;     ///< When not all.

  int of(int network_channels) const { return all ? network_channels : count; }
};
template <>
struct Codec<PortCount> {
  static PortCount read(const ConfigNode& node);
  static std::string print(PortCount value);
  static ValueType type();
};

/// Settings of the section `node`.
struct NodeParams {
  PortCount ports;
  Delay send_overhead = Delay::of(Cycles{0});
  Delay receive_overhead = Delay::of(Cycles{0});
  Delay combine_overhead = Delay::of(Cycles{0});  ///< Per byte.
  Overhead overhead = Overhead::serialized;
  Ejection ejection = Ejection::drains;
  EjectionSharing ejection_sharing = EjectionSharing::flits;
  QueueOrder queue = QueueOrder::fifo;
  InjectionVc injection_vc = InjectionVc::free;
  Cycles credit_delay{0};
  Delay start_skew = Delay::of(Cycles{0});
};
Schema<NodeParams> node_schema();

/// The overheads in cycles of the clock: rounded once per send, per receive and per combination.
struct NodeTiming {
  Cycle send = 0;
  Cycle receive = 0;
  Delay combine = Delay::of(Cycles{0});  ///< Per byte.
  Duration period{1000};

  /// The time to combine `bytes` with the data of the node.
  Cycle combining(Bytes bytes) const { return (combine * bytes).rounded(period); }
  Overhead overhead = Overhead::serialized;
  Ejection ejection = Ejection::drains;
  InjectionVc injection_vc = InjectionVc::free;
  Cycle credit_delay = 0;  ///< From a credit's arrival at the interface to its use.
  EjectionSharing ejection_sharing = EjectionSharing::flits;
  QueueOrder queue = QueueOrder::fifo;
};

/// When the overhead of a send or receive begins, and what it waited for last.
struct OverheadStart {
  enum class After {
    ready,    ///< The message itself: it was handed to the node, or has arrived.
    send,     ///< The send overhead of another message.
    receive,  ///< The receive overhead of another message.
    port,     ///< The last flit of another message, which held the port.
  };
  Cycle at = 0;
  Cycle ready = 0;  ///< When the message itself was handed to the node, or had arrived.
  After after = After::ready;
  int program = -1;       ///< Of the other message.
  std::uint64_t tag = 0;  ///< Of the other message.
};

class ProcessorNode;

/// The program of a node: plain C++, called and owned by the node.
class NodeProgram {
 public:
  virtual ~NodeProgram() = default;

  virtual void start(ProcessorNode& node) = 0;
  /// A message for this program was received; its receive overhead ended at cycle `done`. Without
  /// overhead, the call may be one cycle later.
  virtual void received(ProcessorNode& node, const ArrivedMessage& message, Cycle done) = 0;
  /// The cycle that was requested by `ProcessorNode::wake`.
  virtual void woken(ProcessorNode&) {}
  /// The amount of data of a message that is combined with the data of the program; the time of the
  /// combination is added to the receive overhead.
  virtual Bytes combines(std::uint64_t) const { return {}; }
  /// The overhead of a message of this program begins.
  virtual void send_begins(std::uint64_t, const OverheadStart&) {}
  virtual void receive_begins(std::uint64_t, const OverheadStart&) {}
  /// The last flit of a message of this program has left its injection channel, which is free from
  /// `cycle` on.
  virtual void sent(std::uint64_t, Cycle) {}
};

/// A processor: runs programs, and charges overheads for their sends and receives. It is a state
/// machine that is driven by the wheel of the domain.
///
/// Timing: the processor handles a message in the cycle after the interface has completed it;
///   overheads count from the cycle of completion.
class ProcessorNode final : public sc_core::sc_module, public MessageListener, private Sleeper {
 public:
  ProcessorNode(const sc_core::sc_module_name& name, NodeId node, ClockDomain& domain,
                MessagePort& network, const NodeTiming& timing);

  NodeId node() const { return node_; }
  ClockDomain& domain() const { return domain_; }
  /// Programs are numbered in the order of adding.
  void add(std::unique_ptr<NodeProgram> program);
  int programs() const { return static_cast<int>(programs_.size()); }
  /// Starts the programs at cycle 1.
  void start();

  /// For programs: sends with overhead. `ready`: the cycle from which the overhead counts.
  void send(OutgoingMessage message, Cycle ready);
  /// For programs: calls `woken` at a later cycle.
  void wake(int program, Cycle cycle);
  /// Calls `woken` now, for a sleeper that is woken last in this cycle.
  void resume(int program);
  /// For programs: hands a message to the interface at once, without overhead.
  void inject(OutgoingMessage&& message) { network_.send(std::move(message)); }

  /// Whether no overhead runs and no message waits.
  bool at_rest() const { return events_.empty() && sends_.empty() && arrivals_.empty(); }

 private:
  struct Event {
    enum class Kind { hand_over, received, wake } kind;
    OutgoingMessage message;  // hand_over
    ArrivedMessage arrival;   // received; wake: of its program only
    Cycle done = 0;           // received: the cycle in which its overhead ends
  };
  struct PendingSend {
    OutgoingMessage message;
    Cycle ready;
  };
  /// The cycle from which software or a port is free again, and the message that holds it until
  /// then.
  using Free = OverheadStart;

  void due() override;
  void arrived(const ArrivedMessage& message) override;
  void injected(const OutgoingMessage& message, Cycle at) override;

  void work();
  bool serve_arrival();
  bool serve_send();
  std::deque<PendingSend>::iterator next_send();
  void schedule(Cycle cycle, Event event);
  void run(Event& event);

  NodeId node_;
  ClockDomain& domain_;
  MessagePort& network_;
  NodeTiming timing_;
  std::vector<std::unique_ptr<NodeProgram>> programs_;
  bool started_ = false;
  std::deque<ArrivedMessage> arrivals_;
  std::deque<PendingSend> sends_;
  std::multimap<Cycle, Event> events_;
  std::vector<Free> free_ports_;  // ports that no message holds
  Free software_;                 // serialized
};

}  // namespace flitwave
