// configs/quantity.hpp: numbers with units, read with units and printed with units.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "configs/codec.hpp"

namespace flitwave {

using Cycle = std::int64_t;  ///< A point in time, counted in clock cycles from reset.

/// A number of bytes. Written "512 B", "2 KiB", "1 MiB", "1 kB" (1000), "1 MB".
struct Bytes {
  std::int64_t count = 0;
  friend bool operator==(Bytes a, Bytes b) { return a.count == b.count; }
};

/// A number of flits. Written "4 flit" or "4 flits".
struct Flits {
  std::int64_t count = 0;
  friend bool operator==(Flits a, Flits b) { return a.count == b.count; }
};

/// A number of clock cycles. Written "3 cycle" or "3 cycles".
struct Cycles {
  std::int64_t count = 0;
  friend bool operator==(Cycles a, Cycles b) { return a.count == b.count; }
};

/// A span of real time. Unit: picosecond. Written "20 ns", "0.45 us", "1 ms", "3300 ps", "2 s";
/// fractions of a picosecond are rejected.
struct Duration {
  std::int64_t picoseconds = 0;
  friend bool operator==(Duration a, Duration b) { return a.picoseconds == b.picoseconds; }
};

/// A delay given either in cycles or in real time.
struct Delay {
  bool in_cycles = true;
  std::int64_t cycles = 0;       ///< When in_cycles.
  std::int64_t picoseconds = 0;  ///< Otherwise.

  static Delay of(Cycles cycles) { return {true, cycles.count, 0}; }
  static Delay of(Duration time) { return {false, 0, time.picoseconds}; }

  /// The delay in whole clock cycles: rounded to the nearest, halves up.
  Cycle rounded(Duration period) const;
  /// The exact delay. Unit: picosecond.
  std::int64_t exact_picoseconds(Duration period) const;
};

/// The delay of `bytes` bytes with `per_byte` for each.
/// Throws: ConfigError when the product exceeds the longest delay.
Delay operator*(Delay per_byte, Bytes bytes);

/// Offered load. Unit: flits per node and cycle. Written "0.1 flit/node/cycle".
struct Rate {
  double flits_per_node_cycle = 0;
};

/// Values of more than one unit, in the largest unit that keeps them exact: "2 KiB", "20 ns".
std::string to_string(Bytes value);
std::string to_string(Flits value);
std::string to_string(Cycles value);
std::string to_string(Duration value);
std::string to_string(Delay value);
std::string to_string(Rate value);

/// A number with its noun in singular or plural: "1 step", "4 steps".
std::string counted(std::int64_t number, const std::string& thing);

template <>
struct Codec<Bytes> {
  static Bytes read(const ConfigNode& node);
  static std::string print(Bytes value) { return to_string(value); }
  static ValueType type();
};
template <>
struct Codec<Flits> {
  static Flits read(const ConfigNode& node);
  static std::string print(Flits value) { return to_string(value); }
  static ValueType type();
};
template <>
struct Codec<Cycles> {
  static Cycles read(const ConfigNode& node);
  static std::string print(Cycles value) { return to_string(value); }
  static ValueType type();
};
template <>
struct Codec<Duration> {
  static Duration read(const ConfigNode& node);
  static std::string print(Duration value) { return to_string(value); }
  static ValueType type();
};
template <>
struct Codec<Delay> {
  static Delay read(const ConfigNode& node);
  static std::string print(Delay value) { return to_string(value); }
  static ValueType type();
};
template <>
struct Codec<Rate> {
  static Rate read(const ConfigNode& node);
  static std::string print(Rate value) { return to_string(value); }
  static ValueType type();
};

}  // namespace flitwave
