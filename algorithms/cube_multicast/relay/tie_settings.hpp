// algorithms/cube_multicast/relay/tie_settings.hpp: a tie rule as written in a job.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/cube_multicast/tie_rule.hpp"
#include "configs/codec.hpp"

namespace flitwave {

/// Which of several equally good dimensions is taken, by name.
enum class Ties { lowest, highest, random };
std::vector<std::string> names_of(Ties);

/// Dimensions in order of preference, by node; as written.
struct TieScript {
  ConfigNode written;

  bool empty() const { return written.entries().empty(); }
};

template <>
struct Codec<TieScript> {
  static TieScript read(const ConfigNode& node);
  static std::string print(const TieScript& value);
  static ValueType type();
};

/// `seed`: for random ties.
/// Throws: ConfigError on `script` when other ties are set as well; at an entry of the
///   script that names a node or dimension that the cube does not have.
TieRule tie_rule_of(Ties ties, const TieScript& script, const Cube& cube, std::uint64_t seed);

}  // namespace flitwave
