// modules/tlm/initiator_side.cpp: see initiator_side.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/tlm/initiator_side.hpp"

#include <algorithm>
#include <utility>

#include "modules/tlm/target_side.hpp"
#include "modules/tlm/tlm_bridge.hpp"
#include "modules/tlm/transport.hpp"

namespace flitwave {

using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;

InitiatorSide::InitiatorSide(TlmBridge& bridge, int number)
    : bridge_(bridge), number_(number), name_("initiator socket " + std::to_string(number)) {}

bool InitiatorSide::is_broken(const BrokenRule& rule, const tlm_generic_payload& payload) {
  return bridge_.is_broken(rule, name_, payload, [this](const Transaction& transaction) {
    return transaction.initiator == bridge_.node() && transaction.socket == number_;
  });
}

/// Begins a transaction at a time.
/// Returns: null when no device serves its address; the payload then has its response.
Transaction* InitiatorSide::begin(tlm_generic_payload& payload, std::int64_t at) {
  TargetSide* const side = bridge_.target_of(payload);
  if (!side) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    bridge_.log_unserved(payload, number_, begun_++, at);
    return nullptr;
  }
  Transaction& transaction = bridge_.open();
  transaction.payload = &payload;
  transaction.socket = number_;
  transaction.number = begun_++;
  transaction.side = side;
  transaction.turn = begun_for_[side]++;
  transaction.target = side->node();
  transaction.address = payload.get_address();
  transaction.local = side->local_address(payload.get_address());
  transaction.times.begun = at;
  return &transaction;
}

tlm::tlm_sync_enum InitiatorSide::nb_transport_fw(tlm_generic_payload& payload, tlm_phase& phase,
                                                  sc_time& delay) {
  if (bridge_.is_over() && phase == tlm::END_RESP) {
    rules_.forward(payload, phase, delay);
    if (responding_ && responding_->payload == &payload) end_response(picoseconds_after(delay));
    return tlm::TLM_COMPLETED;
  }
  if (bridge_.is_over() || is_broken(rules_.forward(payload, phase, delay), payload)) {
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  const std::int64_t at = picoseconds_after(delay);
  if (phase == tlm::END_RESP) {
    end_response(at);
    return tlm::TLM_COMPLETED;
  }
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;  // an ignorable phase
  const ProtocolRules::Call call{phase, delay};
  Transaction* const transaction = begin(payload, at);
  if (!transaction) {
    delay = time_until(bridge_.edge_after(at));
    rules_.forward_returned(payload, call, tlm::TLM_COMPLETED, phase, delay);
    return tlm::TLM_COMPLETED;
  }
  payload.acquire();
  bridge_.send_request(*transaction, at);
  return tlm::TLM_ACCEPTED;
}

/// Programs that poll let time pass, also when there is no answer.
void InitiatorSide::b_transport(tlm_generic_payload& payload, sc_time& delay) {
  if (bridge_.is_over() || is_broken(rules_.blocking(payload, delay), payload)) {
    if (is_in_thread()) sc_core::wait(time_of(bridge_.period().picoseconds));
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return;
  }
  const std::int64_t at = picoseconds_after(delay);
  if (Transaction* const transaction = begin(payload, at)) {
    sc_core::sc_event done;
    transaction->blocking = true;
    transaction->done = &done;
    bridge_.send_request(*transaction, at);
    try {
      sc_core::wait(done);
    } catch (...) {  // the initiator's thread is killed or reset, or an exception thrown into it
      lose(*transaction);
      throw;
    }
    bridge_.close(*transaction);
  } else {
    sc_core::wait(time_until(bridge_.edge_after(at)));
  }
  delay = time_until(at);  // only if the run has ended before
  if (!bridge_.is_over()) is_broken(rules_.blocking_returned(payload, delay), payload);
}

/// The payload of a blocking transaction under way, and its data, are about to be destroyed.
void InitiatorSide::lose(Transaction& transaction) {
  transaction.payload->set_address(transaction.address);
  if (!bridge_.is_over())
    is_broken(
        {"the thread of the initiator was killed or reset within b_transport, or an exception was "
         "thrown into it",
         "let b_transport return before"},
        *transaction.payload);
  bridge_.log_remained(transaction);
  transaction.side->stop(transaction);
  transaction.payload = nullptr;
}

bool InitiatorSide::get_direct_mem_ptr(tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  payload.set_dmi_allowed(false);
  dmi.init();  // nowhere: an access takes the time of its messages
  return false;
}

unsigned InitiatorSide::transport_dbg(tlm_generic_payload& payload) {
  TargetSide* const side = bridge_.target_of(payload);
  return side ? side->transport_dbg(payload) : 0;
}

void InitiatorSide::request_sent(Transaction& transaction) {
  if (transaction.blocking) return;
  accepted_.push_back(&transaction);
  bridge_.act_soon();
}

void InitiatorSide::respond(Transaction& transaction) {
  transaction.payload->set_address(transaction.address);
  if (transaction.blocking) {
    transaction.times.ended = picoseconds_now();
    return transaction.done->notify(SC_ZERO_TIME);
  }
  responses_.push_back(&transaction);
  bridge_.act_soon();
}

void InitiatorSide::give_up(Transaction& transaction) {
  const auto arrived = std::find(responses_.begin(), responses_.end(), &transaction);
  if (responding_ == &transaction || arrived != responses_.end()) return;
  transaction.payload->set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  transaction.payload->set_address(transaction.address);
  if (transaction.blocking) return transaction.done->notify(SC_ZERO_TIME);
  responses_.push_back(&transaction);
  bridge_.act_soon();
}

std::int64_t InitiatorSide::act() {
  while (!accepted_.empty()) {
    Transaction& transaction = *accepted_.front();
    accepted_.pop_front();
    send_end_request(transaction);
  }
  while (!responses_.empty() && !responding_) {
    if (free_at_ > picoseconds_now()) return free_at_;
    Transaction& transaction = *responses_.front();
    responses_.pop_front();
    send_response(transaction);
  }
  return INT64_MAX;
}

void InitiatorSide::send_end_request(Transaction& transaction) {
  tlm_generic_payload& payload = *transaction.payload;
  tlm_phase phase = tlm::END_REQ;
  sc_time delay = SC_ZERO_TIME;
  if (is_broken(rules_.backward(payload, phase, delay), payload)) return;
  const ProtocolRules::Call call{phase, delay};
  const tlm::tlm_sync_enum status = socket_->backward().nb_transport_bw(payload, phase, delay);
  if (status != tlm::TLM_ACCEPTED)
    is_broken({"the return value of END_REQ is not TLM_ACCEPTED", "return TLM_ACCEPTED"}, payload);
  else
    is_broken(rules_.backward_returned(payload, call, status, phase, delay), payload);
}

void InitiatorSide::send_response(Transaction& transaction) {
  tlm_generic_payload& payload = *transaction.payload;
  tlm_phase phase = tlm::BEGIN_RESP;
  sc_time delay = SC_ZERO_TIME;
  if (is_broken(rules_.backward(payload, phase, delay), payload)) return;
  responding_ = &transaction;
  transaction.times.ended = picoseconds_now();
  const ProtocolRules::Call call{phase, delay};
  const tlm::tlm_sync_enum status = socket_->backward().nb_transport_bw(payload, phase, delay);
  if (responding_ != &transaction) return;  // END_RESP came within the call
  if (is_broken(rules_.backward_returned(payload, call, status, phase, delay), payload)) return;
  if (status != tlm::TLM_ACCEPTED) end_response(picoseconds_after(delay));
}

/// The initiator has accepted the response: the next one may begin at that time.
void InitiatorSide::end_response(std::int64_t at) {
  Transaction& transaction = *std::exchange(responding_, nullptr);
  free_at_ = std::max(free_at_, at);
  tlm_generic_payload& payload = *transaction.payload;
  if (bridge_.is_over())
    transaction.payload = nullptr;  // it is logged
  else
    bridge_.close(transaction);
  payload.release();
  if (!responses_.empty()) bridge_.act_soon();
}

}  // namespace flitwave
