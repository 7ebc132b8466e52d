// topologies/ids.hpp: identifiers of distinct types, and indices of containers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace flitwave {

/// An integer, or an enumerator, as the index of a container. Range: 0 ..
template <class Number,
          std::enable_if_t<std::is_integral_v<Number> || std::is_enum_v<Number>, int> = 0>
constexpr std::size_t index(Number number) {
  return static_cast<std::size_t>(number);
}

/// A number that names one object of one type; -1 names none.
template <class Tag>
class Id {
 public:
  constexpr Id() = default;
  explicit constexpr Id(int value) : value_(value) {}

  constexpr int value() const { return value_; }
  constexpr std::size_t index() const { return flitwave::index(value_); }
  constexpr bool valid() const { return value_ >= 0; }

  friend constexpr bool operator==(Id a, Id b) { return a.value_ == b.value_; }
  friend constexpr bool operator!=(Id a, Id b) { return a.value_ != b.value_; }
  friend constexpr bool operator<(Id a, Id b) { return a.value_ < b.value_; }

 private:
  std::int32_t value_ = -1;
};

using NodeId = Id<struct NodeTag>;        ///< A node: one router, one interface, one processor.
using PortId = Id<struct PortTag>;        ///< A connection of one router.
using ChannelId = Id<struct ChannelTag>;  ///< A one-way channel between two routers.

}  // namespace flitwave
