// testbenches/reference/rules/pattern_rules.cpp: the destination of each node under a fixed traffic
// pattern.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/rules/pattern_rules.hpp"

namespace flitwave::reference {

namespace {

/// The number of bits of node numbers, or -1 if the number of nodes is not a power of two.
int bits_for(int nodes) {
  int bits = 0;
  while ((1 << bits) < nodes) ++bits;
  return (1 << bits) == nodes ? bits : -1;
}

bool is_square(const std::vector<int>& extents) {
  return extents.size() == 2 && extents[0] == extents[1];
}

/// The number whose bit i is the source's bit `from(i)`, as the table has d_i = s_from(i).
template <class From>
int permuted_bits(int source, int bits, From from) {
  int destination = 0;
  for (int i = 0; i < bits; ++i)
    if ((source >> from(i) & 1) != 0) destination |= 1 << i;
  return destination;
}

/// Digit by digit: d_x = (s_x + offset) mod k_x.
template <class Offset>
int shifted_digits(const std::vector<int>& extents, int source, Offset offset) {
  int destination = 0;
  int stride = 1;
  for (const int extent : extents) {
    const int digit = source / stride % extent;
    destination += (digit + offset(extent)) % extent * stride;
    stride *= extent;
  }
  return destination;
}

}  // namespace

bool has_pattern(PatternRule pattern, const PatternNodes& nodes) {
  const int bits = bits_for(nodes.count);
  switch (pattern) {
    case PatternRule::bit_complement:
    case PatternRule::bit_reverse:
    case PatternRule::shuffle:
      return bits >= 0;
    case PatternRule::transpose:
      return is_square(nodes.extents) || (bits >= 0 && bits % 2 == 0);
    case PatternRule::tornado:
    case PatternRule::neighbor:
      return !nodes.extents.empty();
  }
  return false;
}

int pattern_destination(PatternRule pattern, const PatternNodes& nodes, int source) {
  const int bits = bits_for(nodes.count);
  switch (pattern) {
    case PatternRule::bit_complement:
      return nodes.count - 1 - source;
    case PatternRule::bit_reverse:
      return permuted_bits(source, bits, [bits](int i) { return bits - 1 - i; });
    case PatternRule::shuffle:
      return permuted_bits(source, bits, [bits](int i) { return (i + bits - 1) % bits; });
    case PatternRule::transpose:
      if (is_square(nodes.extents))
        return source % nodes.extents[0] * nodes.extents[0] + source / nodes.extents[0];
      return permuted_bits(source, bits, [bits](int i) { return (i + bits / 2) % bits; });
    case PatternRule::tornado:
      return shifted_digits(nodes.extents, source, [](int k) { return (k + 1) / 2 - 1; });
    case PatternRule::neighbor:
      return shifted_digits(nodes.extents, source, [](int) { return 1; });
  }
  return source;
}

}  // namespace flitwave::reference
