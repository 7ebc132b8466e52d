// configs/section_codec.hpp: parameters of a kind that are a section of their own, or absent.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "configs/schema.hpp"

namespace flitwave {

/// A section within a section. `Params::schema()` is its schema, `Params::example` one as written
/// in a job.
template <class Params>
struct Codec<std::optional<Params>> {
  static std::optional<Params> read(const ConfigNode& node) {
    if (node.is_null()) return std::nullopt;
    return Params::schema().parse(node);
  }
  static std::string print(const std::optional<Params>& value) {
    return value ? map_text(Params::schema().print(*value)) : "null";
  }
  static ValueType type() {
    return {"section", Params::example, R"({"type":"object"})", Params::schema().describe()};
  }
};

}  // namespace flitwave
