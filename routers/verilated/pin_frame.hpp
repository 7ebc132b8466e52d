// routers/verilated/pin_frame.hpp: the values of all pins of a design, as words.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "routers/verilated/router_design.hpp"

namespace flitwave {

/// Bits `lsb` .. `lsb` + `width` - 1 of a number in words of 64 bits, the least word first.
/// Range: width 1 .. 64
std::uint64_t bits_in(const std::uint64_t* words, int lsb, int width);
void set_bits_in(std::uint64_t* words, int lsb, int width, std::uint64_t value);
/// Copies bits of any number.
void copy_bits(const std::uint64_t* from, int from_lsb, std::uint64_t* to, int to_lsb, int width);
/// The words that hold a number of bits.
inline int words_of(int width) { return (width + 63) / 64; }
/// Whether a value can be written in so many bits.
inline bool fits(std::uint64_t value, int width) { return width >= 64 || value >> width == 0; }

/// The values of the pins of a design; all are 0 at first.
class PinFrame {
 public:
  explicit PinFrame(const std::vector<DesignPin>& pins);

  std::uint64_t* words(int pin) { return words_.data() + first_[static_cast<std::size_t>(pin)]; }
  const std::uint64_t* words(int pin) const {
    return words_.data() + first_[static_cast<std::size_t>(pin)];
  }

  /// Of pins that exist. Range: bits.width 1 .. 64
  std::uint64_t get(const PinBits& bits) const {
    return bits_in(words(bits.pin), bits.lsb, bits.width);
  }
  void set(const PinBits& bits, std::uint64_t value) {
    set_bits_in(words(bits.pin), bits.lsb, bits.width, value);
  }

  /// Whether a pin has the same value in both.
  /// Needs: a frame of the same pins.
  bool equals(const PinFrame& other, int pin) const {
    return std::equal(words(pin), words(pin + 1), other.words(pin));
  }
  /// Needs: a frame of the same pins.
  void copy_from(const PinFrame& other) {
    std::copy(other.words_.begin(), other.words_.end(), words_.begin());
  }
  friend bool operator==(const PinFrame& a, const PinFrame& b) { return a.words_ == b.words_; }
  friend bool operator!=(const PinFrame& a, const PinFrame& b) { return !(a == b); }

 private:
  std::vector<std::size_t> first_;    // Shape: [pins + 1]
  std::vector<std::uint64_t> words_;  // of one pin after the other
};

}  // namespace flitwave
