// testbenches/waves/files/wave_clock.cpp: see wave_clock.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/waves/files/wave_clock.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace flitwave {

namespace {

/// Writes the edges of the clock between the steps of its caller. The clock itself is not sampled:
/// its edges follow from the period, also where the simulation skips cycles.
class ClockedFile final : public WaveFile {
 public:
  ClockedFile(std::unique_ptr<WaveFile> file, std::size_t first, const ClockDomain& domain,
              std::int64_t until)
      : file_(std::move(file)), first_(first), domain_(domain), until_(until) {}

  ValueSink* begin_step(std::int64_t time) override {
    write_edges(time);
    if (file_->full()) return nullptr;
    ValueSink* const sink = file_->begin_step(time);
    time_ = time;
    if (is_shown_ && time == next_) write_edge();
    return sink;
  }
  void begin_values(const char* command) override {
    is_unknown_ = false;
    file_->begin_values(command);
  }
  void end_values() override;
  using WaveFile::change;
  void change(std::size_t first, const std::uint64_t* values, std::uint64_t which) override {
    file_->change(first, values, which);
  }
  void make_unknown(std::size_t variable) override {
    is_unknown_ = true;
    file_->make_unknown(variable);
  }
  bool end_step() override { return !file_->full() && file_->end_step(); }
  bool full() const override { return file_->full(); }
  void close(std::int64_t time) override {
    write_edges(std::min(time, until_ - 1) + 1);
    file_->close(time);
  }
  std::int64_t last_time() const override { return file_->last_time(); }

 private:
  static constexpr std::uint64_t all = 0b111;

  std::int64_t period() const { return domain_.period().picoseconds; }
  /// The first edge after a time.
  std::int64_t edge_after(std::int64_t time) const {
    const std::int64_t rise = std::max(time / period() * period(), period());
    if (time < rise) return rise;
    const std::int64_t fall = rise + domain_.high_time();
    return time < fall ? fall : rise + period();
  }
  std::array<std::uint64_t, 3> values_at(std::int64_t time) const {
    return {domain_.is_high(time) ? 1U : 0U, time < domain_.time_of_edge(1) ? 1U : 0U,
            static_cast<std::uint64_t>(std::max<Cycle>(0, domain_.cycle_at(time)))};
  }

  void write_edges(std::int64_t before);
  void write_edge();

  std::unique_ptr<WaveFile> file_;
  std::size_t first_;
  const ClockDomain& domain_;
  std::int64_t until_;
  bool is_shown_ = false;    // its values have been written
  bool is_unknown_ = false;  // the values that are being listed
  std::int64_t time_ = 0;
  std::int64_t next_ = 0;  // the next edge
  std::array<std::uint64_t, 3> written_{};
};

void ClockedFile::end_values() {
  for (std::size_t i = 0; i < written_.size() && is_unknown_; ++i) file_->make_unknown(first_ + i);
  if (!is_unknown_) {
    is_shown_ = true;
    written_ = values_at(time_);
    next_ = edge_after(time_);
    file_->change(first_, written_.data(), all);
  }
  file_->end_values();
}

/// Writes the edges before a time, each in a step of its own.
void ClockedFile::write_edges(std::int64_t before) {
  while (is_shown_ && next_ < before && !file_->full()) {
    file_->begin_step(next_);
    write_edge();
    file_->end_step();
  }
}

/// Writes the next edge in the current step.
void ClockedFile::write_edge() {
  const std::array<std::uint64_t, 3> values = values_at(next_);
  std::uint64_t changed = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] != written_[i]) changed |= std::uint64_t{1} << i;
  written_ = values;
  file_->change(first_, written_.data(), changed);
  next_ = edge_after(next_);
}

}  // namespace

std::vector<WaveVariable> clock_variables(const ClockDomain& domain) {
  const std::string scope = domain.name();
  return {{scope, "clk", 1}, {scope, "reset", 1}, {scope, "cycle", 64}};
}

std::unique_ptr<WaveFile> with_clock(std::unique_ptr<WaveFile> file, std::size_t first,
                                     const ClockDomain& domain, std::int64_t until) {
  return std::make_unique<ClockedFile>(std::move(file), first, domain, until);
}

}  // namespace flitwave
