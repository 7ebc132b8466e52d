// configs/yaml_text.cpp: see yaml_text.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "configs/yaml_text.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "configs/node.hpp"

namespace flitwave::yaml_text {
namespace {

constexpr std::size_t most_bytes = std::size_t{16} << 20;

/// The bytes of the UTF-8 character that starts `text`; 0 when it is no UTF-8.
std::size_t character_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t bytes = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (bytes == 0 || first > 0xf4 || text.size() < bytes) return 0;
  for (std::size_t i = 1; i < bytes; ++i)
    if ((byte(i) & 0xc0u) != 0x80) return 0;
  // Too long for its value, half of a surrogate pair, or above U+10FFFF.
  const unsigned second = byte(1);
  const bool bad = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
                   (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
  return bad ? 0 : bytes;
}

/// The bytes of a quoted text and its quotes; none when the closing quote is missing.
std::optional<std::size_t> quoted_bytes(std::string_view text) {
  const char quote = text[0];
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\')
      ++i;
    else if (quote == '\'' && text.substr(i, 2) == "''")
      ++i;
    else if (text[i] == quote)
      return i + 1;
  }
  return std::nullopt;
}

bool starts_quoted(std::string_view text) {
  return !text.empty() && (text[0] == '"' || text[0] == '\'');
}

/// Throws: ConfigError at the first character that a text file cannot contain.
void check_characters(std::string_view text, const std::string& file) {
  Place place{file, 1, 1};
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool newline = text[i] == '\n' || (text[i] == '\r' && text.substr(i + 1, 1) == "\n");
    if ((byte < 0x20 && text[i] != '\t' && !newline) || byte == 0x7f)
      throw ConfigError(place, "", fmt::format("a control character, 0x{:02x}", byte),
                        "a job is a text file; remove the character");
    const std::size_t bytes = character_bytes(text.substr(i));
    if (bytes == 0)
      throw ConfigError(place, "", fmt::format("the byte 0x{:02x} is not UTF-8 here", byte),
                        "save the job as UTF-8 text");
    i += bytes;
    place.column += static_cast<int>(bytes);
    if (byte == '\n') {
      ++place.line;
      place.column = 1;
    }
  }
}

void check_size(std::size_t bytes, const std::string& file) {
  if (bytes > most_bytes)
    throw ConfigError(Place{file, 0, 0}, "",
                      fmt::format("a job has at most {} MiB", most_bytes >> 20), "shorten it");
}

/// yaml-cpp stores all tokens of a bracket that may be a key; this limits their number.
/// Throws: ConfigError for more tokens, or open brackets, than any accepted job has.
void check_structure(std::string_view text, const std::string& file) {
  constexpr std::size_t most_marks = 2 * most_values;
  constexpr std::size_t most_open =
      16 * ConfigNode::most_levels;  // of lists, maps, and text with brackets
  std::size_t marks = 0;
  std::size_t open = 0;
  Place place{file, 1, 0};
  for (const char c : text) {
    ++place.column;
    if (c == '\n') {
      ++place.line;
      place.column = 0;
    }
    if (std::strchr("[]{},:?\"'&*!", c) != nullptr) ++marks;
    if (c == '[' || c == '{') ++open;
    if ((c == ']' || c == '}') && open > 0) --open;
    if (open > most_open) throw ConfigError(place, "", too_deep, deep_remedy);
    if (marks > most_marks) throw ConfigError(place, "", too_many, "shorten it");
  }
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = character_bytes(text);
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

bool ends(std::string_view text) { return !starts_quoted(text) || quoted_bytes(text).has_value(); }

bool closes(std::string_view text) {
  if (text.empty() || (text[0] != '[' && text[0] != '{')) return true;
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[' || text[i] == '{') ++depth;
    if (text[i] == ']' || text[i] == '}') --depth;
    if (depth == 0) return true;
    const bool fresh = i + 1 < text.size() && std::strchr(" \n[{,:", text[i]) != nullptr;
    if (fresh && text[i + 1] == '#') i = std::min(text.find('\n', i), text.size() - 1);
    if (fresh && starts_quoted(text.substr(i + 1)))
      i += quoted_bytes(text.substr(i + 1)).value_or(0);
  }
  return false;
}

void check(std::string_view text, const std::string& file) {
  check_size(text.size(), file);
  check_characters(text, file);
  check_structure(text, file);
}

std::string read(const std::string& path) {
  const auto reject = [&](const std::string& problem, const std::string& remedy) {
    return ConfigError(Place{path, 0, 0}, "", problem, remedy);
  };
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored))
    throw reject("there is no such file", "check the path and the current folder");
  if (std::filesystem::is_directory(path, ignored))
    throw reject("this is a folder", "name a job file in it");
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw reject(std::string("cannot be opened: ") + std::strerror(errno), "check its permissions");
  std::string text;
  std::vector<char> chunk(1 << 16);
  while (file && text.size() <= most_bytes) {
    file.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    text.append(chunk.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) throw reject("cannot be read", "check the disk");
  return text;
}

}  // namespace flitwave::yaml_text
