// algorithms/arrays/sections/axis_transfer.cpp: see axis_transfer.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/arrays/sections/axis_transfer.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "configs/error.hpp"

namespace flitwave {

namespace {

void check(const BlockSection& side) {
  const Section& section = side.section;
  if (section.stride < 1)
    throw ConfigError("stride", fmt::format("a section of stride {}", section.stride),
                      "use a stride of 1 or more");
  if (section.lower < 0 || section.elements() == 0)
    throw ConfigError("section", fmt::format("the section {} has no elements", to_string(section)),
                      "write lower:upper:stride with 0 <= lower <= upper");
  if (side.block < 1 || section.stride > side.block)
    throw ConfigError(
        "block",
        fmt::format("blocks of {} and a stride of {}: an inner processor of the section "
                    "would own no element",
                    side.block, section.stride),
        "use blocks at least as long as the stride");
}

/// Far more than any network has.
void check_processors(const BlockSection& side, const char* key) {
  constexpr std::int64_t most = 1'000'000;
  const Section& section = side.section;
  const std::int64_t processor = section.element(section.elements() - 1) / side.block;
  if (processor >= most)
    throw ConfigError(key,
                      fmt::format("the section {} in blocks of {} ends on processor {}, and {} are "
                                  "the most",
                                  to_string(section), side.block, processor, most),
                      "use longer blocks");
}

}  // namespace

AxisTransfer::AxisTransfer(BlockSection source, BlockSection destination)
    : source_(source), destination_(destination), elements_(source.section.elements()) {
  check(source);
  check(destination);
  check_processors(source, "source.block");
  check_processors(destination, "destination.block");
  if (elements_ != destination.section.elements())
    throw ConfigError(
        "section",
        fmt::format("the sections {} and {} have {} and {} elements", to_string(source.section),
                    to_string(destination.section), elements_, destination.section.elements()),
        "use sections of equal numbers of elements");
}

bool AxisTransfer::is_regular() const {
  if (!is_source_regular() || !is_destination_regular()) return false;
  const std::int64_t source = source_.block / source_.section.stride;
  const std::int64_t destination = destination_.block / destination_.section.stride;
  return source % destination == 0 || destination % source == 0;
}

bool AxisTransfer::is_shift() const {
  return is_regular() &&
         source_.block * destination_.section.stride == destination_.block * source_.section.stride;
}

std::vector<AxisMessage> AxisTransfer::messages() const {
  std::vector<AxisMessage> messages;
  for (std::int64_t index = 0; index < elements_;) {
    const int from = source_of(index);
    const int to = destination_of(index);
    const std::int64_t last = std::min(at_source(from).last, at_destination(to).last);
    messages.push_back({from, to, {index, last}});
    index = last + 1;
  }
  return messages;
}

std::int64_t AxisTransfer::begin(const BlockSection& side, int processor) const {
  const std::int64_t first = processor * side.block - side.section.lower;
  return std::max<std::int64_t>(0, ceil_div(first, side.section.stride));
}

IndexRange AxisTransfer::owned(const BlockSection& side, int processor) const {
  const std::int64_t next = (processor + std::int64_t{1}) * side.block - side.section.lower;
  return {begin(side, processor),
          std::min(elements_, std::max<std::int64_t>(0, ceil_div(next, side.section.stride))) - 1};
}

bool AxisTransfer::is_regular(const BlockSection& side) const {
  const Section& section = side.section;
  const std::int64_t first = section.lower % side.block;
  const std::int64_t next = section.element(elements_) % side.block;
  return side.block % section.stride == 0 && first == next && first < section.stride;
}

}  // namespace flitwave
