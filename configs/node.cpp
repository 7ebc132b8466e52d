// configs/node.cpp: YAML text to a tree; the only file that uses yaml-cpp.
// SPDX-License-Identifier: Apache-2.0
#include "configs/node.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "configs/yaml_text.hpp"

namespace flitwave {
namespace {

constexpr std::size_t longest_key = 128;  // yaml-cpp cannot parse a key of over 1,024 bytes

Place place_at(const std::string& file, const YAML::Mark& mark) {
  return mark.is_null() ? Place{file, 0, 0} : Place{file, mark.line + 1, mark.column + 1};
}

std::string child_path(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + "." + key;
}

}  // namespace

/// Builds a tree from the events of a parser.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  ConfigNode take() {
    root_.set_path("");
    return std::move(root_);
  }

  /// The path of the value that is read next.
  std::string path() const {
    std::string path;
    for (const Open& open : open_) {
      if (open.key) path = child_path(path, *open.key);
      if (open.node.is_list()) path += fmt::format("[{}]", open.node.items_.size());
    }
    return path;
  }

  /// Where the list or map that is being read starts; line 0 outside.
  Place innermost() const { return open_.empty() ? Place{} : open_.back().node.place_; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1)
      reject(mark, "there is text after the end of the job",
             "write one job per file, and check the indentation and the quotes here");
  }
  void OnDocumentEnd() override {}

  void OnAnchor(const YAML::Mark& mark, const std::string& name) override {
    reject(mark, "the anchor " + detail::in_quotes("&" + name) + " is not supported",
           "write the value wherever it is needed");
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    reject(mark, "aliases are not supported", "write the value wherever it is needed");
  }

  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { add(mark, ConfigNode{}); }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                const std::string& value) override {
    check_tag(mark, tag, "!");
    if (!yaml_text::ends(text_.substr(position(mark))))
      reject(mark, "a quoted text has no end", "add the closing quote");
    if (!yaml_text::is_utf8(value))  // yaml-cpp 0.7 makes single bytes of \_ and \N
      reject(mark, "an escape in the text is not supported", "write the character itself");
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
    std::optional<std::string> key;  ///< Read, and without a value so far.
    Place key_place;
    std::size_t path_bytes = 0;        ///< About the length of its path.
    std::map<std::string, int> lines;  ///< Of every key so far.
  };

  [[noreturn]] void reject(const YAML::Mark& mark, std::string problem, std::string remedy) const {
    throw ConfigError(place_at(file_, mark), path(), std::move(problem), std::move(remedy));
  }

  std::size_t position(const YAML::Mark& mark) const {
    return std::min(static_cast<std::size_t>(mark.pos), text_.size());
  }

  /// yaml-cpp gives quoted text the tag "!", which a job may also contain literally.
  void check_tag(const YAML::Mark& mark, const std::string& tag, const char* implied) const {
    const bool written = text_.substr(position(mark), 1) == "!";
    if (written || (tag != "?" && tag != implied))
      reject(mark, "tags such as `!!str` are not supported",
             "leave the tag out, and quote a value that is a text");
  }

  bool at_key() const { return !open_.empty() && open_.back().node.is_map() && !open_.back().key; }

  void open(const YAML::Mark& mark, ConfigNode::Kind kind) {
    if (at_key() && !yaml_text::closes(text_.substr(position(mark))))
      reject(mark, "this bracket is not closed", "close it at the end of the list or map");
    if (at_key()) reject(mark, "a list or a map cannot be a key", "write a name as the key");
    if (open_.size() >= ConfigNode::most_levels)
      reject(mark, yaml_text::too_deep, yaml_text::deep_remedy);
    Open next;
    if (!open_.empty())
      next.path_bytes = open_.back().path_bytes + open_.back().key.value_or("").size() + 4;
    if (next.path_bytes > ConfigNode::longest_path)
      reject(mark, "the keys above are too long", "shorten them, or nest less deeply");
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
    if (key.empty()) reject(mark, "a key is empty", "write a name before the `:`");
    if (key.size() > longest_key)
      reject(mark, "the key " + detail::in_quotes(key) + " is too long",
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
    if (++values_ > yaml_text::most_values)
      throw ConfigError(node.place_, path(), yaml_text::too_many, "shorten it");
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

/// Errors of yaml-cpp, the message for each, and its probable cause.
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

/// `key`: of the value that was being read, in the list or map that starts in `opened`.
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

}  // namespace

ConfigNode ConfigNode::load(const std::string& path) { return parse(yaml_text::read(path), path); }

ConfigNode ConfigNode::parse(std::string_view text, const std::string& file) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.substr(0, 3) == byte_order_mark) text.remove_prefix(3);
  yaml_text::check(text, file);
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
