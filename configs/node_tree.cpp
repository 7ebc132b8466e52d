// configs/node_tree.cpp: finding, changing and printing values of a job.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "configs/codec.hpp"
#include "configs/node.hpp"
#include "configs/quantity.hpp"

namespace flitwave {
namespace {

/// The rest of `path` after `key`; nothing when it does not start with the key.
std::optional<std::string_view> after(std::string_view key, std::string_view path) {
  if (path.substr(0, key.size()) != key) return std::nullopt;
  const std::string_view rest = path.substr(key.size());
  if (rest.empty() || rest[0] == '[') return rest;
  return rest[0] == '.' && rest.size() > 1 ? std::optional(rest.substr(1)) : std::nullopt;
}

/// The index that starts a path such as "[2].nodes", and the rest of the path.
std::optional<std::pair<std::size_t, std::string_view>> leading_index(std::string_view path) {
  if (path.empty() || path[0] != '[') return std::nullopt;
  std::size_t index = 0;
  const auto [stop, fault] = std::from_chars(path.data() + 1, path.data() + path.size(), index);
  if (fault != std::errc{} || stop == path.data() + path.size() || *stop != ']')
    return std::nullopt;
  std::string_view rest = path.substr(static_cast<std::size_t>(stop - path.data()) + 1);
  if (!rest.empty() && rest[0] == '.') rest.remove_prefix(1);
  return std::pair{index, rest};
}

/// Edit distance in which the exchange of two adjacent characters is one edit.
/// Complexity: O(product of the lengths)
std::size_t edit_distance(std::string_view left, std::string_view right) {
  std::vector<std::size_t> before_last(right.size() + 1);
  std::vector<std::size_t> last(right.size() + 1);
  std::vector<std::size_t> row(right.size() + 1);
  for (std::size_t j = 0; j <= right.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= left.size(); ++i) {
    std::swap(before_last, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const std::size_t change = left[i - 1] == right[j - 1] ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
      if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row.back();
}

constexpr std::size_t widest_line = 100;

bool holds_map(const ConfigNode& node) {
  if (node.is_map()) return !node.entries().empty();
  return std::any_of(node.items().begin(), node.items().end(), holds_map);
}

/// Subtracts the least width of the node from `space`; false when there is less space.
bool fits(const ConfigNode& node, std::size_t& space) {
  const std::size_t width = node.text().size() + 2;
  if (width > space) return false;
  space -= width;
  for (const ConfigNode& item : node.items())
    if (!fits(item, space)) return false;
  for (const auto& [key, value] : node.entries()) {
    if (key.size() > space) return false;
    space -= key.size();
    if (!fits(value, space)) return false;
  }
  return true;
}

/// The node on one line, when it is a short list or innermost map.
std::optional<std::string> one_line(const ConfigNode& node, std::size_t column) {
  const bool empty = node.items().empty() && node.entries().empty();
  if (empty) return Codec<ConfigNode>::print(node);
  std::size_t space = column < widest_line ? widest_line - column + 2 : 0;
  if (!fits(node, space)) return std::nullopt;
  for (const auto& [key, value] : node.entries())
    if (holds_map(value)) return std::nullopt;
  for (const ConfigNode& item : node.items())
    if (holds_map(item)) return std::nullopt;
  std::string line = Codec<ConfigNode>::print(node);
  if (column + line.size() > widest_line) return std::nullopt;
  return line;
}

void print_block(const ConfigNode& node, std::size_t indent, std::string& text);

/// A value after its key or dash: on the same line, or on lines of its own.
void print_value(const ConfigNode& value, std::size_t column, std::size_t indent,
                 std::string& text) {
  if (const auto line = one_line(value, column)) {
    text += " " + *line + "\n";
    return;
  }
  text += "\n" + std::string(indent, ' ');
  print_block(value, indent, text);
}

/// Appends the node; its first line continues the last line of the text, at column `indent`.
void print_block(const ConfigNode& node, std::size_t indent, std::string& text) {
  const std::string margin(indent, ' ');
  bool first = true;
  for (const ConfigNode& item : node.items()) {
    text += (first ? "" : margin) + "-";
    first = false;
    if (const auto line = one_line(item, indent + 2)) {
      text += " " + *line + "\n";
    } else {
      text += " ";
      print_block(item, indent + 2, text);
    }
  }
  for (const auto& [key, value] : node.entries()) {
    const std::string name = Codec<ConfigNode>::print(ConfigNode::scalar(key));
    text += (first ? "" : margin) + name + ":";
    first = false;
    print_value(value, indent + name.size() + 2, indent + 2, text);
  }
}

}  // namespace

ConfigNode ConfigNode::scalar(std::string text) {
  ConfigNode node;
  node.kind_ = Kind::scalar;
  node.text_ = std::move(text);
  return node;
}

ConfigNode ConfigNode::list(std::vector<ConfigNode> items) {
  ConfigNode node;
  node.kind_ = Kind::list;
  node.items_ = std::move(items);
  node.set_path("");
  return node;
}

ConfigNode ConfigNode::map(std::vector<Entry> entries) {
  ConfigNode node;
  node.kind_ = Kind::map;
  node.entries_ = std::move(entries);
  node.set_path("");
  return node;
}

void ConfigNode::set_path(const std::string& path) {
  path_ = path;
  for (std::size_t i = 0; i < items_.size(); ++i)
    items_[i].set_path(fmt::format("{}[{}]", path, i));
  const std::string above = path.empty() ? "" : path + ".";
  for (auto& [key, value] : entries_) value.set_path(above + key);
}

const ConfigNode* ConfigNode::find(std::string_view key) const {
  for (const auto& [name, value] : entries_)
    if (name == key) return &value;
  return nullptr;
}

// A key may itself hold dots, as in `sweep: {algorithm.kind: [...]}`.
const ConfigNode* ConfigNode::find_path(std::string_view path) const {
  if (path.empty()) return this;
  if (const auto start = leading_index(path))
    return start->first < items_.size() ? items_[start->first].find_path(start->second) : nullptr;
  for (const auto& [key, value] : entries_)
    if (const auto rest = after(key, path))
      if (const ConfigNode* found = value.find_path(*rest)) return found;
  return nullptr;
}

const ConfigNode& ConfigNode::at(std::string_view key) const {
  if (const ConfigNode* node = find(key)) return *node;
  throw error("the key " + detail::in_quotes(key) + " is missing", "add it");
}

ConfigNode ConfigNode::under(const std::string& key) const {
  ConfigNode tree = map({{key, *this}});
  tree.place_ = place_;
  tree.set_path(path_);
  return tree;
}

ConfigNode ConfigNode::with(std::string_view path, const ConfigNode& value) const {
  const std::string_view key = path.substr(0, path.find('.'));
  if (key.empty() || path.back() == '.')
    throw error(detail::in_quotes(path) + " is not a path of keys", "write e.g. topology.shape");
  if (path.size() > longest_path ||
      std::count(path.begin(), path.end(), '.') >= static_cast<std::ptrdiff_t>(most_levels))
    throw error("a path of " + counted(static_cast<std::int64_t>(path.size()), "letter"),
                "settings are at most " + std::to_string(most_levels) +
                    " keys deep, and their paths at most " + std::to_string(longest_path) +
                    " long");
  if (is_scalar() || is_list())
    throw error(
        detail::in_quotes(path) + " cannot be set inside a " + (is_list() ? "list" : "value"),
        "set the whole " + std::string(is_list() ? "list" : "value"));
  ConfigNode tree = *this;
  tree.kind_ = Kind::map;
  const auto place = std::find_if(tree.entries_.begin(), tree.entries_.end(),
                                  [&](const Entry& entry) { return after(entry.first, path); });
  if (place != tree.entries_.end()) {
    const std::string_view rest = *after(place->first, path);
    place->second = rest.empty() ? value : place->second.with(rest, value);
  } else {
    if (key.find('[') != std::string_view::npos)
      throw error("there is no list at " + detail::in_quotes(path), "set the whole list");
    const std::string_view rest = path.substr(std::min(key.size() + 1, path.size()));
    ConfigNode added = rest.empty() ? value : ConfigNode{}.with(rest, value);
    added.place_ = value.place_;
    tree.entries_.emplace_back(key, std::move(added));
  }
  tree.set_path(path_);
  return tree;
}

ConfigNode ConfigNode::without(std::string_view path) const {
  ConfigNode tree = *this;
  for (auto entry = tree.entries_.begin(); entry != tree.entries_.end(); ++entry) {
    const auto rest = after(entry->first, path);
    if (!rest || entry->second.find_path(*rest) == nullptr) continue;
    if (rest->empty())
      tree.entries_.erase(entry);
    else
      entry->second = entry->second.without(*rest);
    break;
  }
  return tree;
}

ConfigNode ConfigNode::merged(const ConfigNode& over) const {
  ConfigNode tree = *this;
  if (over.is_map() && !over.entries_.empty()) tree.kind_ = Kind::map;
  for (const Entry& added : over.entries_) {
    const auto place = std::find_if(tree.entries_.begin(), tree.entries_.end(),
                                    [&](const Entry& entry) { return entry.first == added.first; });
    if (place == tree.entries_.end())
      tree.entries_.push_back(added);
    else if (place->second.is_map() && added.second.is_map())
      place->second = place->second.merged(added.second);
    else
      place->second = added.second;
  }
  tree.set_path(path_);
  return tree;
}

std::string ConfigNode::to_yaml() const {
  std::string text;
  if (entries_.empty() && !is_list()) return Codec<ConfigNode>::print(*this) + "\n";
  if (items_.empty() && entries_.empty()) return "[]\n";
  print_block(*this, 0, text);
  return text;
}

bool ConfigNode::operator==(const ConfigNode& other) const {
  return kind_ == other.kind_ && text_ == other.text_ && items_ == other.items_ &&
         entries_ == other.entries_;
}

ConfigError ConfigNode::error(std::string problem, std::string remedy) const {
  return {place_, path_, std::move(problem), std::move(remedy)};
}

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  const std::size_t most = std::max<std::size_t>(1, word.size() / 3);
  std::size_t least = most + 1;
  std::string found;
  for (const std::string& name : known) {
    const std::size_t longer = std::max(name.size(), word.size());
    if (longer - std::min(name.size(), word.size()) > most) continue;
    const std::size_t distance = edit_distance(word, name);
    if (distance < least || (distance == least && name < found)) {
      least = distance;
      found = name;
    }
  }
  return found;
}

namespace detail {

std::string known_names(std::string_view word, const std::vector<std::string>& known) {
  const std::string near = nearest(word, known);
  return (near.empty() ? "" : "did you mean `" + near + "`? ") +
         fmt::format("known here: {}", fmt::join(known, ", "));
}

}  // namespace detail
}  // namespace flitwave
