// testbenches/tests/timed/vcd_reader.hpp: reads a value change dump, for tests and for the manual.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace flitwave {

/// The text is not a value change dump; `what()` reads "FILE:LINE: PROBLEM".
class VcdError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A signal and its history.
class VcdSignal {
 public:
  struct Change {
    std::int64_t time;  ///< Unit: ps.
    /// The value with the fewest binary digits: "0", "101", "x", "z1"; a real or a string as
    /// written, with a leading r or s.
    std::string value;

    friend bool operator==(const Change& a, const Change& b) {
      return a.time == b.time && a.value == b.value;
    }
  };

  int width = 1;
  std::vector<Change> changes;  ///< By time, without values that repeat the preceding one.

  /// The value of the signal from `time` (ps) on; "x" before its first value.
  const std::string& at(std::int64_t time) const;
  /// The value as a number.
  /// Throws: VcdError when it is not a number, such as "x", or has more than 64 bits.
  std::uint64_t number(std::int64_t time) const;
};

/// The contents of a file.
struct Vcd {
  /// By full name: scopes and name, joined by dots, without a bit range: "top.router.valid"; a
  /// single bit of a vector keeps its index: "top.bus[3]".
  std::map<std::string, VcdSignal> signals;
  std::string date;
  std::string version;
  std::vector<std::string> comments;
  std::int64_t end = 0;  ///< The last time in the file. Unit: ps.

  /// Throws: VcdError when there is no such signal.
  const VcdSignal& signal(const std::string& name) const;
};

/// Throws: VcdError, with the line, for violations of the format: undeclared codes, values wider
/// than their variable, decreasing time, missing `$end`s; also for times that are not whole
/// picoseconds.
/// Source: IEEE 1364-2005, section 18; strings are an extension of viewers.
Vcd parse_vcd(const std::string& text, const std::string& file);
/// Throws: VcdError also when the file cannot be read.
Vcd read_vcd(const std::string& path);

/// The part of a wave from `begin` until `end`: the values at `begin`, and the later changes.
/// Unit: ps
Vcd window_of(const Vcd& whole, std::int64_t begin, std::int64_t end);

/// The first difference of two waves in a signal's name, a time or a value; empty if there is none.
std::string difference(const Vcd& left, const Vcd& right);

}  // namespace flitwave
