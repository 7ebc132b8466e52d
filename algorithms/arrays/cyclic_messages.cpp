// algorithms/arrays/cyclic_messages.cpp: see cyclic_messages.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/arrays/cyclic_messages.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "configs/error.hpp"

namespace flitwave {

namespace {

void check_side(const CyclicSection& side, std::int64_t elements) {
  if (side.stride == 0)
    throw ConfigError("stride", "a section of stride 0", "use a positive or a negative stride");
  if (side.block < 1) throw ConfigError("block", "blocks of no element", "use blocks of 1 or more");
  if (side.processors < 1)
    throw ConfigError("processors", "a dimension of no processors", "use 1 or more");
  if (elements < 1 || side.first < 0 || side.element(elements - 1) < 0)
    throw ConfigError("section", "a section without elements, or with negative ones",
                      "use elements from 0");
}

/// The number of indices after which a side's owners repeat.
std::int64_t period_of(const CyclicSection& side) {
  const std::int64_t round = side.block * side.processors;
  return round / std::gcd(std::abs(side.stride), round);
}

/// The last index of the block that contains an index.
std::int64_t last_in_block(const CyclicSection& side, std::int64_t index) {
  const std::int64_t within = side.element(index) % side.block;
  const std::int64_t rest = side.stride > 0 ? side.block - 1 - within : within;
  return index + rest / std::abs(side.stride);
}

}  // namespace

std::int64_t CyclicAxisMessage::elements() const {
  std::int64_t sum = 0;
  for (const IndexRuns& runs : indices) sum += runs.size();
  return sum;
}

std::int64_t CyclicAxis::period() const {
  const std::int64_t a = period_of(source);
  const std::int64_t b = period_of(destination);
  const std::int64_t factor = b / std::gcd(a, b);
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  return a > most / factor ? most : a * factor;
}

std::vector<CyclicAxisMessage> CyclicAxis::messages() const {
  check_side(source, elements);
  check_side(destination, elements);
  const std::int64_t length = std::min(period(), elements);
  constexpr std::int64_t longest = 100'000'000;
  if (length > longest)
    throw ConfigError(
        "elements",
        fmt::format("the owners of a dimension repeat only after {} elements; at most "
                    "{} are possible",
                    length, longest),
        "use fewer elements, or blocks and processors with a common multiple");
  const std::int64_t whole = elements / length;
  const std::int64_t rest = elements % length;  // Indices of a period that occur once more.
  std::map<std::pair<int, int>, std::vector<IndexRuns>> found;
  for (std::int64_t index = 0; index < length;) {
    std::int64_t last =
        std::min({last_in_block(source, index), last_in_block(destination, index), length - 1});
    if (index < rest) last = std::min(last, rest - 1);
    found[{source.owner(index), destination.owner(index)}].push_back(
        {index, last - index + 1, length, whole + (index < rest ? 1 : 0)});
    index = last + 1;
  }
  std::vector<CyclicAxisMessage> messages;
  for (auto& [ends, indices] : found)
    messages.push_back({ends.first, ends.second, std::move(indices)});
  return messages;
}

std::vector<CyclicMessage> cyclic_messages(const CyclicAxis& rows, const CyclicAxis& columns,
                                           bool transposed) {
  const std::vector<CyclicAxisMessage> of_columns = columns.messages();
  std::vector<CyclicMessage> messages;
  for (const CyclicAxisMessage& row : rows.messages())
    for (const CyclicAxisMessage& column : of_columns) {
      const MeshPlace to = transposed ? MeshPlace{column.to, row.to} : MeshPlace{row.to, column.to};
      messages.push_back({{row.from, column.from},
                          to,
                          row.indices,
                          column.indices,
                          row.elements() * column.elements()});
    }
  std::stable_sort(messages.begin(), messages.end(),
                   [](const CyclicMessage& a, const CyclicMessage& b) {
                     return a.from != b.from ? a.from < b.from : a.to < b.to;
                   });
  return messages;
}

}  // namespace flitwave
