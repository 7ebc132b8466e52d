// configs/yaml_text.hpp: what a job's text must be before a parser of YAML sees it.
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

/// The text of a file, cut shortly above the size that is rejected.
/// Throws: ConfigError when it is missing or unreadable.
std::string read(const std::string& path);

/// Throws: ConfigError at the first character that no text file has, and for more bytes, values or
///   open brackets than any job that would be accepted has.
void check(std::string_view text, const std::string& file);

bool is_utf8(std::string_view text);

/// Whether a scalar has its closing quote, if it needs one. yaml-cpp 0.7 does not see that it is
/// missing when the text ends in a newline.
bool ends(std::string_view text);

/// Whether the bracket that starts `text` has a partner; plain text is taken for brackets, too.
bool closes(std::string_view text);

}  // namespace flitwave::yaml_text
