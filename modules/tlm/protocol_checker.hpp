// modules/tlm/protocol_checker.hpp: a module between two sockets that checks the base protocol.
// initiator -> [protocol_checker] -> target
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <tlm>
#include <utility>

#include <systemc>

#include "modules/tlm/protocol_rules.hpp"
#include "modules/tlm/transport.hpp"

namespace flitwave {

/// Passes every call on without delay, and reports each broken rule of the base protocol.
///
/// Errors: SC_ERROR with the message type `ProtocolChecker::error_type`, unless there is a handler.
/// Source: see ProtocolRules.
template <unsigned int BusWidth = 32>
class ProtocolChecker final : public sc_core::sc_module,
                              private tlm::tlm_fw_transport_if<>,
                              private tlm::tlm_bw_transport_if<> {
 public:
  static constexpr const char* error_type = "/flitwave/tlm/base_protocol";
  using Payload = tlm::tlm_generic_payload;

  tlm::tlm_target_socket<BusWidth> target_socket{"target_socket"};
  tlm::tlm_initiator_socket<BusWidth> initiator_socket{"initiator_socket"};

  explicit ProtocolChecker(const sc_core::sc_module_name& name) : sc_module(name) {
    target_socket.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
    initiator_socket.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
  }

  /// Called with each broken rule, the transaction and a remedy, instead of a report.
  void set_handler(std::function<void(const std::string&)> handler) {
    handler_ = std::move(handler);
  }
  /// Transactions that have begun and have not ended.
  std::size_t open() const { return rules_.open(); }

 private:
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    report(rules_.forward(payload, phase, delay), payload);
    const ProtocolRules::Call call{phase, delay};
    const auto status = initiator_socket->nb_transport_fw(payload, phase, delay);
    report(rules_.forward_returned(payload, call, status, phase, delay), payload);
    return status;
  }

  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    report(rules_.backward(payload, phase, delay), payload);
    const ProtocolRules::Call call{phase, delay};
    const auto status = target_socket->nb_transport_bw(payload, phase, delay);
    report(rules_.backward_returned(payload, call, status, phase, delay), payload);
    return status;
  }

  void b_transport(Payload& payload, sc_core::sc_time& delay) override {
    report(rules_.blocking(payload, delay), payload);
    initiator_socket->b_transport(payload, delay);
    report(rules_.blocking_returned(payload, delay), payload);
  }

  bool get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& dmi) override {
    return initiator_socket->get_direct_mem_ptr(payload, dmi);
  }
  unsigned transport_dbg(Payload& payload) override {
    return initiator_socket->transport_dbg(payload);
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 begin, sc_dt::uint64 end) override {
    target_socket->invalidate_direct_mem_ptr(begin, end);
  }

  void report(const BrokenRule& rule, const Payload& payload) {
    if (rule.empty()) return;
    const std::string text = rule.found + " (" + text_of(payload) + "); " + rule.remedy;
    if (handler_) return handler_(text);
    SC_REPORT_ERROR(error_type, (std::string(name()) + ": " + text).c_str());
  }

  ProtocolRules rules_;
  std::function<void(const std::string&)> handler_;
};

}  // namespace flitwave
