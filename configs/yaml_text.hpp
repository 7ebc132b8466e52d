// configs/yaml_text.hpp: checks of a job's text before a YAML parser reads it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace flitwave::yaml_text {

constexpr std::size_t most_values = 1'000'000;
constexpr const char* too_deep = "lists and maps are nested more than 64 deep";
constexpr const char* deep_remedy =
    "a job needs no such depth; check the brackets and the indentation";
constexpr const char* too_many = "a job has at most 1,000,000 values";

/// The text of a file, truncated shortly above the size that is rejected.
/// Throws: ConfigError when it is missing or unreadable.
std::string read(const std::string& path);

/// Throws: ConfigError at the first character that a text file cannot contain, and for more bytes,
///   values or open brackets than any accepted job has.
void check(std::string_view text, const std::string& file);

bool is_utf8(std::string_view text);

/// Whether a scalar has its closing quote, if it needs one. yaml-cpp 0.7 does not detect that it is
/// missing when the text ends in a newline.
bool ends(std::string_view text);

/// Whether the bracket that starts `text` has a partner; brackets in plain text count, too.
bool closes(std::string_view text);

}  // namespace flitwave::yaml_text
