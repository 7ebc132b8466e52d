// routers/verilated/inner_watch.cpp: see inner_watch.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/verilated/inner_watch.hpp"

#include <utility>

namespace flitwave {

InnerWatch::InnerWatch(const sc_core::sc_module_name& name, std::unique_ptr<InnerSignals> signals,
                       std::function<void()> settle)
    : sc_module(name),
      signals_(std::move(signals)),
      settle_(std::move(settle)),
      values_(signals_->signals().size(), 0) {
  for (std::size_t i = 0; i < values_.size(); ++i)
    changed_.push_back(std::make_unique<sc_core::sc_event>());
  SC_METHOD(on_due);
  sensitive << due_;
  dont_initialize();
}

InnerWatch::~InnerWatch() = default;

void InnerWatch::request(int deltas) {
  deltas_ = deltas;
  due_.notify(sc_core::SC_ZERO_TIME);
}

void InnerWatch::on_due() {
  if (--deltas_ > 0) return due_.notify(sc_core::SC_ZERO_TIME);
  if (settle_) settle_();
  signals_->sample();
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const std::uint64_t value = signals_->value(i);
    if (std::exchange(values_[i], value) != value) changed_[i]->notify(sc_core::SC_ZERO_TIME);
  }
}

}  // namespace flitwave
