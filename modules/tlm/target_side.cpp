// modules/tlm/target_side.cpp: see target_side.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/tlm/target_side.hpp"

#include <algorithm>

#include <sysc/kernel/sc_spawn.h>

#include "modules/tlm/tlm_bridge.hpp"
#include "modules/tlm/transport.hpp"

namespace flitwave {

using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;

NodeId TargetSide::node() const { return bridge_.node(); }

std::uint64_t TargetSide::local_address(std::uint64_t address) const {
  return address - bridge_.region_of(address, 1)->base;
}

bool TargetSide::is_broken(const BrokenRule& rule, const tlm_generic_payload& payload) {
  return bridge_.is_broken(rule, device_, payload, [this](const Transaction& transaction) {
    return transaction.side == this;
  });
}

bool TargetSide::is_to_answer() const { return answers_by_ && answers_by_() >= picoseconds_now(); }

void TargetSide::deliver(Transaction& transaction) {
  Turns& turns = turns_[{transaction.initiator.value(), transaction.socket}];
  turns.early.emplace(transaction.turn, &transaction);
  while (!turns.early.empty() && turns.early.begin()->first == turns.next) {
    requests_.push_back(turns.early.begin()->second);
    turns.early.erase(turns.early.begin());
    ++turns.next;
  }
  bridge_.act_soon();
}

std::int64_t TargetSide::act() {
  std::int64_t next = INT64_MAX;
  if (response_ && response_->at > picoseconds_now()) {
    next = response_->at;
  } else if (response_) {
    tlm_generic_payload& payload = *response_->payload;
    response_.reset();
    send_end_response(payload);
  }
  while (!requests_.empty()) {
    Transaction& transaction = *requests_.front();
    if (!transaction.blocking && requesting_) return next;
    if (!transaction.blocking && free_at_ > picoseconds_now()) return std::min(next, free_at_);
    requests_.pop_front();
    transaction.times.arrived = picoseconds_now();
    transaction.payload->set_address(transaction.local);
    // The next request waits for the thread that serves a blocking one: processes of one delta
    // cycle run in any order.
    if (transaction.blocking) {
      serve_blocking(transaction);
      return next;
    }
    send_request(transaction);
  }
  return next;
}

// Non-blocking transport.

void TargetSide::send_request(Transaction& transaction) {
  tlm_generic_payload& payload = *transaction.payload;
  tlm_phase phase = tlm::BEGIN_REQ;
  sc_time delay = SC_ZERO_TIME;
  if (is_broken(rules_.forward(payload, phase, delay), payload)) return;
  requesting_ = &transaction;
  at_target_[&payload] = &transaction;
  const ProtocolRules::Call call{phase, delay};
  const tlm::tlm_sync_enum status = socket_->forward().nb_transport_fw(payload, phase, delay);
  if (is_broken(rules_.forward_returned(payload, call, status, phase, delay), payload)) return;
  const std::int64_t at = picoseconds_after(delay);
  if (status == tlm::TLM_COMPLETED) return answered(transaction, at);
  if (status == tlm::TLM_ACCEPTED) return;
  if (phase == tlm::END_REQ) return accepted(at);
  respond(transaction, at);
}

tlm::tlm_sync_enum TargetSide::nb_transport_bw(tlm_generic_payload& payload, tlm_phase& phase,
                                               sc_time& delay) {
  if (bridge_.is_over()) {
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    if (const auto found = at_target_.find(&payload); found != at_target_.end())
      answered(*found->second, picoseconds_now());
    return tlm::TLM_COMPLETED;
  }
  if (is_broken(rules_.backward(payload, phase, delay), payload)) return tlm::TLM_ACCEPTED;
  const std::int64_t at = picoseconds_after(delay);
  if (phase == tlm::END_REQ) accepted(at);
  if (phase == tlm::BEGIN_RESP) respond(*at_target_.at(&payload), at);
  return tlm::TLM_ACCEPTED;
}

/// The target has accepted the request: the next one may begin at that time.
void TargetSide::accepted(std::int64_t at) {
  requesting_ = nullptr;
  free_at_ = std::max(free_at_, at);
  if (!requests_.empty()) bridge_.act_soon();
}

/// The target's response begins at a time, and awaits END_RESP.
void TargetSide::respond(Transaction& transaction, std::int64_t at) {
  response_ = Response{at, transaction.payload};
  bridge_.act_soon();
  answered(transaction, at);
}

void TargetSide::answered(Transaction& transaction, std::int64_t at) {
  at_target_.erase(transaction.payload);
  if (requesting_ == &transaction) accepted(at);  // a response implies END_REQ
  transaction.times.answered = at;
  if (!bridge_.is_over()) return bridge_.send_reply(transaction, at);
  bridge_.give_up(transaction);
}

void TargetSide::send_end_response(tlm_generic_payload& payload) {
  tlm_phase phase = tlm::END_RESP;
  sc_time delay = SC_ZERO_TIME;
  if (is_broken(rules_.forward(payload, phase, delay), payload)) return;
  socket_->forward().nb_transport_fw(payload, phase, delay);
}

// Blocking transport.

void TargetSide::serve_blocking(Transaction& transaction) {
  const auto idle = std::find_if(workers_.begin(), workers_.end(),
                                 [](const Worker& each) { return each.transaction == nullptr; });
  Worker& worker = idle != workers_.end() ? *idle : add_worker();
  worker.transaction = &transaction;
  worker.start.notify(SC_ZERO_TIME);
}

TargetSide::Worker& TargetSide::add_worker() {
  Worker& worker = workers_.emplace_back();
  sc_core::sc_spawn_options options;
  options.dont_initialize();
  options.set_sensitivity(&worker.start);
  worker.process = sc_core::sc_spawn([this, &worker] { work(worker); }, nullptr, &options);
  return worker;
}

void TargetSide::stop(const Transaction& transaction) {
  for (Worker& worker : workers_)
    if (worker.transaction == &transaction) worker.process.kill();
}

void TargetSide::work(Worker& worker) {
  for (;; sc_core::wait(worker.start)) {
    Transaction& transaction = *worker.transaction;
    tlm_generic_payload& payload = *transaction.payload;
    bridge_.act_soon();  // toward the requests behind it
    sc_time delay = SC_ZERO_TIME;
    bool is_right = !is_broken(rules_.blocking(payload, delay), payload);
    if (is_right) {
      socket_->forward().b_transport(payload, delay);
      is_right = !is_broken(rules_.blocking_returned(payload, delay), payload);
    }
    worker.transaction = nullptr;
    if (is_right)
      answered(transaction, picoseconds_after(delay));
    else
      bridge_.give_up(transaction);
  }
}

unsigned TargetSide::transport_dbg(tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  payload.set_address(local_address(address));
  const unsigned copied = socket_->forward().transport_dbg(payload);
  payload.set_address(address);
  return copied;
}

}  // namespace flitwave
