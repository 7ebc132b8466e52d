// testbenches/waves/window_keeper.cpp: keeps the last part of a wave, for the case of an error.
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <utility>

#include "testbenches/waves/gtkwave.hpp"
#include "testbenches/waves/sampled_waves.hpp"
#include "testbenches/waves/wave_window.hpp"

namespace flitwave {

namespace {

/// Moves a window along with time.
class WindowKeeper final : public SampledWaves {
 public:
  explicit WindowKeeper(WavePlan its_plan)
      : SampledWaves(std::move(its_plan)), window_(variables_of(plan()).size(), plan().window) {
    for (const auto& source : sources()) source->write_all(window_);
  }

  bool cut() const override { return cut_; }
  void write_window() override {
    const std::unique_ptr<WaveFile> file = open_wave_file(plan());
    window_.write(*file);
    cut_ = file->full();
    file->close(end_);
    WaveView from_window = view();
    from_window.begin = window_.begin();
    write_gtkwave(plan(), from_window);
  }

 private:
  bool advance(std::int64_t) override {
    settle_step();
    return true;
  }
  void end_at(std::int64_t end, bool) override {
    settle_step();
    end_ = end;
    mark_events(end);
    window_.end_at(end);
  }
  void settle_step() {
    window_.begin_step(time());
    settle(&window_, 0);
  }

  WaveWindow window_;
  std::int64_t end_ = 0;
  bool cut_ = false;
};

}  // namespace

std::unique_ptr<Waves> keep_wave_window(WavePlan plan) {
  return std::make_unique<WindowKeeper>(std::move(plan));
}

}  // namespace flitwave
