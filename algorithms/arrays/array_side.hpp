// algorithms/arrays/array_side.hpp: how a job writes one side of an array assignment.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/arrays/array_demand.hpp"
#include "configs/schema.hpp"

namespace flitwave {

/// {section: [0:15, 0:7], block: [4, 2]}
template <>
struct Codec<ArraySide> {
  static ArraySide read(const ConfigNode& node);
  static std::string print(const ArraySide& side);
  static ValueType type();
};

}  // namespace flitwave
