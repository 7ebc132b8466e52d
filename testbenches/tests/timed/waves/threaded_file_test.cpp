// testbenches/tests/timed/waves/threaded_file_test.cpp: a wave's file that another thread writes.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/waves/files/threaded_file.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "configs/random.hpp"
#include "testbenches/tests/catch.hpp"

namespace threaded_file_test {

using namespace flitwave;

namespace {

/// The calls of a file, as texts.
using Calls = std::vector<std::string>;

/// Keeps its calls; is full after `limit` steps; fails at the end of step `failing`.
class RecordedFile final : public WaveFile {
 public:
  RecordedFile(Calls& calls, std::int64_t limit, std::int64_t failing = -1)
      : calls_(calls), limit_(limit), failing_(failing) {}

  ValueSink* begin_step(std::int64_t time) override {
    if (full()) return nullptr;
    calls_.push_back("step " + std::to_string(time));
    return this;
  }
  void begin_values(const char* command) override { calls_.emplace_back(command); }
  void end_values() override { calls_.emplace_back("end of values"); }
  void make_unknown(std::size_t variable) override {
    calls_.push_back("unknown " + std::to_string(variable));
  }
  using WaveFile::change;
  void change(std::size_t first, const std::uint64_t* values, std::uint64_t which) override {
    for (std::size_t i = 0; i < 64; ++i)
      if ((which >> i & 1) != 0)
        calls_.push_back(std::to_string(first + i) + " = " + std::to_string(values[i]));
  }
  bool end_step() override {
    calls_.emplace_back("end of step");
    if (++steps_ == failing_) throw std::runtime_error("the disk is full");
    return !full();
  }
  bool full() const override { return steps_ >= limit_; }
  void close(std::int64_t time) override { calls_.push_back("closed " + std::to_string(time)); }
  std::int64_t last_time() const override { return 0; }

 private:
  Calls& calls_;
  std::int64_t limit_;
  std::int64_t failing_;
  std::int64_t steps_ = 0;
};

/// Empty: none.
std::string first_difference(const Calls& found, const Calls& expected) {
  for (std::size_t i = 0; i < std::min(found.size(), expected.size()); ++i)
    if (found[i] != expected[i])
      return "call " + std::to_string(i) + ": " + found[i] + " instead of " + expected[i];
  if (found.size() == expected.size()) return "";
  return std::to_string(found.size()) + " calls instead of " + std::to_string(expected.size());
}

constexpr std::int64_t steps = 30'000;

/// Writes random steps until the file is full. Returns: the number of steps that were taken.
std::int64_t write(WaveFile& file) {
  Random random(3, "steps");
  std::int64_t step = 0;
  for (; step < steps; ++step) {
    ValueSink* const sink = file.begin_step(step);
    if (!sink) break;
    if (random.below(100) == 0) {
      file.begin_values(random.below(2) == 0 ? "$dumpvars" : "$dumpon");
      file.make_unknown(random.below(1000));
      file.end_values();
    }
    for (std::uint64_t change = random.below(5); change > 0; --change) {
      std::vector<std::uint64_t> values(64);
      for (std::uint64_t& value : values) value = random.bits();
      sink->change(random.below(1000), values.data(), random.bits() & random.bits());
    }
    file.end_step();
  }
  file.close(step);
  return step;
}

}  // namespace

TEST_CASE("a file that another thread writes is the same, and is found full at the same step",
          "[timed]") {
  const std::int64_t limit = GENERATE(std::int64_t{1}, std::int64_t{10'000}, steps + 1);
  CAPTURE(limit);
  Calls expected;
  RecordedFile direct(expected, limit);
  write(direct);
  // Only the time of the end depends on when the writer knows that the file is full.
  expected.pop_back();
  std::int64_t taken = -1;
  for (int round = 0; round < 3; ++round) {
    Calls calls;
    const auto file = written_by_thread(std::make_unique<RecordedFile>(calls, limit));
    const std::int64_t now = write(*file);
    CHECK(file->full() == (limit <= steps));
    CHECK(calls.back() == "closed " + std::to_string(now));
    calls.pop_back();
    CHECK(first_difference(calls, expected) == "");
    if (taken >= 0) CHECK(now == taken);
    taken = now;
  }
  CHECK((taken == steps) == (limit > steps / 2));
}

TEST_CASE("what fails while another thread writes is reported by the writer or at the end",
          "[timed]") {
  const std::int64_t failing = GENERATE(std::int64_t{1}, steps / 2, steps);
  Calls calls;
  const auto file = written_by_thread(std::make_unique<RecordedFile>(calls, steps + 1, failing));
  CHECK_THROWS_WITH(write(*file), "the disk is full");
}

TEST_CASE("a file that another thread writes may be left before its end", "[timed]") {
  Calls calls;
  {
    const auto file = written_by_thread(std::make_unique<RecordedFile>(calls, steps));
    for (std::int64_t step = 0; step < 100; ++step) {
      file->begin_step(step)->change(1, 7);
      file->end_step();
    }
  }
  CHECK(calls.size() <= 300);
}

}  // namespace threaded_file_test
