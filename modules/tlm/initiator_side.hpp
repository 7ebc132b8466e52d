// modules/tlm/initiator_side.hpp: a bridge toward one initiator.
// initiator -> [initiator_side -> tlm_bridge] -> processor -> interface
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <tlm>

#include <systemc>

#include "modules/tlm/protocol_rules.hpp"
#include "modules/tlm/transaction.hpp"

namespace flitwave {

class TlmBridge;

/// A socket for an initiator at a node, and what it is bound to, whatever the width of its bus.
class InitiatorSocket {
 public:
  virtual ~InitiatorSocket() = default;
  virtual tlm::tlm_bw_transport_if<>& backward() = 0;
  /// Initiators that are bound to it.
  virtual int bindings() = 0;
};

/// Takes the calls of one initiator and returns its responses.
///
/// Timing: END_REQ is sent in the cycle in which the last flit of the request is driven on the
///   injection channel, BEGIN_RESP in the cycle in which the processor has received the reply, both
///   after the clock edge, in a later delta cycle.
/// Errors: an address that no device serves is answered with TLM_ADDRESS_ERROR_RESPONSE at the next
///   clock edge, without a message. A call that breaks the base protocol ends the run
///   (DesignError), and so does a thread that leaves b_transport otherwise than by its return.
class InitiatorSide final : public tlm::tlm_fw_transport_if<> {
 public:
  /// `number`: of the socket, among those for initiators at the node.
  InitiatorSide(TlmBridge& bridge, int number);

  void bind(InitiatorSocket& socket) { socket_ = &socket; }

  /// The last flit of the request is on the injection channel.
  void request_sent(Transaction& transaction);
  /// The reply has arrived.
  void respond(Transaction& transaction);
  /// The run has ended: the transaction is answered with an error, unless its reply has arrived.
  void give_up(Transaction& transaction);
  /// Makes the calls that are due.
  /// Returns: the time at which the next is due. Unit: ps; INT64_MAX: none
  std::int64_t act();

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;

 private:
  Transaction* begin(tlm::tlm_generic_payload& payload, std::int64_t at);
  void lose(Transaction& transaction);
  void send_end_request(Transaction& transaction);
  void send_response(Transaction& transaction);
  void end_response(std::int64_t at);
  bool is_broken(const BrokenRule& rule, const tlm::tlm_generic_payload& payload);

  TlmBridge& bridge_;
  int number_;
  std::string name_;
  InitiatorSocket* socket_ = nullptr;
  ProtocolRules rules_;
  std::int64_t begun_ = 0;
  std::map<const TargetSide*, std::int64_t> begun_for_;  // looked up only
  std::deque<Transaction*> accepted_;                    // whose END_REQ is due
  std::deque<Transaction*> responses_;                   // whose BEGIN_RESP is due
  Transaction* responding_ = nullptr;                    // between BEGIN_RESP and END_RESP
  std::int64_t free_at_ = 0;  // from when on there may be a BEGIN_RESP. Unit: ps
};

}  // namespace flitwave
