// testbenches/waves/files/gtkwave_rows.hpp: the rows of a GTKWave save file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

namespace flitwave::gtkwave {

// Trace flags: how the values of a row are shown.
inline constexpr int decimal = 0x4;
inline constexpr int binary = 0x8;
inline constexpr int right_justified = 0x20;
inline constexpr int text = 0x800;
inline constexpr int translated_by_file = 0x2000;
inline constexpr std::int64_t translated_by_wave = std::int64_t{1} << 32;

/// The line with the flags of the rows that follow.
inline std::string flags_line(std::int64_t flags) {
  return fmt::format("@{:x}\n", right_justified | flags);
}

/// The rows from its beginning to its end are a group; `shut`: it is shown closed.
inline std::string group_begins(const std::string& title, bool shut) {
  constexpr int blank = 0x200;
  constexpr int begin = 0x800000;
  constexpr int closed = 0x400000;
  return fmt::format("@{:x}\n-{}\n", begin | blank | (shut ? closed : 0), title);
}
inline std::string group_ends(const std::string& title, bool shut) {
  constexpr int blank = 0x200;
  constexpr int end = 0x1000000;
  constexpr int closed_and_collapsed = 0x401000;
  return fmt::format("@{:x}\n-{}\n", end | blank | (shut ? closed_and_collapsed : 0), title);
}

}  // namespace flitwave::gtkwave
