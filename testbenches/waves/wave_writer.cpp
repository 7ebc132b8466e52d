// testbenches/waves/wave_writer.cpp: writes the sources of a wave to its file, from `from` until
// `until`.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "testbenches/waves/gtkwave.hpp"
#include "testbenches/waves/sampled_waves.hpp"

namespace flitwave {

namespace {

/// Writes changes as time advances.
class WaveWriter final : public SampledWaves {
 public:
  WaveWriter(WavePlan plan, std::unique_ptr<WaveFile> file);

  bool cut() const override { return file_->full(); }
  bool is_empty() const override { return !open_ && !file_->full(); }

 private:
  void write_step() override;
  bool advance(std::int64_t now) override;
  void end_at(std::int64_t end, bool recording) override;
  void write_unknown();
  void open(std::int64_t time);

  std::unique_ptr<WaveFile> file_;
  bool open_ = false;
};

WaveWriter::WaveWriter(WavePlan its_plan, std::unique_ptr<WaveFile> file)
    : SampledWaves(std::move(its_plan)), file_(std::move(file)) {
  if (plan().from > 0) write_unknown();
}

bool WaveWriter::advance(std::int64_t now) {
  if (!open_ && plan().from < now) open(plan().from);
  return now < plan().until && !file_->full();
}

void WaveWriter::write_unknown() {
  const std::size_t variables = variables_of(plan()).size();
  file_->begin_step(0);
  file_->begin_values("$dumpvars");
  for (std::size_t i = 0; i < variables; ++i) file_->make_unknown(i);
  file_->end_values();
  file_->end_step();
}

/// Recording starts: writes the values of all signals.
void WaveWriter::open(std::int64_t time) {
  open_ = true;
  if (!file_->begin_step(time)) return;
  file_->begin_values(plan().from > 0 ? "$dumpon" : "$dumpvars");
  for (const auto& source : sources()) source->write_all(*file_);
  file_->end_values();
  file_->end_step();
}

void WaveWriter::write_step() {
  ValueSink* const sink = open_ && !file_->full() ? file_->begin_step(time()) : nullptr;
  settle(sink, plan().from);
  if (sink) file_->end_step();
  if (!open_ && time() == plan().from) open(time());
}

void WaveWriter::end_at(std::int64_t end, bool recording) {
  if (recording && !open_ && plan().from <= end) open(plan().from);
  file_->close(std::min(end, plan().until));
  if (is_empty()) {
    std::filesystem::remove(plan().path);
    return;
  }
  mark_events(end);
  write_gtkwave(plan(), view_of(plan().from, file_->last_time()));
}

}  // namespace

std::unique_ptr<Waves> write_waves(WavePlan plan) {
  if (plan.window > 0) return keep_wave_window(std::move(plan));
  // Before anything listens to the wires.
  std::unique_ptr<WaveFile> file = open_wave_file(plan);
  return std::make_unique<WaveWriter>(std::move(plan), std::move(file));
}

}  // namespace flitwave
