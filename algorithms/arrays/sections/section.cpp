// algorithms/arrays/sections/section.cpp: see section.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/arrays/sections/section.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

#include <fmt/format.h>

namespace flitwave {

namespace {

/// Greatest bound and stride: sums of products of two fit in a 64-bit number.
constexpr std::int64_t greatest_bound = std::int64_t{1} << 31;

/// The numbers between colons.
/// Throws: ConfigError at `node`.
std::vector<std::int64_t> numbers_of(const ConfigNode& node) {
  const std::string text = Codec<std::string>::read(node);
  std::vector<std::int64_t> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    std::int64_t number = 0;
    const auto [rest, error] = std::from_chars(at, end, number);
    if (error == std::errc() && number < 0)
      throw node.error(fmt::format("`{}` has a negative number", text),
                       "write lower:upper:stride with numbers from 0 on; operation: {kind: "
                       "cyclic_assignment} reads sections backwards");
    if (error != std::errc() || number > greatest_bound)
      throw node.error(fmt::format("`{}` is not a section", text),
                       fmt::format("write lower:upper:stride with numbers from 0 to {}, e.g. "
                                   "0:15:2, or 0:15",
                                   greatest_bound));
    numbers.push_back(number);
    if (rest == end) return numbers;
    if (*rest != ':' || numbers.size() == 3)
      throw node.error(fmt::format("`{}` is not a section", text),
                       "write lower:upper:stride, e.g. 0:15:2, or 0:15");
    at = rest + 1;
  }
}

}  // namespace

std::string to_string(const Section& section) {
  return section.stride == 1
             ? fmt::format("{}:{}", section.lower, section.upper)
             : fmt::format("{}:{}:{}", section.lower, section.upper, section.stride);
}

Section Codec<Section>::read(const ConfigNode& node) {
  const std::vector<std::int64_t> numbers = numbers_of(node);
  if (numbers.size() < 2)
    throw node.error("a section has a lower and an upper bound",
                     "write lower:upper:stride, e.g. 0:15:2, or 0:15");
  const Section section{numbers[0], numbers[1], numbers.size() > 2 ? numbers[2] : 1};
  if (section.stride == 0)
    throw node.error("a section of stride 0 has no end", "use a stride of 1 or more");
  if (section.upper < section.lower)
    throw node.error(
        fmt::format("the section ends at {}, before it begins at {}", section.upper, section.lower),
        "write the lower bound first");
  return section;
}

ValueType Codec<Section>::type() {
  return {"section", "0:15:2", R"({"type":"string","pattern":"^[0-9]+:[0-9]+(:[1-9][0-9]*)?$"})"};
}

IndexRange intersection(IndexRange a, IndexRange b) {
  return {std::max(a.first, b.first), std::min(a.last, b.last)};
}

IndexBlock intersection(const IndexBlock& a, const IndexBlock& b) {
  return {intersection(a.rows, b.rows), intersection(a.columns, b.columns)};
}

Section on_template(const Section& section, std::int64_t offset, std::int64_t stride) {
  return {offset + section.lower * stride, offset + section.upper * stride,
          section.stride * stride};
}

std::int64_t floor_div(std::int64_t dividend, std::int64_t divisor) {
  const std::int64_t quotient = dividend / divisor;
  return quotient - (dividend % divisor < 0 ? 1 : 0);
}

std::int64_t ceil_div(std::int64_t dividend, std::int64_t divisor) {
  return -floor_div(-dividend, divisor);
}

}  // namespace flitwave
