// modules/tlm/tlm_bridge.cpp: see tlm_bridge.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/tlm/tlm_bridge.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "configs/error.hpp"
#include "modules/tlm/transport.hpp"

namespace flitwave {

/// The bridge as the processor sees it.
class TlmBridge::Program final : public NodeProgram {
 public:
  explicit Program(TlmBridge& bridge) : bridge_(bridge) {}

  void start(ProcessorNode&) override {}  // initiators begin when they want
  void received(ProcessorNode&, const ArrivedMessage& message, Cycle) override {
    bridge_.received(message.tag);
  }
  void woken(ProcessorNode&) override { bridge_.hand_over_due(); }
  void sent(std::uint64_t tag, Cycle) override { bridge_.sent(tag); }

 private:
  TlmBridge& bridge_;
};

/// The messages of a device, as the processor sees them.
class TlmBridge::MessageProgram final : public NodeProgram {
 public:
  explicit MessageProgram(TlmBridge& bridge) : bridge_(bridge) {}

  void start(ProcessorNode&) override {}
  void received(ProcessorNode&, const ArrivedMessage& message, Cycle) override {
    bridge_.message_device_->message_received(message.source,
                                              bridge_.interconnect_.take_data(message.tag));
  }
  void sent(std::uint64_t, Cycle) override { bridge_.message_device_->message_sent(); }

 private:
  TlmBridge& bridge_;
};

TlmBridge::TlmBridge(const sc_core::sc_module_name& name, ProcessorNode& processor,
                     TlmInterconnect& interconnect)
    : sc_module(name),
      processor_(processor),
      program_(processor.programs()),
      interconnect_(interconnect) {
  SC_METHOD(act);
  sensitive << act_;
  dont_initialize();
  processor.add(std::make_unique<Program>(*this));
  processor.add(std::make_unique<MessageProgram>(*this));
  interconnect.add(*this);
}

TlmBridge::~TlmBridge() = default;

void TlmBridge::reject(const std::string& socket, const std::string& problem,
                       const std::string& remedy) const {
  throw ConfigError(std::string(name()) + "." + socket, problem, remedy);
}

void TlmBridge::check_bindings(const std::string& setting) const {
  const std::string label = interconnect_.topology().label(node());
  if (initiators_.empty() && targets_.empty())
    throw ConfigError(setting, "node " + label + " has no initiator and no target",
                      "write `initiator: {program: FILE}` or `memory: {size: 64 KiB}`, or bind a "
                      "module of your own to a socket of Network::tlm");
  const auto check = [&](const std::string& socket, int bindings, const char* further) {
    if (bindings == 0)
      throw ConfigError(setting,
                        fmt::format("nothing is bound to the {} of node {}", socket, label),
                        "bind a socket to it before the simulation starts");
    if (bindings > 1)
      throw ConfigError(
          setting,
          fmt::format("{} sockets are bound to the {} of node {}", bindings, socket, label),
          fmt::format("bind one; {}", further));
  };
  for (const auto& [number, ends] : initiators_)
    check(fmt::format("socket for initiator {}", number), ends.socket->bindings(),
          "a further initiator at the node has a socket of the next number");
  for (const auto& [device, ends] : targets_)
    check(fmt::format("socket for the target `{}`", device), ends.socket->bindings(),
          "a further target at the node has a name of its own");
}

TargetSide* TlmBridge::target(const std::string& device) const {
  if (device.empty()) return targets_.size() == 1 ? targets_.begin()->second.side.get() : nullptr;
  const auto found = targets_.find(device);
  return found == targets_.end() ? nullptr : found->second.side.get();
}

TargetSide* TlmBridge::target_of(const tlm::tlm_generic_payload& payload) const {
  // A streaming width less than the length repeats addresses. An ignored command has no data.
  const unsigned bytes = payload.get_command() == tlm::TLM_IGNORE_COMMAND
                             ? 1
                             : std::min(payload.get_data_length(), payload.get_streaming_width());
  const AddressRegion* const region = region_of(payload.get_address(), std::max(1U, bytes));
  return region ? interconnect_.bridge(region->node)->target(region->device) : nullptr;
}

void TlmBridge::log_unserved(tlm::tlm_generic_payload& payload, int socket, std::int64_t number,
                             std::int64_t at) {
  Transaction transaction;
  transaction.payload = &payload;
  transaction.initiator = node();
  transaction.socket = socket;
  transaction.number = number;
  transaction.address = payload.get_address();
  transaction.times.begun = at;
  transaction.times.ended = edge_after(at);
  interconnect_.log(transaction);
}

bool TlmBridge::is_broken(const BrokenRule& rule, const std::string& socket,
                          const tlm::tlm_generic_payload& payload,
                          const std::function<bool(const Transaction&)>& is_it) {
  if (rule.empty()) return false;
  const DesignError error({interconnect_.domain().cycle_of_time(), name(), socket, "transport",
                           "the base protocol of TLM-2.0", rule.found,
                           interconnect_.text(payload, is_it), rule.remedy});
  interconnect_.domain().fail(std::make_exception_ptr(error));
  return true;
}

// Toward the network.

void TlmBridge::send_request(Transaction& transaction, std::int64_t at) {
  edge_to_come(at).pending.push_back({true, &transaction});
}

void TlmBridge::send_reply(Transaction& transaction, std::int64_t at) {
  edge_to_come(at).pending.push_back({false, &transaction});
}

TlmBridge::Edge& TlmBridge::edge_to_come(std::int64_t time) {
  ClockDomain& domain = interconnect_.domain();
  const Cycle cycle = domain.first_cycle_after(time);
  const auto [edge, is_new] = edges_.try_emplace(cycle);
  if (is_new) domain.at_last(cycle, *this);
  return edge->second;
}

void TlmBridge::due() { processor_.resume(program_); }

void TlmBridge::hand_over_due() {
  if (edges_.empty() || edges_.begin()->first > interconnect_.domain().now()) return;
  Edge edge = std::move(edges_.begin()->second);
  edges_.erase(edges_.begin());
  std::sort(edge.pending.begin(), edge.pending.end(), [](const Pending& a, const Pending& b) {
    const auto rank = [](const Pending& pending) {
      const Transaction& transaction = *pending.transaction;
      return std::tuple(pending.is_request, transaction.initiator.value(), transaction.socket,
                        transaction.number);
    };
    return rank(a) < rank(b);
  });
  for (const Pending& pending : edge.pending) hand_over(pending);
  if (edge.calls_device) message_device_->at_edge();
}

void TlmBridge::hand_over(const Pending& pending) {
  Transaction& transaction = *pending.transaction;
  (pending.is_request ? transaction.times.requested : transaction.times.replied) =
      picoseconds_now();
  if (!transaction.is_local()) return send(pending);
  const std::uint64_t tag = transaction.tag + (pending.is_request ? 0 : 1);
  sent(tag);
  received(tag);
}

void TlmBridge::send(const Pending& pending) {
  const Transaction& transaction = *pending.transaction;
  OutgoingMessage message;
  message.program = program_;
  message.serves = transaction.serial;
  if (pending.is_request) {
    message.destination = transaction.target;
    message.packets = interconnect_.request_packets(transaction);
    message.tag = transaction.tag;
    message.message_class = 0;
    message.part = JobPart::requests;
  } else {
    message.destination = transaction.initiator;
    message.packets = interconnect_.reply_packets(transaction);
    message.tag = transaction.tag + 1;
    message.message_class = 1;
    message.part = JobPart::replies;
  }
  processor_.send(std::move(message), interconnect_.domain().now());
}

bool TlmBridge::accepts_messages(NodeId node) const {
  const TlmBridge* const bridge = interconnect_.bridge(node);
  return bridge && bridge->message_device_;
}

void TlmBridge::call_at_edge(std::int64_t after) { edge_to_come(after).calls_device = true; }

void TlmBridge::send_message(NodeId destination, std::vector<std::uint8_t> data) {
  OutgoingMessage message;
  message.destination = destination;
  message.packets = interconnect_.message_packets(Bytes{static_cast<std::int64_t>(data.size())});
  message.program = program_ + 1;
  message.tag = interconnect_.keep_data(node(), std::move(data));
  message.part = JobPart::requests;
  processor_.send(std::move(message), interconnect_.domain().now());
}

// From the network.

void TlmBridge::received(std::uint64_t tag) {
  Transaction& transaction = interconnect_.find(tag);
  if (tag % 2 == 0)
    transaction.side->deliver(transaction);
  else
    initiator(transaction.socket).respond(transaction);
}

void TlmBridge::sent(std::uint64_t tag) {
  if (tag % 2 == 1) return;  // nothing waits for that of a reply
  Transaction& transaction = interconnect_.find(tag);
  initiator(transaction.socket).request_sent(transaction);
}

// Toward the sockets.

void TlmBridge::act() {
  std::int64_t next = INT64_MAX;
  if (!is_over())
    for (const auto& entry : targets_) next = std::min(next, entry.second.side->act());
  for (const auto& entry : initiators_) next = std::min(next, entry.second.side->act());
  if (next < INT64_MAX) act_.notify(time_until(next));
}

}  // namespace flitwave
