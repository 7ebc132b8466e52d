// modules/tlm/devices/listed_initiator.cpp: see listed_initiator.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/tlm/devices/listed_initiator.hpp"

#include <algorithm>
#include <tlm_utils/tlm_quantumkeeper.h>
#include <utility>

#include "modules/tlm/transport.hpp"

namespace flitwave {

using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;

std::vector<std::string> names_of(TimingStyle) { return {"loosely_timed", "approximately_timed"}; }

ListedInitiator::ListedInitiator(const sc_core::sc_module_name& name, const ClockDomain& domain,
                                 std::vector<Access> accesses, const InitiatorTiming& timing,
                                 std::function<void()> done)
    : sc_module(name),
      domain_(domain),
      accesses_(std::move(accesses)),
      timing_(timing),
      done_(std::move(done)),
      running_(index(timing.outstanding)) {
  socket.bind(*this);
  if (timing.style == TimingStyle::loosely_timed) {
    SC_THREAD(run_loosely_timed);
    return;
  }
  SC_THREAD(run_approximately_timed);
  SC_METHOD(end_responses);
  sensitive << responses_.get_event();
  dont_initialize();
}

/// How long after now an access begins whose predecessor has its response, or was begun, now.
sc_time ListedInitiator::begin_of(const Access& access) const {
  if (access.after) return time_of(access.cycles * domain_.period().picoseconds);
  return time_until(domain_.time_of_edge(access.cycles + 1));
}

ListedInitiator::Running& ListedInitiator::start(std::size_t number) {
  const Access& access = accesses_[number];
  Running& running = *std::find_if(running_.begin(), running_.end(),
                                   [](const Running& each) { return !each.payload; });
  running.access = number;
  running.data.assign(access.bytes, 0);
  if (access.is_store)
    for (std::uint32_t i = 0; i < access.bytes; ++i) running.data[i] = byte_of(*access.value, i);
  running.payload = &payloads_.take();
  running.payload->set_command(access.is_store ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  running.payload->set_address(access.address);
  running.payload->set_data_ptr(running.data.data());
  running.payload->set_data_length(access.bytes);
  running.payload->set_streaming_width(access.bytes);
  return running;
}

void ListedInitiator::answered(Running& running) {
  const Access& access = accesses_[running.access];
  if (!access.is_store && access.value) {
    bool right = running.payload->is_response_ok();
    for (std::uint32_t i = 0; i < access.bytes; ++i)
      right = right && running.data[i] == byte_of(*access.value, i);
    wrong_ += right ? 0 : 1;
  }
  std::exchange(running.payload, nullptr)->release();
  ++answered_;
  if (is_done()) done_();
}

ListedInitiator::Running& ListedInitiator::running_of(const tlm_generic_payload& payload) {
  return *std::find_if(running_.begin(), running_.end(),
                       [&](const Running& each) { return each.payload == &payload; });
}

void ListedInitiator::run_loosely_timed() {
  tlm_utils::tlm_quantumkeeper keeper;
  for (std::size_t number = 0; number < accesses_.size(); ++number) {
    sc_time wait = begin_of(accesses_[number]);
    if (accesses_[number].after)
      keeper.inc(wait);
    else
      keeper.set(std::max(keeper.get_local_time(), wait));
    if (keeper.get_local_time() > timing_.quantum) keeper.sync();
    Running& running = start(number);
    sc_time delay = keeper.get_local_time();
    socket->b_transport(*running.payload, delay);
    keeper.set(delay);
    answered(running);
  }
}

void ListedInitiator::run_approximately_timed() {
  for (std::size_t number = 0; number < accesses_.size(); ++number) {
    const Access& access = accesses_[number];
    while (requesting_ || outstanding_ == timing_.outstanding || (access.after && outstanding_ > 0))
      sc_core::wait(changed_);
    if (const sc_time left = begin_of(access); left > SC_ZERO_TIME) sc_core::wait(left);
    Running& running = start(number);
    ++outstanding_;
    requesting_ = running.payload;
    tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay = SC_ZERO_TIME;
    if (socket->nb_transport_fw(*running.payload, phase, delay) != tlm::TLM_COMPLETED) continue;
    requesting_ = nullptr;
    sc_core::wait(delay);
    --outstanding_;
    answered(running);
  }
}

tlm::tlm_sync_enum ListedInitiator::nb_transport_bw(tlm_generic_payload& payload, tlm_phase& phase,
                                                    sc_time& delay) {
  if (phase == tlm::END_REQ) {
    requesting_ = nullptr;
    changed_.notify(delay);
  } else if (phase == tlm::BEGIN_RESP) {
    responses_.notify(payload, delay);
  }
  return tlm::TLM_ACCEPTED;
}

void ListedInitiator::end_responses() {
  while (tlm_generic_payload* const payload = responses_.get_next_transaction()) {
    tlm_phase phase = tlm::END_RESP;
    sc_time delay = SC_ZERO_TIME;
    socket->nb_transport_fw(*payload, phase, delay);
    if (requesting_ == payload) requesting_ = nullptr;  // a response implies END_REQ
    --outstanding_;
    answered(running_of(*payload));
    changed_.notify(SC_ZERO_TIME);
  }
}

}  // namespace flitwave
