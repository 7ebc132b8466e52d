// testbenches/tests/paper/wang_2001/wang_2001_rows.hpp: the rows of section 4.5 of the
// specification of Wang et al. 2001.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace flitwave::testing {

/// An algorithm for single multicasts and its routing: dimension order with these parameters.
struct WangRow {
  std::string kind;
  std::string parameters;
  bool wraps;
  std::string routing;
};

/// A row with conflicts: the maximum number of packets of a step on one class of a channel.
struct WangConflict {
  WangRow row;
  int least_worms;
  int most_worms;
};

namespace wang_rows {

inline const char* const u_mesh = "chain: in_place, larger_half: upper";
inline const char* const spu = "chain: rotated, larger_half: upper";
inline const char* const u_torus = "larger_half: upper";

/// Two transfers of a multicast never use one class of a channel at the same time.
inline std::vector<WangRow> without_conflict() {
  const std::string torus = u_torus;
  return {
      {"recursive_doubling", u_mesh, false, ""},
      {"recursive_doubling", spu, false, ""},
      {"recursive_doubling", spu, false, "order: [1, 0]"},
      {"u_torus", torus + ", direction: minimal", true, "vc_rule: remaining_wrap"},
      {"u_torus", torus + ", direction: positive", true, "vc_rule: remaining_wrap"},
      {"u_torus", torus + ", direction: minimal", true, "order: [1, 0], vc_rule: after_crossing"},
      {"u_torus", torus + ", direction: positive", true, "order: [1, 0], vc_rule: after_crossing"},
      {"u_torus", torus + ", direction: negative, sort: descending", true,
       "vc_rule: remaining_wrap"},
      {"u_torus", torus, true, "ties: source_parity"},
  };
}

/// In a third to a half of random multicasts two transfers of a step use one class of a channel.
inline std::vector<WangConflict> with_conflicts() {
  const std::string negative = std::string(u_torus) + ", direction: negative";
  return {
      {{"recursive_doubling", u_mesh, false, "order: [1, 0]"}, 2, 2},
      {{"u_torus", u_torus, true, "vc_rule: after_crossing"}, 2, 2},
      {{"u_torus", u_torus, true, "vc_rule: none"}, 2, 2},
      {{"u_torus", u_torus, true, "order: [1, 0], vc_rule: remaining_wrap"}, 2, 2},
      {{"u_torus", u_torus, true, "order: [1, 0], vc_rule: none"}, 2, 2},
      {{"u_torus", negative, true, ""}, 10, 15},
      {{"u_torus", negative, true, "order: [1, 0], vc_rule: after_crossing"}, 10, 15},
  };
}

}  // namespace wang_rows
}  // namespace flitwave::testing
