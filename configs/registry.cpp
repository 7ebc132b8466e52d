// configs/registry.cpp: the kind of a section, and the positions of its errors.
// SPDX-License-Identifier: Apache-2.0
#include "configs/registry.hpp"

#include <algorithm>
#include <string_view>

namespace flitwave::detail {
namespace {

/// The part of `key` below `path`; the whole key when it does not start with the path.
std::string_view below(std::string_view key, std::string_view path) {
  if (path.empty() || key.substr(0, path.size()) != path) return key;
  const std::string_view rest = key.substr(path.size());
  if (rest.empty() || rest[0] == '[') return rest;
  return rest[0] == '.' ? rest.substr(1) : key;
}

std::string joined(const std::string& path, std::string_view rest) {
  if (path.empty()) return std::string(rest);
  if (rest.empty()) return path;
  return path + (rest[0] == '[' ? "" : ".") + std::string(rest);
}

/// The value at `path`, or at the longest beginning of it that exists.
const ConfigNode& closest(const ConfigNode& section, std::string_view path) {
  while (!path.empty()) {
    if (const ConfigNode* node = section.find_path(path)) return *node;
    const std::size_t cut = path.find_last_of(".[");
    path = path.substr(0, cut == std::string_view::npos ? 0 : cut);
  }
  return section;
}

}  // namespace

std::string read_kind(const ConfigNode& section, const std::string& what,
                      const std::vector<std::string>& known) {
  const std::string kinds = "known kinds: " + either(known);
  if (!section.is_map() && !section.is_null())
    throw section.error(
        "expected a map with the key `kind` for the " + what,
        "write e.g. {kind: " + (known.empty() ? "..." : known.front()) + "}; " + kinds);
  const ConfigNode* node = section.find("kind");
  if (node == nullptr) throw section.error("the " + what + " has no `kind`", kinds);
  if (!node->is_scalar()) throw node->error("expected the name of a " + what, kinds);
  // [kind]
  if (std::find(known.begin(), known.end(), node->text()) == known.end())
    throw node->error("unknown " + what + " " + in_quotes(node->text()),
                      known_names(node->text(), known));
  return node->text();
  // [kind]
}

ConfigError located(const ConfigError& error, const ConfigNode& section) {
  if (error.place().known()) return error;
  const std::string_view rest = below(error.key(), section.path());
  return {closest(section, rest).place(), joined(section.path(), rest), error.problem(),
          error.remedy()};
}

}  // namespace flitwave::detail
