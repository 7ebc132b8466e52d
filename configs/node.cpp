// configs/node.cpp: YAML text to a tree; the only file that sees yaml-cpp.
// SPDX-License-Identifier: Apache-2.0
#include "configs/node.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

namespace flitwave {
namespace {

constexpr std::size_t most_bytes = std::size_t{16} << 20;
constexpr std::size_t most_values = 1'000'000;
constexpr std::size_t longest_key = 128;  // yaml-cpp takes no key of over 1,024 characters back

const char* const too_deep = "lists and maps are nested more than 64 deep";
const char* const deep_remedy = "a job needs no such depth; check the brackets and the indentation";
const char* const too_many = "a job has at most 1,000,000 values";

Place place_at(const std::string& file, const YAML::Mark& mark) {
  return mark.is_null() ? Place{file, 0, 0} : Place{file, mark.line + 1, mark.column + 1};
}

std::string child_path(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + "." + key;
}

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

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = character_bytes(text);
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
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

/// Whether a scalar has its closing quote, if it needs one. yaml-cpp 0.7 does not see that it is
/// missing when the text ends in a newline.
bool ends(std::string_view text) { return !starts_quoted(text) || quoted_bytes(text).has_value(); }

/// Whether the bracket that starts `text` has a partner; plain text is taken for brackets, too.
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

}  // namespace

/// Makes a tree from the events of a parser.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  ConfigNode take() {
    root_.set_path("");
    return std::move(root_);
  }

  /// Of the value that is read next.
  std::string path() const {
    std::string path;
    for (const Open& open : open_) {
      if (open.key) path = child_path(path, *open.key);
      if (open.node.is_list()) path += fmt::format("[{}]", open.node.items_.size());
    }
    return path;
  }

  /// Where the list or map starts that is being read; line 0 outside.
  Place innermost() const { return open_.empty() ? Place{} : open_.back().node.place_; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1)
      refuse(mark, "there is text after the end of the job",
             "write one job per file, and check the indentation and the quotes here");
  }
  void OnDocumentEnd() override {}

  void OnAnchor(const YAML::Mark& mark, const std::string& name) override {
    refuse(mark, "the anchor " + detail::in_quotes("&" + name) + " is not supported",
           "write the value wherever it is needed");
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    refuse(mark, "aliases are not supported", "write the value wherever it is needed");
  }

  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { add(mark, ConfigNode{}); }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                const std::string& value) override {
    check_tag(mark, tag, "!");
    if (!ends(text_.substr(position(mark))))
      refuse(mark, "a quoted text has no end", "add the closing quote");
    if (!is_utf8(value))  // yaml-cpp 0.7 makes single bytes of \_ and \N
      refuse(mark, "an escape in the text is not supported", "write the character itself");
    ConfigNode node = ConfigNode::scalar(value);
    node.quoted_ = tag == "!";
    add(mark, std::move(node));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    check_tag(mark, tag, "?");
    open(mark, ConfigNode::Kind::list);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    check_tag(mark, tag, "?");
    open(mark, ConfigNode::Kind::map);
  }
  void OnMapEnd() override { close(); }

 private:
  /// A list or map whose end has not been read yet.
  struct Open {
    ConfigNode node;
    std::optional<std::string> key;  ///< Read, and still without a value.
    Place key_place;
    std::size_t path_bytes = 0;        ///< About the length of its path.
    std::map<std::string, int> lines;  ///< Of every key so far.
  };

  [[noreturn]] void refuse(const YAML::Mark& mark, std::string problem, std::string remedy) const {
    throw ConfigError(place_at(file_, mark), path(), std::move(problem), std::move(remedy));
  }

  std::size_t position(const YAML::Mark& mark) const {
    return std::min(static_cast<std::size_t>(mark.pos), text_.size());
  }

  /// yaml-cpp gives quoted text the tag "!", which a job may also write out.
  void check_tag(const YAML::Mark& mark, const std::string& tag, const char* implied) const {
    const bool written = text_.substr(position(mark), 1) == "!";
    if (written || (tag != "?" && tag != implied))
      refuse(mark, "tags such as `!!str` are not supported",
             "leave the tag out, and quote a value that is a text");
  }

  bool at_key() const { return !open_.empty() && open_.back().node.is_map() && !open_.back().key; }

  void open(const YAML::Mark& mark, ConfigNode::Kind kind) {
    if (at_key() && !closes(text_.substr(position(mark))))
      refuse(mark, "this bracket is not closed", "close it at the end of the list or map");
    if (at_key()) refuse(mark, "a list or a map cannot be a key", "write a name as the key");
    if (open_.size() >= ConfigNode::most_levels) refuse(mark, too_deep, deep_remedy);
    Open next;
    if (!open_.empty())
      next.path_bytes = open_.back().path_bytes + open_.back().key.value_or("").size() + 4;
    if (next.path_bytes > ConfigNode::longest_path)
      refuse(mark, "the keys above are too long", "shorten them, or nest less deeply");
    next.node.kind_ = kind;
    next.node.place_ = place_at(file_, mark);
    open_.push_back(std::move(next));
  }

  void close() {
    ConfigNode node = std::move(open_.back().node);
    open_.pop_back();
    put(std::move(node));
  }

  // [place]
  void add(const YAML::Mark& mark, ConfigNode node) {
    node.place_ = place_at(file_, mark);
    if (at_key())
      add_key(mark, node);
    else
      put(std::move(node));
  }
  // [place]

  void add_key(const YAML::Mark& mark, const ConfigNode& node) {
    const std::string& key = node.text();
    if (key.empty()) refuse(mark, "a key is empty", "write a name before the `:`");
    if (key.size() > longest_key)
      refuse(mark, "the key " + detail::in_quotes(key) + " is too long",
             fmt::format("a key has at most {} characters", longest_key));
    Open& map = open_.back();
    const auto [first, fresh] = map.lines.emplace(key, mark.line + 1);
    if (!fresh)
      throw ConfigError(
          place_at(file_, mark), child_path(path(), key), "duplicate key",
          fmt::format("it is already in line {}; remove one of the two", first->second));
    map.key = key;
    map.key_place = node.place_;
  }

  void put(ConfigNode node) {
    if (++values_ > most_values) throw ConfigError(node.place_, path(), too_many, "shorten it");
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (open_.back().node.is_list()) {
      open_.back().node.items_.push_back(std::move(node));
    } else {
      Open& map = open_.back();
      node.place_ = map.key_place;
      map.node.entries_.emplace_back(std::move(*map.key), std::move(node));
      map.key.reset();
    }
  }

  std::string_view text_;
  std::string file_;
  int documents_ = 0;
  std::size_t values_ = 0;
  std::vector<Open> open_;
  ConfigNode root_;
};

namespace {

/// Throws: ConfigError at the first character that no text file has.
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

/// yaml-cpp keeps all tokens of a bracket that may be a key; this bounds what it keeps.
/// Throws: ConfigError for more tokens, or open brackets, than any job that would be accepted has.
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

/// What an error of yaml-cpp says, and what its writer may have meant.
struct Fault {
  const char* message;
  const char* problem;
  const char* remedy;
};

const Fault faults[] = {
    {YAML::ErrorMsg::END_OF_MAP, "expected `key: value` or the end of the map",
     "check the indentation, the `:` and the quotes here and in the line above"},
    {YAML::ErrorMsg::END_OF_MAP_FLOW, "expected `,` or `}`",
     "separate entries by commas, and close the `{{` of line {}"},
    {YAML::ErrorMsg::END_OF_SEQ, "expected `- value` or the end of the list",
     "check the indentation here and in the line above"},
    {YAML::ErrorMsg::END_OF_SEQ_FLOW, "expected `,` or `]`",
     "separate values by commas, and close the `[` of line {}"},
    {YAML::ErrorMsg::FLOW_END, "a closing bracket does not match", "check the brackets before it"},
    {YAML::ErrorMsg::BLOCK_ENTRY, "a `-` where no list can start",
     "start the list on a line of its own, or put the text in quotes"},
    {YAML::ErrorMsg::MAP_VALUE, "a `:` where no value can follow",
     "check the indentation (spaces, no tabs) and the quotes here and in the line above"},
    {YAML::ErrorMsg::TAB_IN_INDENTATION, "a tab in the indentation", "indent with spaces"},
    {YAML::ErrorMsg::UNKNOWN_TOKEN, "no value can start with this character",
     "put the value in quotes; indent with spaces, not tabs"},
    {YAML::ErrorMsg::EOF_IN_SCALAR, "a quoted text has no end", "add the closing quote"},
};

/// `key` is that of the value that was being read, in the list or map that starts in `opened`.
ConfigError error_from(const YAML::Exception& error, const std::string& file,
                       const std::string& key, int opened) {
  const Place place = place_at(file, error.mark);
  for (const Fault& fault : faults)
    if (error.msg == fault.message)
      return {place, key, fault.problem, fmt::format(fmt::runtime(fault.remedy), opened)};
  if (error.msg.rfind(YAML::ErrorMsg::UNKNOWN_ANCHOR, 0) == 0)
    return {place, key, "aliases are not supported", "write the value wherever it is needed"};
  return {place, key, "not valid YAML: " + error.msg, "see yaml.org for the syntax"};
}

/// The text of a file, cut shortly above the size that is refused.
std::string read_file(const std::string& path) {
  const auto refuse = [&](const std::string& problem, const std::string& remedy) {
    return ConfigError(Place{path, 0, 0}, "", problem, remedy);
  };
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored))
    throw refuse("there is no such file", "check the path and the current folder");
  if (std::filesystem::is_directory(path, ignored))
    throw refuse("this is a folder", "name a job file in it");
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw refuse(std::string("cannot be opened: ") + std::strerror(errno), "check its permissions");
  std::string text;
  std::vector<char> chunk(1 << 16);
  while (file && text.size() <= most_bytes) {
    file.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    text.append(chunk.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) throw refuse("cannot be read", "check the disk");
  return text;
}

}  // namespace

ConfigNode ConfigNode::load(const std::string& path) { return parse(read_file(path), path); }

ConfigNode ConfigNode::parse(std::string_view text, const std::string& file) {
  check_size(text.size(), file);
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.substr(0, 3) == byte_order_mark) text.remove_prefix(3);
  check_characters(text, file);
  check_structure(text, file);
  TreeBuilder builder(text, file);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder))
      throw ConfigError(Place{file, 1, 1}, "", "the text is empty", "write `key: value` lines");
    parser.HandleNextDocument(builder);
  } catch (const YAML::Exception& error) {
    throw error_from(error, file, builder.path(), builder.innermost().line);
  }
  return builder.take();
}

}  // namespace flitwave
