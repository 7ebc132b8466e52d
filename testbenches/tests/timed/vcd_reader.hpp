// testbenches/tests/timed/vcd_reader.hpp: reads a value change dump, for tests and for the manual.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace flitwave {

/// The text is no value change dump; `what()` reads "FILE:LINE: PROBLEM".
class VcdError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A signal and its history.
class VcdSignal {
 public:
  struct Change {
    std::int64_t time;  ///< Unit: ps.
    /// The fewest binary digits that stand for it: "0", "101", "x", "z1"; a real or a string as
    /// it was written, its r or s in front.
    std::string value;

    friend bool operator==(const Change& a, const Change& b) {
      return a.time == b.time && a.value == b.value;
    }
  };

  int width = 1;
  std::vector<Change> changes;  ///< By time; a value that repeats the one before is left out.

  /// What the signal is worth from `time` (ps) on; "x" before its first value.
  const std::string& at(std::int64_t time) const;
  /// The same as a number.
  /// Throws: VcdError when it is none, as "x" is not, or has more than 64 bits.
  std::uint64_t number(std::int64_t time) const;
};

/// A file's contents.
struct Vcd {
  /// By full name: scopes and name, joined by dots, without a bit range: "top.router.valid";
  /// a single bit of a vector keeps its index: "top.bus[3]".
  std::map<std::string, VcdSignal> signals;
  std::string date;
  std::string version;
  std::vector<std::string> comments;
  std::int64_t end = 0;  ///< The last time that is named. Unit: ps.

  /// Throws: VcdError when there is no such signal.
  const VcdSignal& signal(const std::string& name) const;
};

/// Throws: VcdError, at its line, for whatever the format forbids: undeclared codes, values wider
///   than their variable, time that goes back, missing `$end`s; also for times that are no whole
///   picoseconds.
/// Source: IEEE 1364-2005, section 18; strings are an extension of viewers.
Vcd parse_vcd(const std::string& text, const std::string& file);
/// Throws: VcdError also when the file cannot be read.
Vcd read_vcd(const std::string& path);

/// Where two waves first differ in a signal's name, a time or a value; empty when they do not.
std::string difference(const Vcd& left, const Vcd& right);

}  // namespace flitwave
