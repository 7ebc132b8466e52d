// routers/verilated/pin_frame.cpp: see pin_frame.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/verilated/pin_frame.hpp"

#include <algorithm>

#include "modules/signals/bits.hpp"

namespace flitwave {

std::uint64_t bits_in(const std::uint64_t* words, int lsb, int width) {
  const int shift = lsb % 64;
  std::uint64_t value = words[lsb / 64] >> shift;
  if (shift + width > 64) value |= words[lsb / 64 + 1] << (64 - shift);
  return value & first_bits(width);
}

void set_bits_in(std::uint64_t* words, int lsb, int width, std::uint64_t value) {
  const int shift = lsb % 64;
  const std::uint64_t mask = first_bits(width);
  std::uint64_t* word = words + lsb / 64;
  value &= mask;
  word[0] = (word[0] & ~(mask << shift)) | value << shift;
  if (shift + width <= 64) return;
  word[1] = (word[1] & ~(mask >> (64 - shift))) | value >> (64 - shift);
}

void copy_bits(const std::uint64_t* from, int from_lsb, std::uint64_t* to, int to_lsb, int width) {
  for (int done = 0; done < width; done += 64) {
    const int part = std::min(64, width - done);
    set_bits_in(to, to_lsb + done, part, bits_in(from, from_lsb + done, part));
  }
}

PinFrame::PinFrame(const std::vector<DesignPin>& pins) {
  std::size_t count = 0;
  for (const DesignPin& pin : pins) {
    first_.push_back(count);
    count += static_cast<std::size_t>(words_of(pin.width));
  }
  first_.push_back(count);
  words_.resize(count, 0);
}

}  // namespace flitwave
