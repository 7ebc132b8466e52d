// testbenches/waves/wave_window.cpp: see wave_window.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/waves/wave_window.hpp"

#include <algorithm>

#include "modules/signals/bits.hpp"

namespace flitwave {

WaveWindow::WaveWindow(std::size_t variables, std::int64_t length)
    : length_(length), values_(variables, 0) {}

void WaveWindow::begin_step(std::int64_t time) {
  end_at(time);
  stepped_ = true;
  if (!steps_.empty() && steps_.back().changes == 0) steps_.pop_back();
  steps_.push_back({time, 0});
}

void WaveWindow::change(std::size_t first, const std::uint64_t* values, std::uint64_t which) {
  for_each_bit(which, [&](int bit) {
    const auto place = static_cast<std::size_t>(bit);
    if (!stepped_) {
      values_[first + place] = values[place];
      return;
    }
    changes_.push_back({static_cast<std::uint32_t>(first + place), values[place]});
    ++steps_.back().changes;
  });
}

void WaveWindow::end_at(std::int64_t end) {
  if (held_) return;
  begin_ = std::max(begin_, end - length_);
  while (!steps_.empty() && steps_.front().time <= begin_) {
    for (; steps_.front().changes > 0; --steps_.front().changes) {
      values_[changes_.front().variable] = changes_.front().value;
      changes_.pop_front();
    }
    steps_.pop_front();
  }
}

void WaveWindow::write(WaveFile& file, std::int64_t from) const {
  std::vector<std::uint64_t> values = values_;
  auto step = steps_.begin();
  auto change = changes_.begin();
  for (; step != steps_.end() && step->time <= from; ++step)
    for (std::size_t i = 0; i < step->changes; ++i, ++change)
      values[change->variable] = change->value;
  file.begin_step(from);
  file.begin_values("$dumpvars");
  for (std::size_t i = 0; i < values.size(); ++i) file.change(i, values[i]);
  file.end_values();
  file.end_step();
  for (; step != steps_.end(); ++step) {
    ValueSink* const sink = file.begin_step(step->time);
    if (!sink) return;
    for (std::size_t i = 0; i < step->changes; ++i, ++change)
      sink->change(change->variable, change->value);
    file.end_step();
  }
}

}  // namespace flitwave
