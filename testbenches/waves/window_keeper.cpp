// testbenches/waves/window_keeper.cpp: keeps a part of a wave: the last one, for the case of an
// error, or that around a trigger.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <utility>

#include "testbenches/waves/gtkwave.hpp"
#include "testbenches/waves/sampled_waves.hpp"
#include "testbenches/waves/wave_window.hpp"

namespace flitwave {

namespace {

/// Moves a window along with time, until the trigger; from then on it keeps all changes for as long
/// again.
class WindowKeeper final : public SampledWaves {
 public:
  explicit WindowKeeper(WavePlan its_plan)
      : SampledWaves(std::move(its_plan)), window_(variables_of(plan()).size(), plan().window) {
    for (const auto& source : sources()) source->write_all(window_);
  }

  bool cut() const override { return cut_; }
  bool triggered() const override { return trigger_ >= 0; }
  /// What exceeds the limit of the file is left out: first of what precedes the trigger, or the end
  /// of the run, then of what follows.
  void write_window() override {
    std::int64_t begin = window_.begin();
    cut_ = !write_from(begin);
    if (cut_) write_from(begin = least_begin());
    WaveView from_window = view_of(begin, last_time_);
    from_window.begin = triggered() ? trigger_ : begin;
    write_gtkwave(plan(), from_window);
  }

 private:
  /// Writes the window from a time on. Returns: whether that is within the limit of the file.
  bool write_from(std::int64_t begin) {
    const std::unique_ptr<WaveFile> file = open_wave_file(plan());
    window_.write(*file, begin);
    file->close(end_);
    last_time_ = file->last_time();
    return !file->full();
  }
  /// The earliest edge of the clock from which the window is within the limit; the trigger, or the
  /// end, if there is none.
  std::int64_t least_begin() {
    std::int64_t exceeds = window_.begin();
    std::int64_t fits = triggered() ? trigger_ : end_;
    while (true) {
      const std::int64_t middle = (exceeds + (fits - exceeds) / 2) / plan().period * plan().period;
      if (middle <= exceeds) return fits;
      (write_from(middle) ? fits : exceeds) = middle;
    }
  }
  void write_step() override {
    window_.begin_step(time());
    settle(&window_, 0);
  }
  bool advance(std::int64_t now) override {
    find_stall(now);
    return !triggered() || now <= trigger_ + plan().window;
  }
  void see(const WaveSignal::Values& end) override {
    const TriggerPlan& trigger = plan().trigger;
    const auto is_node = [&](std::uint64_t number) {
      const NodeId node(static_cast<int>(number));
      return std::find(trigger.nodes.begin(), trigger.nodes.end(), node) != trigger.nodes.end();
    };
    if (end[WaveSignal::packet] == 0) return;
    if (end[WaveSignal::packet] == trigger.packet || is_node(end[WaveSignal::source]) ||
        is_node(end[WaveSignal::destination]))
      fire(time());
  }
  void find_stall(std::int64_t now) {
    const std::int64_t limit = plan().trigger.blocked;
    if (limit > 0 && blocked_since() >= 0 && now - blocked_since() > limit)
      fire(blocked_since() + limit);
  }
  void fire(std::int64_t time) {
    if (triggered()) return;
    trigger_ = time;
    window_.end_at(time);  // it may be later than the last change
    window_.hold();
    mark("trigger", time);
  }
  void end_at(std::int64_t end, bool) override {
    find_stall(end);
    end_ = triggered() ? std::min(end, trigger_ + plan().window) : end;
    window_.end_at(end);
    mark_events(end);
  }

  WaveWindow window_;
  std::int64_t trigger_ = -1;  // when its event occurred; negative: it has not
  std::int64_t end_ = 0;
  std::int64_t last_time_ = 0;  // in the file
  bool cut_ = false;
};

}  // namespace

std::unique_ptr<Waves> keep_wave_window(WavePlan plan) {
  return std::make_unique<WindowKeeper>(std::move(plan));
}

}  // namespace flitwave
