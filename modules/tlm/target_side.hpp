// modules/tlm/target_side.hpp: a bridge toward one target.
// interface -> processor -> [tlm_bridge -> target_side] -> target
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tlm>
#include <utility>
#include <vector>

#include <systemc>

#include "modules/tlm/protocol_rules.hpp"
#include "modules/tlm/transaction.hpp"

namespace flitwave {

class TlmBridge;

/// A socket for a target at a node, and what it is bound to, whatever the width of its bus.
class TargetSocket {
 public:
  virtual ~TargetSocket() = default;
  virtual tlm::tlm_fw_transport_if<>& forward() = 0;
  /// Targets that are bound to it.
  virtual int bindings() = 0;
};

/// Passes the requests that arrive at a node to one target, and its responses to the network.
/// Transactions of b_transport are passed on by b_transport, all others by nb_transport.
///
/// Timing: a request is passed on in the cycle in which the processor has received its message,
///   after the clock edge, in a later delta cycle; requests of nb_transport one after the other,
///   and those of one initiator's socket in their order. The reply is handed to the network at the
///   first clock edge after the response of the target, whose annotated delay counts. END_RESP is
///   sent at the time of the response, in a later delta cycle: the processor has space for every
///   reply, so that targets of both styles take the same time.
/// Errors: a call that breaks the base protocol ends the run (DesignError).
class TargetSide final : public tlm::tlm_bw_transport_if<> {
 public:
  /// `device`: the name of the target at its node.
  TargetSide(TlmBridge& bridge, std::string device) : bridge_(bridge), device_(std::move(device)) {}

  void bind(TargetSocket& socket) { socket_ = &socket; }

  const std::string& device() const { return device_; }
  NodeId node() const;
  /// The address as the target sees it: from the base of its region on. Needs: in a region of it
  std::uint64_t local_address(std::uint64_t address) const;

  /// For a target whose answers come at known times: `by` returns when it will have answered all
  /// requests that it has. Unit: ps
  void set_answers_by(std::function<std::int64_t()> by) { answers_by_ = std::move(by); }
  /// Whether an answer of the target is known to come.
  bool is_to_answer() const;

  /// A request has arrived.
  void deliver(Transaction& transaction);
  /// Makes the calls that are due.
  /// Returns: the time at which the next is due. Unit: ps; INT64_MAX: none
  std::int64_t act();
  /// Ends the thread that serves a blocking transaction, if there is one.
  void stop(const Transaction& transaction);
  /// Without time, and without the network. Returns: the number of bytes that were copied.
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  /// No pointer was ever given.
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

 private:
  /// Requests of one initiator's socket: they may overtake each other in the network, but are
  /// passed on in their order.
  struct Turns {
    std::int64_t next = 0;
    std::map<std::int64_t, Transaction*> early;  // by turn
  };
  /// A response whose END_RESP is due at a time.
  struct Response {
    std::int64_t at;  ///< Unit: ps
    tlm::tlm_generic_payload* payload;
  };
  /// A thread that serves one blocking transaction at a time.
  struct Worker {
    sc_core::sc_event start;
    Transaction* transaction = nullptr;
    sc_core::sc_process_handle process{};
  };

  void send_request(Transaction& transaction);
  void respond(Transaction& transaction, std::int64_t at);
  void serve_blocking(Transaction& transaction);
  Worker& add_worker();
  void work(Worker& worker);
  void accepted(std::int64_t at);
  void answered(Transaction& transaction, std::int64_t at);
  void send_end_response(tlm::tlm_generic_payload& payload);
  bool is_broken(const BrokenRule& rule, const tlm::tlm_generic_payload& payload);

  TlmBridge& bridge_;
  std::string device_;
  TargetSocket* socket_ = nullptr;
  ProtocolRules rules_;
  std::map<std::pair<int, int>, Turns> turns_;  // by node and socket of initiators
  std::deque<Transaction*> requests_;           // that have arrived and were not passed on
  std::optional<Response> response_;            // that was not ended
  const Transaction* requesting_ = nullptr;     // between BEGIN_REQ and END_REQ
  std::int64_t free_at_ = 0;                    // from when on there may be a BEGIN_REQ. Unit: ps
  std::map<const tlm::tlm_generic_payload*, Transaction*> at_target_;  // looked up only
  std::deque<Worker> workers_;
  std::function<std::int64_t()> answers_by_;  // may be empty
};

}  // namespace flitwave
