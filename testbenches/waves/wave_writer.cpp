// testbenches/waves/wave_writer.cpp: writes the sources of a wave to its file, within its window.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "testbenches/waves/gtkwave.hpp"
#include "testbenches/waves/vcd_file.hpp"
#include "testbenches/waves/wave_changes.hpp"
#include "testbenches/waves/wave_plan.hpp"
#include "testbenches/waves/wave_sources.hpp"

namespace flitwave {

namespace {

/// Sources that have changed are sampled at once; the last sample at a time is settled and written
/// when time advances, so that values of single delta cycles are not shown.
class WaveWriter final : public Waves {
 public:
  explicit WaveWriter(WavePlan plan);

  void finish(std::int64_t end) override;
  bool cut() const override { return file_.full(); }

 private:
  void sample_changed();
  void sample_unreported();
  bool advance_to(std::int64_t now);
  void write_unknown();
  void open(std::int64_t time);
  void write_step();

  WavePlan plan_;
  VcdFile file_;
  std::vector<std::unique_ptr<WaveSource>> sources_;
  WaveChanges changes_;
  ActiveSet sampled_;      // at `time_`, not yet written
  std::int64_t time_ = 0;  // time of the last change
  std::int64_t first_activity_ = -1;
  bool open_ = false;
  bool finished_ = false;
};

WaveWriter::WaveWriter(WavePlan plan)
    : plan_(std::move(plan)),
      file_(plan_.path, plan_.limit.count, variables_of(plan_), wave_comment),
      sources_(sources_of(plan_)),
      changes_(sources_, plan_.domain, [this] { sample_changed(); }) {
  sampled_.resize(static_cast<int>(sources_.size()));
  if (plan_.from > 0) write_unknown();
}

void WaveWriter::sample_changed() {
  if (!advance_to(picoseconds_now())) return;
  changes_.changed().visit([this](int number) {
    sources_[index(number)]->sample();
    sampled_.insert(number);
    return false;
  });
}

/// A run that is paused within a cycle may leave changes whose events were not notified yet.
void WaveWriter::sample_unreported() {
  for (std::size_t i = 0; i < sources_.size(); ++i)
    if (sources_[i]->is_stale()) changes_.changed().insert(static_cast<int>(i));
  if (!changes_.changed().empty()) sample_changed();
}

/// Called before a change is sampled: writes the changes of the previous time.
/// Returns: whether the change is to be recorded.
bool WaveWriter::advance_to(std::int64_t now) {
  if (now == time_) return true;
  write_step();
  if (!open_ && plan_.from < now) open(plan_.from);
  time_ = now;
  if (now < plan_.until && !file_.full()) return true;
  changes_.stop();
  return false;
}

void WaveWriter::write_unknown() {
  const std::size_t variables = variables_of(plan_).size();
  file_.begin_step(0);
  file_.begin_values("$dumpvars");
  for (std::size_t i = 0; i < variables; ++i) file_.make_unknown(i);
  file_.end_values();
  file_.end_step();
}

/// The window starts: writes the values of all signals.
void WaveWriter::open(std::int64_t time) {
  open_ = true;
  if (file_.full()) return;
  file_.begin_step(time);
  file_.begin_values(plan_.from > 0 ? "$dumpon" : "$dumpvars");
  for (const auto& source : sources_) source->write_all(file_);
  file_.end_values();
  file_.end_step();
}

/// Time advances: the samples of `time_` are settled, and written within the window.
void WaveWriter::write_step() {
  VcdFile* const file = open_ && !file_.full() ? &file_ : nullptr;
  if (file) file->begin_step(time_);
  sampled_.visit([&](int number) {
    WaveSource& source = *sources_[index(number)];
    source.settle(file);
    if (first_activity_ < 0 && time_ >= plan_.from && source.has_flit()) first_activity_ = time_;
    return false;
  });
  if (file) file->end_step();
  if (!open_ && time_ == plan_.from) open(time_);
}

void WaveWriter::finish(std::int64_t end) {
  if (finished_) return;
  finished_ = true;
  if (!changes_.stopped()) sample_unreported();
  if (!changes_.stopped()) {
    changes_.stop();
    write_step();
    if (!open_ && plan_.from <= end) open(plan_.from);
  }
  file_.close(std::min(end, plan_.until));
  write_gtkwave(plan_, first_activity_);
}

}  // namespace

std::unique_ptr<Waves> write_waves(WavePlan plan) {
  return std::make_unique<WaveWriter>(std::move(plan));
}

}  // namespace flitwave
