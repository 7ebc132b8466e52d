// configs/node.hpp: a job file as a tree with the position of every value.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "configs/error.hpp"

namespace flitwave {

/// One value of a job: nothing, a scalar, a list or a map; a value type.
///
/// Maps keep the order of the file. Duplicate keys, anchors, aliases, tags and several documents
/// in one file are rejected while reading, so a tree is never larger than its text.
class ConfigNode {
 public:
  enum class Kind { null, scalar, list, map };
  using Entry = std::pair<std::string, ConfigNode>;

  /// No job needs deeper nesting or longer paths of keys.
  static constexpr std::size_t most_levels = 64;
  static constexpr std::size_t longest_path = 512;  // characters; every value holds its path

  ConfigNode() = default;

  /// Throws: ConfigError, at the position of the fault, when the file is missing or unreadable, is
  ///   not valid YAML, or has a duplicate key.
  static ConfigNode load(const std::string& path);

  /// `file` is only a name for messages.
  /// Throws: as `load`.
  static ConfigNode parse(std::string_view text, const std::string& file);

  static ConfigNode scalar(std::string text);
  static ConfigNode list(std::vector<ConfigNode> items);
  static ConfigNode map(std::vector<Entry> entries);

  Kind kind() const { return kind_; }
  bool is_null() const { return kind_ == Kind::null; }
  bool is_scalar() const { return kind_ == Kind::scalar; }
  bool is_list() const { return kind_ == Kind::list; }
  bool is_map() const { return kind_ == Kind::map; }

  /// The scalar's text, without quotes. Empty for other kinds.
  const std::string& text() const { return text_; }
  /// Whether a scalar is written in quotes: it is then a string even if it looks like a number.
  bool quoted() const { return quoted_; }
  /// A list's values. Empty for other kinds.
  const std::vector<ConfigNode>& items() const { return items_; }
  /// A map's entries, in file order. Empty for other kinds.
  const std::vector<Entry>& entries() const { return entries_; }

  /// The position where the value starts, or in a map its key.
  const Place& place() const { return place_; }
  /// The path of keys from the top, e.g. "router.at[0].nodes"; empty at the top.
  const std::string& path() const { return path_; }

  /// The value under `key`, or null when there is none or this is no map.
  const ConfigNode* find(std::string_view key) const;
  /// The value at a path of keys such as "topology.shape", or null.
  const ConfigNode* find_path(std::string_view path) const;
  /// The value under `key`.
  /// Throws: ConfigError at this position when it is missing.
  const ConfigNode& at(std::string_view key) const;

  /// A map whose only value is this one, at the same position and path.
  ConfigNode under(const std::string& key) const;
  /// This tree with the value at `path` replaced or added; missing maps along the path are created.
  /// Throws: ConfigError when the path passes a scalar or a list, or is too long.
  ConfigNode with(std::string_view path, const ConfigNode& value) const;
  /// This tree without the value at `path`; the same tree when there is none.
  ConfigNode without(std::string_view path) const;
  /// This tree with the entries of `over` added or replaced, map by map.
  ConfigNode merged(const ConfigNode& over) const;

  /// The tree as YAML text that `parse` reads back to an equal tree. Short lists and innermost
  /// maps are written on one line.
  std::string to_yaml() const;

  /// Same kinds, texts, keys and order; positions are not compared.
  bool operator==(const ConfigNode& other) const;
  bool operator!=(const ConfigNode& other) const { return !(*this == other); }

  /// An error at this value's position and path, to be thrown.
  ConfigError error(std::string problem, std::string remedy = "") const;

 private:
  friend class TreeBuilder;
  void set_path(const std::string& path);

  Kind kind_ = Kind::null;
  bool quoted_ = false;
  std::string text_;
  std::vector<ConfigNode> items_;
  std::vector<Entry> entries_;
  Place place_;
  std::string path_;
};

/// The one of `known` nearest to `word` by edit distance, or empty when none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

namespace detail {
/// The remedy for an unknown name: "did you mean `order`? known here: kind, order".
std::string known_names(std::string_view word, const std::vector<std::string>& known);
}  // namespace detail

}  // namespace flitwave
