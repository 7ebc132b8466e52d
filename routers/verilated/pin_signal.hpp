// routers/verilated/pin_signal.hpp: pins of a design as SystemC signals of the usual types.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <systemc>

#include "routers/verilated/router_design.hpp"

namespace flitwave {

namespace detail {

/// The conversion of a type to and from words; this one is for bool and integers.
template <class T>
struct PinBitsOf {
  static T from(const std::uint64_t* words) { return static_cast<T>(words[0]); }
  static int to(const T& value, std::uint64_t* words) {
    words[0] = static_cast<std::uint64_t>(value);
    return -1;
  }
  static char digit(const T& value, int bit) {
    return (static_cast<std::uint64_t>(value) >> bit & 1) != 0 ? '1' : '0';
  }
};

template <int width>
struct PinBitsOf<sc_dt::sc_uint<width>> {
  static sc_dt::sc_uint<width> from(const std::uint64_t* words) { return words[0]; }
  static int to(const sc_dt::sc_uint<width>& value, std::uint64_t* words) {
    words[0] = value.to_uint64();
    return -1;
  }
  static char digit(const sc_dt::sc_uint<width>& value, int bit) {
    return (value.to_uint64() >> bit & 1) != 0 ? '1' : '0';
  }
};

template <>
struct PinBitsOf<sc_dt::sc_logic> {
  static sc_dt::sc_logic from(const std::uint64_t* words) {
    return sc_dt::sc_logic((words[0] & 1) != 0);
  }
  static int to(const sc_dt::sc_logic& value, std::uint64_t* words) {
    words[0] = value == sc_dt::SC_LOGIC_1 ? 1 : 0;
    return value.is_01() ? -1 : 0;
  }
  static char digit(const sc_dt::sc_logic& value, int) { return value.to_char(); }
};

/// Vectors of 32-bit words, with (sc_lv) or without (sc_bv) unknown bits.
template <class Vector, int width>
struct PinVectorOf {
  static constexpr int words32 = (width + 31) / 32;

  static Vector from(const std::uint64_t* words) {
    Vector value;
    for (int i = 0; i < words32; ++i) {
      auto part = static_cast<sc_dt::sc_digit>(words[i / 2] >> (i % 2 * 32));
      if (i + 1 == words32 && width % 32 != 0) part &= ~(~sc_dt::sc_digit{0} << width % 32);
      value.set_word(i, part);
    }
    return value;
  }
  static int to(const Vector& value, std::uint64_t* words) {
    int unknown = -1;
    for (int i = 0; i < words32; ++i) {
      const sc_dt::sc_digit unknowns = value.get_cword(i);
      if (unknowns != 0 && unknown < 0) unknown = i * 32 + __builtin_ctz(unknowns);
      const std::uint64_t part = value.get_word(i) & ~unknowns;
      words[i / 2] = i % 2 == 0 ? part : words[i / 2] | part << 32;
    }
    return unknown;
  }
  static char digit(const Vector& value, int bit) {
    return sc_dt::sc_logic(value.get_bit(bit)).to_char();
  }
};

template <int width>
struct PinBitsOf<sc_dt::sc_bv<width>> : PinVectorOf<sc_dt::sc_bv<width>, width> {};
template <int width>
struct PinBitsOf<sc_dt::sc_lv<width>> : PinVectorOf<sc_dt::sc_lv<width>, width> {};

}  // namespace detail

/// A signal of the type of a port: bool, an unsigned integer, sc_uint<W>, sc_logic, sc_bv<W> or
/// sc_lv<W>.
template <class T>
class PinSignalOf final : public PinSignal {
 public:
  explicit PinSignalOf(const char* name) : signal_(name) {}

  /// To be bound to the port of the design.
  sc_core::sc_signal<T>& signal() { return signal_; }

  void write(const std::uint64_t* words) override {
    signal_.write(detail::PinBitsOf<T>::from(words));
  }
  int read(std::uint64_t* words) const override {
    return detail::PinBitsOf<T>::to(signal_.read(), words);
  }
  char digit(int bit) const override { return detail::PinBitsOf<T>::digit(signal_.read(), bit); }
  const sc_core::sc_event& changed() const override { return signal_.value_changed_event(); }

 private:
  sc_core::sc_signal<T> signal_;
};

}  // namespace flitwave
