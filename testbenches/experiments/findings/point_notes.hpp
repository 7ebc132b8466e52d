// testbenches/experiments/findings/point_notes.hpp: the remarks on the points of an experiment,
// shortened for a reader.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "testbenches/experiments/findings/sweep.hpp"

namespace flitwave {

/// Collects remarks. A remark that all points have in the same words is printed as it is, any other
/// with the first point that has it. Remarks that are equal up to their first digit are of one
/// kind.
class PointNotes {
 public:
  static constexpr std::size_t most_of_a_kind = 5;

  /// A remark that the point already has is not added again.
  void add(int point, const Settings& settings, const std::string& text);

  /// "point 3 (seed: 2): saturated: ...", in the order in which kinds and remarks were added; after
  /// the first of a kind "and 21 more points: saturated: ...".
  /// `all`: how many points the experiment has.
  std::vector<std::string> lines(std::size_t all) const;

 private:
  struct Note {
    std::string text;
    std::string first;  ///< "point 3 (seed: 2)"
    std::set<int> points;
  };

  static std::string line(const Note& note, std::size_t all);

  std::vector<Note> notes_;
  std::map<std::string, std::size_t> places_;  ///< In notes_, by text.
};

}  // namespace flitwave
