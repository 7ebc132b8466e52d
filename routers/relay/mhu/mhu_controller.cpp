// routers/relay/mhu/mhu_controller.cpp: see mhu_controller.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/relay/mhu/mhu_controller.hpp"

namespace flitwave {

MhuController::MhuController(const sc_core::sc_module_name& name, const BlockParams& params,
                             bool local)
    : sc_module(name),
      params_(params),
      answers_after_(params.answers_after(local)),
      ack_timer_("answer", bus_value(wires_for(static_cast<std::uint64_t>(answers_after_)))),
      timer_("timer", bus_value(wires_for(static_cast<std::uint64_t>(params.selection.count)))) {
  SC_METHOD(lead_out);
  sensitive << phase_ << timer_ << cycled_ << type << term << left << all_done << msg_done;
  SC_METHOD(advance);
  sensitive << clk.pos();
  dont_initialize();
}

void MhuController::lead_out() {
  const MhuState phase = state_of(phase_.read());
  const bool selects = phase == MhuState::processing && !finished();
  const bool sends = phase == MhuState::output || (phase == MhuState::processing && finished());
  drive(state, static_cast<std::uint64_t>(sends ? MhuState::output : phase));
  cycle.write(selects && timer_.read() == 0);
  clear.write(sends && all_done.read() && msg_done.read());
}

void MhuController::advance() {
  if (valid.read() && eom.read()) ack.write(false);
  switch (state_of(phase_.read())) {
    case MhuState::wait:
      if (!rts.read()) return;
      ack.write(answers_after_ == 0);
      drive(ack_timer_, static_cast<std::uint64_t>(answers_after_));
      return enter(MhuState::input);
    case MhuState::input:
      count_answer();
      return await_header();
    case MhuState::processing:
      count_cycle();
      if (clear.read()) return enter(MhuState::wait);
      if (finished()) return enter(MhuState::output);
      return;
    case MhuState::output:
      if (clear.read()) return enter(MhuState::wait);
      return;
  }
}

void MhuController::count_answer() {
  const std::uint64_t before = ack_timer_.read().to_uint64();
  if (before == 0) return;
  drive(ack_timer_, before - 1);
  if (before == 1) ack.write(true);
}

void MhuController::await_header() {
  const bool headed = fld_s.read() || headed_.read();
  const bool whole = msg_done.read() || (valid.read() && eom.read());
  const bool ready = headed && (whole || !params_.stores());
  headed_.write(headed && !ready);
  if (!ready) return;
  cycled_.write(false);
  drive(timer_, static_cast<std::uint64_t>(params_.selection.count) - 1);
  enter(MhuState::processing);
}

void MhuController::count_cycle() {
  const std::uint64_t before = timer_.read().to_uint64();
  drive(timer_, before == 0 ? static_cast<std::uint64_t>(params_.selection.count) - 1 : before - 1);
  if (cycle.read()) cycled_.write(true);
}

}  // namespace flitwave
