// testbenches/reference/rules/hop.hpp: one output that a packet may take.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>
#include <vector>

namespace flitwave::reference {

/// A network port and a class of virtual channels on it.
struct Hop {
  int port = 0;
  int vc_class = 0;
  /// Whether it is free of deadlock, whatever packets wait for the other hops.
  bool escape = false;

  friend bool operator<(const Hop& a, const Hop& b) {
    return std::tie(a.port, a.vc_class, a.escape) < std::tie(b.port, b.vc_class, b.escape);
  }
  friend bool operator==(const Hop& a, const Hop& b) { return !(a < b) && !(b < a); }
};

using Hops = std::vector<Hop>;

}  // namespace flitwave::reference
