// testbenches/tests/tlm/random_initiator.cpp: see random_initiator.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tests/tlm/random_initiator.hpp"

#include <algorithm>
#include <utility>

#include "modules/clock/clock_domain.hpp"

namespace flitwave::test {

using sc_core::SC_ZERO_TIME;

RandomInitiator::RandomInitiator(const sc_core::sc_module_name& name, const RandomPlan& plan)
    : sc_module(name),
      plan_(plan),
      random_(plan.seed, "initiator", 0),
      open_(static_cast<std::size_t>(plan.outstanding)),
      times_(static_cast<std::size_t>(plan.transactions), 0) {
  socket.bind(*this);
  SC_THREAD(run);
  SC_METHOD(end_due);
  sensitive << response_;
  dont_initialize();
}

/// The results of its effects on the copy are known before: a device serves its requests in order.
RandomInitiator::Open& RandomInitiator::prepare(int number) {
  Open& open = *std::find_if(open_.begin(), open_.end(),
                             [](const Open& each) { return each.payload == nullptr; });
  const auto below = [this](std::size_t bound) {
    return static_cast<unsigned>(random_.below(static_cast<std::uint64_t>(bound)));
  };
  const std::uint64_t block = plan_.blocks[below(plan_.blocks.size())];
  const unsigned first = below(64);
  const unsigned length = 1 + below(64 - first);
  const unsigned width = below(3) == 0 ? 1 + below(length) : length;
  const bool store = below(2) == 0;
  open.number = number;
  open.data.assign(length, 0);
  open.expected.assign(length, 0);
  open.enables.clear();
  if (below(3) == 0)
    for (unsigned i = 0; i < 1 + below(8); ++i)
      open.enables.push_back(below(2) == 0 ? TLM_BYTE_DISABLED : TLM_BYTE_ENABLED);
  for (unsigned i = 0; i < length; ++i) {
    const std::uint64_t address = block + first + i % width;
    const bool enabled =
        open.enables.empty() || open.enables[i % open.enables.size()] == TLM_BYTE_ENABLED;
    if (store) open.data[i] = static_cast<unsigned char>(below(256));
    if (store && enabled) copy_[address] = open.data[i];
    if (!store && enabled) open.expected[i] = copy_.count(address) > 0 ? copy_[address] : 0;
  }
  open.payload = &payloads_.take();
  open.payload->set_command(store ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  open.payload->set_address(block + first);
  open.payload->set_data_ptr(open.data.data());
  open.payload->set_data_length(length);
  open.payload->set_streaming_width(width);
  if (!open.enables.empty()) {
    open.payload->set_byte_enable_ptr(open.enables.data());
    open.payload->set_byte_enable_length(static_cast<unsigned>(open.enables.size()));
  }
  return open;
}

void RandomInitiator::run() {
  for (int number = 0; number < plan_.transactions; ++number) {
    const bool blocking = plan_.style == RandomPlan::Style::blocking ||
                          (plan_.style == RandomPlan::Style::mixed && random_.below(2) == 0);
    while (requesting_ || outstanding_ == plan_.outstanding || (blocking && outstanding_ > 0))
      wait(changed_);
    const auto most = static_cast<std::uint64_t>(plan_.most_pause) + 1;
    const std::uint64_t pause =
        plan_.odd_times ? random_.below(most * 1000) : 1000 * random_.below(most);
    if (pause > 0) wait(time_of(static_cast<std::int64_t>(pause)));
    Open& open = prepare(number);
    open.begun = picoseconds_now();
    if (blocking)
      block(open);
    else
      begin(open);
  }
}

void RandomInitiator::block(Open& open) {
  sc_core::sc_time delay = SC_ZERO_TIME;
  socket->b_transport(*open.payload, delay);
  if (delay > SC_ZERO_TIME) wait(delay);
  end(open);
}

void RandomInitiator::begin(Open& open) {
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = SC_ZERO_TIME;
  requesting_ = true;
  ++outstanding_;
  const tlm::tlm_sync_enum status = socket->nb_transport_fw(*open.payload, phase, delay);
  if (status == tlm::TLM_ACCEPTED) return;
  requesting_ = false;  // TLM_COMPLETED: an error
  --outstanding_;
  end(open);
}

tlm::tlm_sync_enum RandomInitiator::nb_transport_bw(tlm::tlm_generic_payload& payload,
                                                    tlm::tlm_phase& phase,
                                                    sc_core::sc_time& delay) {
  if (phase == tlm::END_REQ) {
    requesting_ = false;
    changed_.notify(delay);
    return tlm::TLM_ACCEPTED;
  }
  Open& open = *std::find_if(open_.begin(), open_.end(),
                             [&](const Open& each) { return each.payload == &payload; });
  if (plan_.prompt || open.number % 3 == 0) {  // ends the response within the call
    phase = tlm::END_RESP;
    --outstanding_;
    end(open);
    if (!plan_.prompt) delay += time_of(1500);
    changed_.notify(SC_ZERO_TIME);
    return tlm::TLM_UPDATED;
  }
  due_.push_back(&open);
  response_.notify(time_of(open.number % 2 == 0 ? 0 : 2500));
  return tlm::TLM_ACCEPTED;
}

void RandomInitiator::end_due() {
  for (Open* const open : std::exchange(due_, {})) {
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay = SC_ZERO_TIME;
    socket->nb_transport_fw(*open->payload, phase, delay);
    --outstanding_;
    end(*open);
  }
  changed_.notify(SC_ZERO_TIME);
}

void RandomInitiator::end(Open& open) {
  times_[static_cast<std::size_t>(open.number)] = picoseconds_now() - open.begun;
  if (!open.payload->is_response_ok()) {
    wrong_ += 1;
  } else if (open.payload->is_read()) {
    for (std::size_t i = 0; i < open.data.size(); ++i) {
      ++loaded_;
      wrong_ += plan_.shared || open.data[i] == open.expected[i] ? 0 : 1;
    }
  }
  open.payload->release();
  open.payload = nullptr;
  ++answered_;
}

}  // namespace flitwave::test
