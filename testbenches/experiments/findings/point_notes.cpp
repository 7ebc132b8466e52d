// testbenches/experiments/findings/point_notes.cpp: see point_notes.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/findings/point_notes.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace flitwave {

void PointNotes::add(int point, const Settings& settings, const std::string& text) {
  const auto [place, is_new] = places_.emplace(text, notes_.size());
  if (is_new) {
    const std::string words = settings_text(settings);
    notes_.push_back(
        {text, fmt::format("point {}{}", point, words.empty() ? "" : " (" + words + ")"), {}});
  }
  notes_[place->second].points.insert(point);
}

std::string PointNotes::line(const Note& note, std::size_t all) {
  if (note.points.size() == all) return note.text;
  const std::size_t others = note.points.size() - 1;
  const std::string more = others > 0 ? fmt::format(" and {} more", others) : "";
  return note.first + more + ": " + note.text;
}

std::vector<std::string> PointNotes::lines(std::size_t all) const {
  std::vector<std::string> kinds;
  std::map<std::string, std::vector<const Note*>> of_kind;
  for (const Note& note : notes_) {
    const std::string kind = note.text.substr(0, note.text.find_first_of("0123456789"));
    std::vector<const Note*>& same = of_kind[kind];
    if (same.empty()) kinds.push_back(kind);
    same.push_back(&note);
  }
  std::vector<std::string> lines;
  for (const std::string& kind : kinds) {
    const std::vector<const Note*>& same = of_kind.at(kind);
    std::set<int> left;
    for (std::size_t i = 0; i < same.size(); ++i)
      if (i < most_of_a_kind)
        lines.push_back(line(*same[i], all));
      else
        left.insert(same[i]->points.begin(), same[i]->points.end());
    if (!left.empty())
      lines.push_back(fmt::format("and {} more point{}: {}...", left.size(),
                                  left.size() == 1 ? "" : "s", kind));
  }
  return lines;
}

}  // namespace flitwave
