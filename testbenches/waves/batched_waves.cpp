// testbenches/waves/batched_waves.cpp: waves of the batched schedule, written from its commit list.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <optional>

#include "configs/error.hpp"
#include "modules/signals/active_set.hpp"
#include "testbenches/waves/gtkwave.hpp"
#include "testbenches/waves/vcd_file.hpp"
#include "testbenches/waves/wave_plan.hpp"

namespace flitwave {

namespace {

/// Ends that were committed are looked at once per commit; what they showed last at a time is
/// written when time goes on, so that delta cycles leave no trace.
class BatchedWaves final : public Waves {
 public:
  explicit BatchedWaves(WavePlan plan);
  ~BatchedWaves() override {
    stop();
    plan_.domain.set_commit_listener(nullptr);
  }
  BatchedWaves(const BatchedWaves&) = delete;
  BatchedWaves& operator=(const BatchedWaves&) = delete;

  void finish(std::int64_t end) override;
  bool cut() const override { return file_.full(); }

 private:
  struct Record final : LaneListener {
    void committed() override { changed->insert(number); }

    ActiveSet* changed = nullptr;
    int number = 0;
    std::size_t first_variable = 0;
    WaveSample sample;
    std::array<std::uint64_t, WaveSample::most> written{};
  };

  /// A wire within a router.
  struct Inner {
    std::uint64_t value = 0;
    std::uint64_t written = 0;
  };

  void listen();
  void stop();
  void look();
  void look_inside(std::size_t wire);
  bool reach(std::int64_t now);
  void begin_unknown();
  void open(std::int64_t time);
  void write_step();
  void write_changes(std::size_t number);
  void write_inner(std::size_t wire);

  WavePlan plan_;
  VcdFile file_;
  std::vector<Record> records_;  // Shape: [ends]
  ActiveSet changed_;            // in the commit that is under way
  ActiveSet seen_;               // at `time_`, not yet written
  std::vector<Inner> inner_;     // Shape: [inner wires]
  std::size_t first_inner_ = 0;  // its variable
  ActiveSet inner_seen_;         // at `time_`, not yet written
  std::unique_ptr<sc_core::sc_module> watchers_;
  std::int64_t time_ = 0;  // of the last change seen
  std::int64_t first_activity_ = -1;
  bool listening_ = false;
  bool open_ = false;
  bool finished_ = false;
};

BatchedWaves::BatchedWaves(WavePlan plan)
    : plan_(std::move(plan)),
      file_(plan_.path, plan_.limit.count, variables_of(plan_), wave_comment),
      records_(plan_.ends.size()) {
  changed_.resize(static_cast<int>(records_.size()));
  seen_.resize(static_cast<int>(records_.size()));
  std::size_t variable = 0;
  for (std::size_t i = 0; i < records_.size(); ++i) {
    records_[i].changed = &changed_;
    records_[i].number = static_cast<int>(i);
    records_[i].first_variable = variable;
    variable += plan_.ends[i].signals.size();
    records_[i].sample.take(*plan_.ends[i].wires, plan_.packets);
  }
  first_inner_ = variable;
  inner_seen_.resize(static_cast<int>(plan_.inner.size()));
  for (const InnerWire& wire : plan_.inner) inner_.push_back({wire.value(), 0});
  if (!inner_.empty())
    watchers_ = watch(plan_.inner, [this](std::size_t wire) { look_inside(wire); });
  if (plan_.from > 0) begin_unknown();
  listen();
}

void BatchedWaves::listen() {
  for (std::size_t i = 0; i < records_.size(); ++i) {
    ChannelEnd& wires = *plan_.ends[i].wires;
    wires.forward.wires().set_listener(&records_[i]);
    if (wires.back) wires.back->wires().set_listener(&records_[i]);
    if (wires.request) wires.request->wires().set_listener(&records_[i]);
    if (wires.ready) wires.ready->set_listener(&records_[i]);
  }
  plan_.domain.set_commit_listener([this] { look(); });
  listening_ = true;
}

void BatchedWaves::stop() {
  if (!listening_) return;
  listening_ = false;
  for (const WaveEnd& end : plan_.ends) {
    end.wires->forward.wires().set_listener(nullptr);
    if (end.wires->back) end.wires->back->wires().set_listener(nullptr);
    if (end.wires->request) end.wires->request->wires().set_listener(nullptr);
    if (end.wires->ready) end.wires->ready->set_listener(nullptr);
  }
}

/// Comes before a change is seen: writes those of the time before.
/// Returns: whether it is still to be recorded.
bool BatchedWaves::reach(std::int64_t now) {
  if (now == time_) return true;
  write_step();
  if (!open_ && plan_.from < now) open(plan_.from);
  time_ = now;
  if (now < plan_.until && !file_.full()) return true;
  stop();
  return false;
}

/// Comes when a wire within a router has changed.
void BatchedWaves::look_inside(std::size_t wire) {
  if (!listening_ || !reach(picoseconds_now())) return;
  inner_[wire].value = plan_.inner[wire].value();
  inner_seen_.insert(static_cast<int>(wire));
}

/// Comes after every commit.
void BatchedWaves::look() {
  if (!listening_ || changed_.empty()) return;
  if (!reach(picoseconds_now())) return;
  changed_.visit([this](int number) {
    const auto index = static_cast<std::size_t>(number);
    WaveSample& sample = records_[index].sample;
    sample.take(*plan_.ends[index].wires, plan_.packets);
    if (first_activity_ < 0 && time_ >= plan_.from && sample.values()[WaveSample::valid] != 0)
      first_activity_ = time_;
    seen_.insert(number);
    return false;
  });
}

void BatchedWaves::begin_unknown() {
  file_.begin_step(0);
  file_.begin_values("$dumpvars");
  for (std::size_t i = 0; i < records_.size(); ++i)
    for (std::size_t k = 0; k < plan_.ends[i].signals.size(); ++k)
      file_.make_unknown(records_[i].first_variable + k);
  for (std::size_t i = 0; i < inner_.size(); ++i) file_.make_unknown(first_inner_ + i);
  file_.end_values();
  file_.end_step();
}

/// The window starts: writes what every signal is worth.
void BatchedWaves::open(std::int64_t time) {
  open_ = true;
  if (file_.full()) return;
  file_.begin_step(time);
  file_.begin_values(plan_.from > 0 ? "$dumpon" : "$dumpvars");
  for (std::size_t i = 0; i < records_.size(); ++i) {
    Record& record = records_[i];
    record.written = record.sample.values();
    for (std::size_t k = 0; k < plan_.ends[i].signals.size(); ++k)
      file_.change(record.first_variable + k, record.written[k]);
  }
  for (std::size_t i = 0; i < inner_.size(); ++i) {
    inner_[i].written = inner_[i].value;
    file_.change(first_inner_ + i, inner_[i].value);
  }
  file_.end_values();
  file_.end_step();
}

/// Time goes on: writes what has changed at `time_`.
void BatchedWaves::write_step() {
  if (!open_ && time_ == plan_.from) {
    open(time_);
  } else if (open_ && !file_.full()) {
    file_.begin_step(time_);
    seen_.visit([this](int number) {
      write_changes(static_cast<std::size_t>(number));
      return false;
    });
    inner_seen_.visit([this](int wire) {
      write_inner(static_cast<std::size_t>(wire));
      return false;
    });
    file_.end_step();
  }
  seen_.visit([](int) { return false; });
  inner_seen_.visit([](int) { return false; });
}

void BatchedWaves::write_changes(std::size_t number) {
  Record& record = records_[number];
  const std::size_t count = plan_.ends[number].signals.size();
  const auto& values = record.sample.values();
  std::uint64_t changed = 0;
  for (std::size_t k = 0; k < WaveSample::most; ++k)
    changed |= static_cast<std::uint64_t>(values[k] != record.written[k]) << k;
  changed &= (std::uint64_t{1} << count) - 1;
  if (changed == 0) return;
  record.written = values;
  file_.change(record.first_variable, values.data(), changed);
}

void BatchedWaves::write_inner(std::size_t wire) {
  Inner& inner = inner_[wire];
  if (inner.written == inner.value) return;
  inner.written = inner.value;
  file_.change(first_inner_ + wire, inner.value);
}

void BatchedWaves::finish(std::int64_t end) {
  if (finished_) return;
  finished_ = true;
  const bool was_listening = listening_;
  stop();
  if (was_listening) {
    write_step();
    if (!open_ && plan_.from <= end) open(plan_.from);
  }
  file_.close(std::min(end, plan_.until));
  write_gtkwave(plan_, first_activity_);
}

}  // namespace

std::unique_ptr<Waves> record_batched(WavePlan plan) {
  return std::make_unique<BatchedWaves>(std::move(plan));
}

}  // namespace flitwave
