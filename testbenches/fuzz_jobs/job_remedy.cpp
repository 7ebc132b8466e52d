// testbenches/fuzz_jobs/job_remedy.cpp: see job_remedy.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/fuzz_jobs/job_remedy.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

#include "configs/error.hpp"

namespace flitwave::fuzz_jobs {

namespace {

bool is_path_sign(char sign) {
  return std::isalnum(static_cast<unsigned char>(sign)) != 0 || sign == '_' || sign == '.';
}

/// A placeholder for a value: "N", "...".
bool is_placeholder(const std::string& text) {
  return text.find("...") != std::string::npos || text == "N" || text == "x" || text == "y";
}

/// The same for a whole value: "[columns, rows]".
bool is_placeholder(const ConfigNode& value) {
  if (value.is_scalar()) return is_placeholder(value.text());
  if (!value.is_list() || value.items().empty()) return false;
  const std::vector<ConfigNode>& items = value.items();
  return std::all_of(items.begin(), items.end(), [](const ConfigNode& item) {
    return item.is_scalar() &&
           (item.text() == "columns" || item.text() == "rows" || is_placeholder(item.text()));
  });
}

class RemedyReader {
 public:
  RemedyReader(const std::string& key, const std::string& remedy, const JobKinds& kinds,
               const ConfigNode& job)
      : key_(key.substr(0, key.find('['))), text_(remedy), kinds_(kinds), job_(job) {}

  std::vector<std::vector<Advice>> read() {
    while (at_ < text_.size()) {
      if (!is_path_sign(text_[at_])) {
        ++at_;
        continue;
      }
      const std::size_t begin = at_;
      while (at_ < text_.size() && is_path_sign(text_[at_])) ++at_;
      std::string word = text_.substr(begin, at_ - begin);
      while (!word.empty() && word.back() == '.') word.pop_back();
      read_from(word, begin);
    }
    return std::move(found_);
  }

 private:
  /// Reads after a word: "word: value", "word to value", "leave word out".
  void read_from(const std::string& word, std::size_t begin) {
    if (is_left_out(begin)) return read_removal(word, begin);
    if (follows(": "))
      at_ += 2;
    else if (follows("` to "))
      at_ += 5;
    else if (follows(" to "))
      at_ += 4;
    else
      return;
    const std::optional<std::string> path = resolved(word);
    if (path) read_values(*path, begin);
  }

  /// Recognises "leave out word", "leave word out", "remove word".
  bool is_left_out(std::size_t begin) const {
    const std::size_t before = begin > 0 && text_[begin - 1] == '`' ? begin - 1 : begin;
    return ends_with(before, "leave out ") || ends_with(before, "remove ") ||
           (ends_with(before, "leave ") && (follows(" out") || follows("` out")));
  }

  void read_removal(const std::string& word, std::size_t begin) {
    const std::optional<std::string> path = word == "it" ? key_ : resolved(word);
    if (path && job_.find_path(*path)) add({*path, ConfigNode()}, begin);
  }

  void read_values(const std::string& path, std::size_t begin) {
    const std::optional<ConfigNode> first = value_at(path);
    if (!first) return;
    add({path, *first}, begin);
    for (;;) {  // "A, B or C"
      const std::size_t before = at_;
      if (follows(", or "))
        at_ += 5;
      else if (follows(", "))
        at_ += 2;
      else if (follows(" or "))
        at_ += 4;
      else
        return;
      const std::size_t word = at_;
      const std::optional<ConfigNode> more = value_at(path);
      if (!more || follows(":") || follows(" to ") || !is_word_of(path, more->text())) {
        at_ = before + 1;
        return;
      }
      found_.push_back({{path, *more}});
      end_ = word;
    }
  }

  /// The value that begins here; advances behind it.
  std::optional<ConfigNode> value_at(const std::string& path) {
    std::size_t end = at_;
    if (end < text_.size() && (text_[end] == '{' || text_[end] == '[')) {
      int depth = 0;
      do {
        const char sign = text_[end++];
        depth += sign == '{' || sign == '[' ? 1 : sign == '}' || sign == ']' ? -1 : 0;
      } while (depth > 0 && end < text_.size());
    } else {
      while (end < text_.size() && text_.find_first_of(",;`)(", end) != end &&
             text_.compare(end, 4, " or ") != 0 && text_.compare(end, 5, " and ") != 0 &&
             text_.compare(end, 5, " for ") != 0 && text_.compare(end, 4, " on ") != 0)
        ++end;
    }
    const std::string value = text_.substr(at_, end - at_);
    at_ = end;
    if (value.empty() || (is_placeholder(value) && value.front() != '{')) return {};
    try {
      ConfigNode node = ConfigNode::parse("value: " + value, "remedy").at("value");
      return is_possible(path, node) ? std::optional(without_placeholders(node)) : std::nullopt;
    } catch (const ConfigError&) {
      return {};
    }
  }

  static ConfigNode without_placeholders(const ConfigNode& node) {
    if (!node.is_map()) return node;
    std::vector<ConfigNode::Entry> entries;
    for (const auto& [key, value] : node.entries())
      if (!is_placeholder(value)) entries.emplace_back(key, value);
    return ConfigNode::map(std::move(entries));
  }

  /// Whether the setting may have this kind or word.
  bool is_word_of(const std::string& path, const std::string& word) const {
    const std::vector<std::string>& paths = kinds_.paths_of(word);
    if (std::find(paths.begin(), paths.end(), path) != paths.end()) return true;
    const Json* schema = kinds_.find(path, job_);
    if (!schema || !schema->contains("enum")) return false;
    const Json& words = (*schema)["enum"];
    return std::find(words.begin(), words.end(), Json(word)) != words.end();
  }

  /// Whether the value is possible for a setting with kinds or words.
  bool is_possible(const std::string& path, const ConfigNode& value) const {
    const Json* schema = kinds_.find(path, job_);
    if (!schema) return true;
    const bool has_words = !kinds_in(*schema).empty() || schema->contains("enum");
    const ConfigNode* kind = value.find("kind");
    if (!has_words) return value.is_scalar() ? value.text().find(' ') != 0 : true;
    if (value.is_map() && !kind) return false;
    return is_word_of(path, kind ? kind->text() : value.text());
  }

  /// "topology.kind" is the section "topology"; "kind" and other keys are below the section of the
  /// message, or below that of the preceding setting.
  std::optional<std::string> resolved(const std::string& word) const {
    const std::string kind = ".kind";
    if (word == "kind") {
      for (std::string path = key_; !path.empty(); path = parent_of(path)) {
        const Json* schema = kinds_.find(path, job_);
        if (schema && !kinds_in(*schema).empty()) return path;
      }
      return {};
    }
    if (word.size() > kind.size() &&
        word.compare(word.size() - kind.size(), kind.size(), kind) == 0)
      return resolved(parent_of(word));
    if (kinds_.find(word, job_)) return word;
    for (std::string path = last_; !path.empty(); path = parent_of(path))
      if (kinds_.find(path + "." + word, job_)) return path + "." + word;
    for (std::string path = key_; !path.empty(); path = parent_of(path))
      if (kinds_.find(path + "." + word, job_)) return path + "." + word;
    return is_below_a_section(word) ? std::optional(word) : std::nullopt;
  }

  /// A setting of a kind that the job does not have may be added with that kind.
  bool is_below_a_section(const std::string& word) const {
    const std::size_t dot = word.find('.');
    return dot != std::string::npos && kinds_.find(word.substr(0, dot), job_) != nullptr;
  }

  void add(Advice advice, std::size_t begin) {
    const std::string between = text_.substr(end_, begin - std::min(end_, begin));
    const bool joins =
        !found_.empty() && between.find(" or ") == std::string::npos &&
        (between.find(" and ") != std::string::npos || between.find(" on ") != std::string::npos);
    last_ = parent_of(advice.path);
    if (joins)
      found_.back().push_back(std::move(advice));
    else
      found_.push_back({std::move(advice)});
    end_ = at_;
  }

  bool follows(const std::string& text) const { return text_.compare(at_, text.size(), text) == 0; }
  bool ends_with(std::size_t end, const std::string& text) const {
    return end >= text.size() && text_.compare(end - text.size(), text.size(), text) == 0;
  }

  std::string key_;
  const std::string& text_;
  const JobKinds& kinds_;
  const ConfigNode& job_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;  ///< End of the last advice.
  std::string last_;     ///< The section of the last advice.
  std::vector<std::vector<Advice>> found_;
};

}  // namespace

std::vector<std::vector<Advice>> advice_of(const std::string& key, const std::string& remedy,
                                           const JobKinds& kinds, const ConfigNode& job) {
  return RemedyReader(key, remedy, kinds, job).read();
}

}  // namespace flitwave::fuzz_jobs
