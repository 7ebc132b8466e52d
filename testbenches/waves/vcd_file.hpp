// testbenches/waves/vcd_file.hpp: writes a value change dump within a size limit.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace flitwave {

/// Takes the values of variables.
class ValueSink {
 public:
  /// The variables first, first + 1, ... whose bit is set. Shape: `values` [any]
  virtual void change(std::size_t first, const std::uint64_t* values, std::uint64_t which) = 0;
  void change(std::size_t variable, std::uint64_t value) { change(variable, &value, 1); }

 protected:
  ~ValueSink() = default;
};

/// A VCD file that is being written; a time unit is a picosecond. It contains no date: equal runs
/// give equal files.
///
/// Changes are written in steps, one for each time at which a value changes. A step that would make
/// the file larger than its limit is omitted whole, a comment states this, and the file is full.
/// Source: IEEE 1364-2005, section 18.
class VcdFile final : public ValueSink {
 public:
  struct Variable {
    std::string scope;  ///< Modules, outermost first, joined by dots.
    std::string name;
    int width;  ///< Range: 1 .. 64
  };

  /// The text before the first change. Variables of one scope are listed together.
  static std::string header(const std::vector<Variable>& variables, const std::string& comment);

  /// Writes the header; variable i of the list is number i later on.
  /// Throws: SystemFailure
  VcdFile(std::string path, std::int64_t limit, const std::vector<Variable>& variables,
          const std::string& comment);

  void begin_step(std::int64_t time);
  /// "$dumpvars" or "$dumpon": all values follow, until `end_values`.
  void begin_values(const char* command);
  void end_values();
  using ValueSink::change;
  void change(std::size_t first, const std::uint64_t* values, std::uint64_t which) override;
  void make_unknown(std::size_t variable);
  /// A step in which nothing was written adds nothing to the file.
  /// Returns: false when the file is full.
  /// Throws: SystemFailure
  bool end_step();

  bool full() const { return full_; }
  /// The size so far. Unit: B
  std::int64_t size() const { return written_ + static_cast<std::int64_t>(used_); }
  /// Ends the file at `time`, unless it is full, and closes it.
  /// Throws: SystemFailure when any of it could not be written.
  void close(std::int64_t time);

 private:
  /// The text after a value: " ID\n"; a scalar has no blank.
  struct alignas(16) Tail {
    std::array<char, 8> text{};
    std::uint8_t length = 0;
    bool scalar = false;
  };
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  static Tail tail_of(std::size_t number, int width);
  void append(const std::string& text);
  void append_tail(const Tail& tail);
  char* room(std::size_t bytes);
  void write_time(std::int64_t time);
  void flush();

  std::string path_;
  std::int64_t limit_;
  std::int64_t last_step_ends_by_;  // bytes of the file: after it the last comment fits
  std::unique_ptr<std::FILE, Closer> file_;
  std::vector<Tail> tails_;  // Shape: [variables]
  std::vector<char> buffer_;
  std::size_t used_ = 0;        // bytes used of the buffer
  std::size_t step_begin_ = 0;  // in the buffer
  std::size_t step_head_ = 0;   // in the buffer: after the step's time
  std::int64_t written_ = 0;    // bytes already handed to the system
  std::int64_t step_time_ = 0;
  std::int64_t last_time_ = -1;
  bool full_ = false;
};

}  // namespace flitwave
