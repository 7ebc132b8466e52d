// modules/tlm/tlm_bridge.hpp: TLM-2.0 sockets at a node, and messages of the network for them.
// initiator, target <-> [tlm_bridge] <-> processor <-> interface
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tlm>
#include <vector>

#include <systemc>

#include "modules/processor/processor_node.hpp"
#include "modules/tlm/initiator_side.hpp"
#include "modules/tlm/interconnect.hpp"
#include "modules/tlm/message_device.hpp"
#include "modules/tlm/protocol_rules.hpp"
#include "modules/tlm/target_side.hpp"

namespace flitwave {

/// A node's bridge between TLM-2.0 and the network. Each transaction is a message to the target's
/// node (message class 0) and a message back (class 1), with the overheads of the processor.
///
/// Timing: a transaction that begins at a time, its annotated delay included, is handed to the
///   network at the first clock edge after that time, even if it begins exactly at an edge: so
///   results do not depend on the order of processes. Of several at one edge, replies come first,
///   then requests, both by node and socket of their initiators, then messages of the device.
///   Between an initiator and a target at the same node no message is sent, and only this waiting
///   for an edge takes time.
/// Source: IEEE 1666-2011, sections 10 to 15.
class TlmBridge final : public sc_core::sc_module, private Sleeper {
 public:
  SC_HAS_PROCESS(TlmBridge);
  /// Needs: at every node with a bridge, the processor has as many programs before.
  TlmBridge(const sc_core::sc_module_name& name, ProcessorNode& processor,
            TlmInterconnect& interconnect);
  ~TlmBridge() override;

  NodeId node() const { return processor_.node(); }
  /// The socket for an initiator, created by the first call. Range: 0 .. 999
  /// `BusWidth`: in bits; of no effect on results.
  /// Throws: ConfigError for another number, or another width than in an earlier call.
  template <unsigned int BusWidth = 32>
  tlm::tlm_target_socket<BusWidth>& for_initiator(int number = 0);
  /// The socket for a target, created by the first call. `device`: its name in the address map.
  /// Throws: ConfigError for another width than in an earlier call.
  template <unsigned int BusWidth = 32>
  tlm::tlm_initiator_socket<BusWidth>& for_target(const std::string& device = "memory");

  /// Sockets that exist so far.
  std::size_t sockets() const { return initiators_.size() + targets_.size(); }
  /// The target of that name; for an empty name the only one; else null.
  TargetSide* target(const std::string& device) const;
  /// Needs: there is such a socket
  InitiatorSide& initiator(int number) { return *initiators_.at(number).side; }
  /// Throws: ConfigError on `setting` when the node has no socket, or not exactly one module is
  ///   bound to one.
  void check_bindings(const std::string& setting) const;

  /// The device that sends and receives messages of its own at this node; at most one.
  void set_message_device(MessageDevice& device) { message_device_ = &device; }
  /// Whether another node has such a device.
  bool accepts_messages(NodeId node) const;
  /// Calls `MessageDevice::at_edge` at the first clock edge after a time. Unit: ps
  void call_at_edge(std::int64_t after);
  /// Sends data to the device at another node. Needs: within `at_edge`; that node has a device
  void send_message(NodeId destination, std::vector<std::uint8_t> data);

  // For the sides.

  TargetSide* target_of(const tlm::tlm_generic_payload& payload) const;
  const AddressRegion* region_of(std::uint64_t address, std::uint64_t length) const {
    return interconnect_.map().find(address, length);
  }
  Transaction& open() { return interconnect_.open(node()); }
  void close(Transaction& transaction) { interconnect_.close(transaction); }
  void give_up(Transaction& transaction) { interconnect_.give_up(transaction); }
  void log_remained(const Transaction& transaction) { interconnect_.log_remained(transaction); }
  /// Logs a transaction of an initiator that no device serves.
  void log_unserved(tlm::tlm_generic_payload& payload, int socket, std::int64_t number,
                    std::int64_t at);
  /// Hands a request, or a reply, to the network at the first edge after a time. Unit: ps
  void send_request(Transaction& transaction, std::int64_t at);
  void send_reply(Transaction& transaction, std::int64_t at);
  /// Lets the sides act in the next delta cycle.
  void act_soon() { act_.notify(sc_core::SC_ZERO_TIME); }
  /// Whether the run has ended: calls have no effect.
  bool is_over() const { return interconnect_.domain().has_stopped(); }
  Duration period() const { return interconnect_.domain().period(); }
  /// The time of the first clock edge after a time. Unit: ps
  std::int64_t edge_after(std::int64_t time) const {
    const ClockDomain& domain = interconnect_.domain();
    return domain.time_of_edge(domain.first_cycle_after(time));
  }
  /// Ends the run if `rule`, the broken one, is not empty. Returns: whether it does.
  /// `is_it`: whether an open transaction with the payload is the socket's.
  bool is_broken(const BrokenRule& rule, const std::string& socket,
                 const tlm::tlm_generic_payload& payload,
                 const std::function<bool(const Transaction&)>& is_it);

 private:
  class Program;
  class MessageProgram;
  template <unsigned int BusWidth>
  class ForInitiator;
  template <unsigned int BusWidth>
  class ForTarget;

  /// A request, or a reply, that is handed over at a coming edge.
  struct Pending {
    bool is_request;
    Transaction* transaction;
  };

  struct Edge {
    std::vector<Pending> pending;
    bool calls_device = false;
  };

  /// A side and its socket.
  template <class Side, class Socket>
  struct Ends {
    std::unique_ptr<Side> side;
    std::unique_ptr<Socket> socket;
  };

  void due() override;
  void act();
  Edge& edge_to_come(std::int64_t time);
  void hand_over_due();
  void hand_over(const Pending& pending);
  void send(const Pending& pending);
  void received(std::uint64_t tag);
  void sent(std::uint64_t tag);
  [[noreturn]] void reject(const std::string& socket, const std::string& problem,
                           const std::string& remedy) const;

  ProcessorNode& processor_;
  int program_;
  TlmInterconnect& interconnect_;
  std::map<int, Ends<InitiatorSide, InitiatorSocket>> initiators_;  // by the socket's number
  std::map<std::string, Ends<TargetSide, TargetSocket>> targets_;   // by the device
  MessageDevice* message_device_ = nullptr;
  std::map<Cycle, Edge> edges_;  // that are to come
  sc_core::sc_event act_{"something_due"};
};

/// A module whose parts are created after its constructor: they get its name in front.
class HierarchyScope {
 public:
  explicit HierarchyScope(sc_core::sc_module& module) {
    sc_core::sc_get_curr_simcontext()->hierarchy_push(&module);
  }
  ~HierarchyScope() { sc_core::sc_get_curr_simcontext()->hierarchy_pop(); }
  HierarchyScope(const HierarchyScope&) = delete;
  HierarchyScope& operator=(const HierarchyScope&) = delete;
};

template <unsigned int BusWidth>
class TlmBridge::ForInitiator final : public InitiatorSocket {
 public:
  ForInitiator(const std::string& name, InitiatorSide& side) : socket(name.c_str()) {
    socket.bind(side);
  }
  tlm::tlm_bw_transport_if<>& backward() override { return *socket.operator->(); }
  int bindings() override { return socket.get_base_port().bind_count(); }

  tlm::tlm_target_socket<BusWidth> socket;
};

template <unsigned int BusWidth>
class TlmBridge::ForTarget final : public TargetSocket {
 public:
  ForTarget(const std::string& name, TargetSide& side) : socket(name.c_str()) { socket.bind(side); }
  tlm::tlm_fw_transport_if<>& forward() override { return *socket.operator->(); }
  int bindings() override { return socket.get_base_port().bind_count(); }

  tlm::tlm_initiator_socket<BusWidth> socket;
};

template <unsigned int BusWidth>
tlm::tlm_target_socket<BusWidth>& TlmBridge::for_initiator(int number) {
  const std::string name = "for_initiator_" + std::to_string(number);
  if (number < 0 || number > 999) reject(name, "there is no such socket", "use 0 .. 999");
  auto& [side, socket] = initiators_[number];
  if (!side) {
    const HierarchyScope scope(*this);
    side = std::make_unique<InitiatorSide>(*this, number);
    socket = std::make_unique<ForInitiator<BusWidth>>(name, *side);
    side->bind(*socket);
  }
  auto* const found = dynamic_cast<ForInitiator<BusWidth>*>(socket.get());
  if (!found) reject(name, "it exists with another bus width", "use the width of the first call");
  return found->socket;
}

template <unsigned int BusWidth>
tlm::tlm_initiator_socket<BusWidth>& TlmBridge::for_target(const std::string& device) {
  const std::string name = "for_" + device;
  auto& [side, socket] = targets_[device];
  if (!side) {
    const HierarchyScope scope(*this);
    side = std::make_unique<TargetSide>(*this, device);
    socket = std::make_unique<ForTarget<BusWidth>>(name, *side);
    side->bind(*socket);
  }
  auto* const found = dynamic_cast<ForTarget<BusWidth>*>(socket.get());
  if (!found) reject(name, "it exists with another bus width", "use the width of the first call");
  return found->socket;
}

}  // namespace flitwave
