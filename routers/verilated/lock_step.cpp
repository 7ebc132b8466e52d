// routers/verilated/lock_step.cpp: see lock_step.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/verilated/lock_step.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "modules/signals/bits.hpp"
#include "routers/verilated/flit_coder.hpp"

namespace flitwave {

LockStep::LockStep(const sc_core::sc_module_name& name, const RouterModel& model,
                   const RouterSite& site, std::string what)
    : Clocked(name, site.domain), site_(site), what_(std::move(what)), ports_(index(site.ports())) {
  RouterSite own = site;
  own.listener = nullptr;
  own.shared = nullptr;
  own.fault_log = nullptr;
  for (int port = 0; port < site.ports(); ++port) connect(port, site, own);
  second_ = model.build("second", own);
  site.domain.wake(*this);
}

LockStep::~LockStep() = default;

namespace {

/// All wires of an end are committed from now on.
void show_wires(ChannelEnd& end) {
  end.forward.wires().show();
  if (end.back) end.back->wires().show();
}

std::unique_ptr<Channel> channel_like(const Channel& channel, const std::string& name,
                                      ClockDomain& domain) {
  ChannelParams params = channel.params();
  params.latency = Cycles{1};
  auto made = std::make_unique<Channel>(name.c_str(), params, domain);
  show_wires(made->upstream());
  return made;
}

}  // namespace

void LockStep::connect(int number, const RouterSite& site, RouterSite& own) {
  Port& port = ports_[index(number)];
  const std::string label = port_label(number, site.network_ports);
  if (Channel* channel = site.inputs[index(number)]) {
    port.input = &channel->downstream();
    show_wires(*port.input);
    port.to_second = channel_like(*channel, "to_" + label, site.domain);
    port.flits_out = port.to_second->upstream().forward.writer();
    own.inputs[index(number)] = port.to_second.get();
  }
  if (Channel* channel = site.outputs[index(number)]) {
    port.output = &channel->upstream();
    show_wires(*port.output);
    port.from_second = channel_like(*channel, "from_" + label, site.domain);
    ChannelEnd& end = port.from_second->downstream();
    if (end.back) port.credits_out = end.back->writer();
    if (end.ready) port.ready_out = end.ready->writer();
    own.outputs[index(number)] = port.from_second.get();
  }
}

std::vector<LockStep::Counterpart> LockStep::counterparts() const {
  std::vector<Counterpart> all;
  for (std::size_t port = 0; port < ports_.size(); ++port) {
    if (ports_[port].to_second) all.push_back({site_.inputs[port], ports_[port].to_second.get()});
    if (ports_[port].from_second)
      all.push_back({site_.outputs[port], ports_[port].from_second.get()});
  }
  return all;
}

void LockStep::tick() {
  if (has_failed_) return;
  stay_awake();
  for (Port& port : ports_)  // as on the wires before this edge
    port.second = on_wires(port.from_second ? &port.from_second->downstream() : nullptr,
                           port.to_second ? &port.to_second->upstream() : nullptr);
  try {
    // The second router's outputs of the last cycle belong to the cycle before it.
    if (is_first_valid_) compare(now() - 2);
  } catch (const DesignError&) {
    has_failed_ = true;
    return domain().end_run(*this, std::current_exception());
  }
  for (Port& port : ports_) pass_on(port);
  silent_ = is_silent() ? silent_ + 1 : 0;
  is_first_valid_ = !was_in_reset_;
  was_in_reset_ = domain().reset.read();
}

void LockStep::pass_on(Port& port) {
  port.first = on_wires(port.output, port.input);
  if (port.input && port.input->forward.wires().valid())
    port.flits_out.drive(port.input->forward.wires().payload());
  if (!port.output) return;
  if (port.output->ready) {
    for (int vc = 0; vc < port.output->ready->vcs(); ++vc) {
      const bool ready = port.output->ready->ready(vc);
      if (port.ready_out.ready(vc) != ready) port.ready_out.drive(vc, ready);
    }
  } else if (port.output->back->wires().valid()) {
    port.credits_out.drive(port.output->back->wires().payload());
  }
}

/// Whether no router sends a flit or a credit.
bool LockStep::is_silent() const {
  return std::none_of(ports_.begin(), ports_.end(), [](const Port& port) {
    return port.first.valid || port.first.credit || port.second.valid || port.second.credit;
  });
}

void LockStep::compare(Cycle cycle) const {
  for (std::size_t i = 0; i < ports_.size(); ++i) compare(cycle, static_cast<int>(i));
}

void LockStep::compare(Cycle cycle, int port) const {
  const PortWires& found = ports_[index(port)].first;
  const PortWires& expected = ports_[index(port)].second;
  const std::string label = port_label(port, site_.network_ports);
  const auto fail = [&](const std::string& side, std::string field, std::string wanted,
                        std::string is, std::string subject) {
    throw DesignError({cycle, what_, side + " " + label, std::move(field), std::move(wanted),
                       std::move(is), std::move(subject)});
  };
  const auto number = [](auto value) { return std::to_string(static_cast<int>(value)); };
  if (found.valid != expected.valid)
    fail("output", "valid", number(expected.valid), number(found.valid),
         text_of(found.valid ? found.flit : expected.flit, site_));
  if (found.valid && found.flit.on_vc(0) != expected.flit.on_vc(0))
    fail("output", "flit", text_of(expected.flit, site_), text_of(found.flit, site_), "");
  if (found.valid && found.flit != expected.flit)
    fail("output", "vc", number(expected.flit.vc()), number(found.flit.vc()),
         text_of(found.flit, site_));
  if (found.credit != expected.credit)
    fail("input", "credit", number(expected.credit), number(found.credit),
         fmt::format("vc {}", found.credit ? found.credit_vc : expected.credit_vc));
  if (found.credit_vc != expected.credit_vc)
    fail("input", "credit vc", number(expected.credit_vc), number(found.credit_vc), "");
  if (found.ready == expected.ready) return;
  const int vc = lowest_of(found.ready ^ expected.ready);
  fail("input", fmt::format("ready[{}]", vc), number(expected.ready >> vc & 1),
       number(found.ready >> vc & 1), "");
}

void LockStep::end_pulses() {
  for (Port& port : ports_) {
    if (port.flits_out) port.flits_out.end_tick();
    if (port.credits_out) port.credits_out.end_tick();
  }
}

}  // namespace flitwave
