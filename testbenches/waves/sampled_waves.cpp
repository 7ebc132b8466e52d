// testbenches/waves/sampled_waves.cpp: see sampled_waves.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/waves/sampled_waves.hpp"

#include <algorithm>
#include <utility>

namespace flitwave {

SampledWaves::SampledWaves(WavePlan plan)
    : plan_(std::move(plan)),
      sources_(sources_of(plan_)),
      changes_(sources_, plan_.domain, [this] { sample_changed(); }),
      has_trigger_(plan_.trigger.any()),
      together_(plan_.domain.scheduling() == Scheduling::batched && plan_.inner.empty()) {
  sampled_.resize(static_cast<int>(sources_.size()));
  view_.flits.resize(sources_.size(), 0);
  blocked_.resize(sources_.size(), -1);
  heads_.resize(sources_.size(), -1);
}

void SampledWaves::sample_changed() {
  const std::int64_t now = picoseconds_now();
  if (settles_at_once() && now == time_) return;  // all wires have changed together before
  if (!advance_to(now)) return;
  if (settles_at_once()) return write_step();
  changes_.changed().visit([this](int number) {
    sampled_.insert(number);
    return sources_[index(number)]->sample();
  });
}

/// A run that is paused within a cycle may leave changes whose events were not notified yet.
void SampledWaves::sample_unreported() {
  for (std::size_t i = 0; i < sources_.size(); ++i)
    if (sources_[i]->is_stale()) changes_.changed().insert(static_cast<int>(i));
  if (!changes_.changed().empty()) sample_changed();
}

/// Called before a change is sampled. Returns: whether the change is to be recorded.
bool SampledWaves::advance_to(std::int64_t now) {
  if (now == time_) return true;
  if (!sampled_.empty()) write_step();
  const bool records = advance(now);
  time_ = now;
  if (!records) changes_.stop();
  return records;
}

/// `settled`: a sum of WaveSource::Settled.
inline void SampledWaves::note(std::size_t source, unsigned settled) {
  const bool is_blocked = (settled & WaveSource::stalled) != 0;
  if ((is_blocked || are_blocked_ > 0) && is_blocked != (blocked_[source] >= 0)) note_stall(source);
  if (plan_.trigger.blocked > 0) note_head(source);
  if ((settled & WaveSource::with_flit) == 0) return;
  if (counts_flits_)
    ++view_.flits[source];
  else if (is_active_)
    note_flit(source);
}

void SampledWaves::note_flit(std::size_t source) {
  if (has_trigger_)
    if (const WaveSignal::Values* const end = sources_[source]->end()) see(*end);
  if (view_.begin < 0) view_.begin = time_;
  ++view_.flits[source];
}

void SampledWaves::settle(ValueSink* sink, std::int64_t active) {
  is_active_ = time_ >= active;
  counts_flits_ = is_active_ && !has_trigger_ && view_.begin >= 0;
  if (!sampled_.empty())
    sampled_.visit([&](int number) {
      note(index(number), sources_[index(number)]->settle(sink));
      return false;
    });
  if (!settles_at_once()) return;
  changes_.changed().visit([&](int number) {
    const unsigned settled = sources_[index(number)]->record(sink);
    note(index(number), settled);
    return (settled & WaveSource::with_pulse) != 0;
  });
}

/// The source has become blocked, or is blocked no longer.
void SampledWaves::note_stall(std::size_t source) {
  const std::int64_t since = std::exchange(blocked_[source], blocked_[source] < 0 ? time_ : -1);
  are_blocked_ += since < 0 ? +1 : -1;
  if (since >= 0 && time_ - since > worst_.length) worst_ = {since, time_ - since};
  if (plan_.trigger.blocked > 0) time_stall(since, blocked_[source]);
}

/// Another head may be the one that waits for the channel of the source longest.
void SampledWaves::note_head(std::size_t source) {
  const std::int64_t since = sources_[source]->head_blocked_since();
  if (since != heads_[source]) time_stall(std::exchange(heads_[source], since), since);
}

/// A time in `stalls_` is replaced; negative: none.
void SampledWaves::time_stall(std::int64_t before, std::int64_t now) {
  if (before >= 0) stalls_.erase(stalls_.find(before));
  if (now >= 0) stalls_.insert(now);
}

void SampledWaves::mark_events(std::int64_t end) {
  for (const std::int64_t since : blocked_)
    if (since >= 0 && end - since > worst_.length) worst_ = {since, end - since};
  if (worst_.begin >= 0)
    view_.markers.insert(view_.markers.begin(), {"longest stall begins", worst_.begin});
  if (view_.begin >= 0) view_.markers.insert(view_.markers.begin(), {"first flit", view_.begin});
}

WaveView SampledWaves::view_of(std::int64_t begin, std::int64_t end) const {
  WaveView view = view_;
  const auto is_outside = [&](std::int64_t time) { return time < begin || time > end; };
  if (is_outside(view.begin)) view.begin = -1;
  view.markers.erase(
      std::remove_if(view.markers.begin(), view.markers.end(),
                     [&](const WaveMarker& marker) { return is_outside(marker.time); }),
      view.markers.end());
  return view;
}

void SampledWaves::finish(std::int64_t end) {
  if (finished_) return;
  finished_ = true;
  if (!changes_.stopped()) sample_unreported();
  const bool recording = !changes_.stopped();
  if (recording && !sampled_.empty()) write_step();
  changes_.stop();
  end_at(end, recording);
}

}  // namespace flitwave
