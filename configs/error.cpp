// configs/error.cpp: the texts of errors.
// SPDX-License-Identifier: Apache-2.0
#include "configs/error.hpp"

#include <utility>

#include <fmt/format.h>

namespace flitwave {
namespace {

std::string message(const Place& place, const std::string& key, const std::string& problem,
                    const std::string& remedy) {
  std::string text;
  if (place.known()) {
    text = place.file;
    if (place.line > 0) text += fmt::format(":{}", place.line);
    if (place.line > 0 && place.column > 0) text += fmt::format(":{}", place.column);
    text += ": ";
  }
  if (!key.empty()) text += key + ": ";
  text += problem;
  if (!remedy.empty()) text += "; " + remedy;
  return text;
}

/// The number of bytes of `text`, at most `limit`, that end with a whole character.
std::size_t whole_characters(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return text.size();
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xc0u) == 0x80u) --limit;
  return limit;
}

}  // namespace

ConfigError::ConfigError(std::string key, std::string problem, std::string remedy)
    : ConfigError(Place{}, std::move(key), std::move(problem), std::move(remedy)) {}

ConfigError::ConfigError(Place place, std::string key, std::string problem, std::string remedy)
    : std::runtime_error(message(place, key, problem, remedy)),
      place_(std::move(place)),
      key_(std::move(key)),
      problem_(std::move(problem)),
      remedy_(std::move(remedy)) {}

namespace {

std::string message(const DesignError::Finding& finding) {
  std::string text = fmt::format("cycle {}: {}", finding.cycle, finding.module);
  if (!finding.port.empty()) text += ", " + finding.port;
  text +=
      fmt::format(": {}: expected {}, found {}", finding.field, finding.expected, finding.found);
  if (!finding.subject.empty()) text += " (" + finding.subject + ")";
  if (!finding.remedy.empty()) text += "; " + finding.remedy;
  return text;
}

}  // namespace

DesignError::DesignError(Finding finding)
    : std::runtime_error(message(finding)), finding_(std::move(finding)) {}

namespace detail {

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 60;
  const std::size_t end = whole_characters(text, longest);
  std::string shown = "`";
  for (const char c : text.substr(0, end)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n')
      shown += "\\n";
    else if (byte < 0x20 || byte == 0x7f)
      shown += fmt::format("\\x{:02x}", byte);
    else
      shown += c;
  }
  return shown + (end < text.size() ? "...`" : "`");
}

std::string either(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

}  // namespace detail
}  // namespace flitwave
