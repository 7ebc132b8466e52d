// testbenches/fuzz_jobs/job_repair.cpp: see job_repair.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/fuzz_jobs/job_repair.hpp"

#include <algorithm>
#include <cctype>

namespace flitwave::fuzz_jobs {

namespace {

/// One change of a job.
struct Change {
  enum class What { redraw, number, word, drop };
  What what;
  std::string path;
  std::string value;  ///< Of `number` and `word`.
};

std::string parent_of(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

/// "a.b[1].c" without what is in a list, which changes as a whole: "a.b".
std::string outside_lists(const std::string& path) { return path.substr(0, path.find('[')); }

/// Names, dotted paths and whole numbers of a text.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words{""};
  for (const char sign : text) {
    const bool inside =
        std::isalnum(static_cast<unsigned char>(sign)) || sign == '_' || sign == '.';
    if (inside)
      words.back() += sign;
    else if (!words.back().empty())
      words.emplace_back();
  }
  for (std::string& word : words)
    while (!word.empty() && word.back() == '.') word.pop_back();
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  words.erase(std::remove(words.begin(), words.end(), ""), words.end());
  return words;
}

bool is_number(const std::string& word) {
  return std::all_of(word.begin(), word.end(),
                     [](unsigned char sign) { return std::isdigit(sign) != 0; });
}

/// The changes that a message suggests.
class Suggestions {
 public:
  Suggestions(const ConfigNode& job, const JobKinds& kinds, const std::vector<Item>& pins,
              const ValueDraw& values)
      : job_(job), kinds_(kinds), pins_(pins), values_(values) {}

  /// The setting itself, and those that enclose it.
  void about(const std::string& path) {
    for (std::string at = outside_lists(path); !at.empty(); at = parent_of(at)) setting(at);
  }

  void mentioned(const std::string& section, const std::string& message) {
    const std::vector<std::string> words = words_of(message);
    for (const std::string& word : words) {
      if (is_number(word)) {
        numbers_.push_back(word);
        continue;
      }
      for (const std::string& path : kinds_.paths_of(word)) add(Change::What::word, path, word);
      if (kinds_.find(word, job_)) setting(word);
      const std::string beside = section + "." + word;
      if (!section.empty() && kinds_.find(beside, job_)) setting(beside);
    }
    for (const std::string& path : settings_)
      for (const std::string& number : numbers_) add(Change::What::number, path, number);
  }

  /// What a remedy says outright: "set PATH: VALUE", "set PATH to VALUE", "remove it".
  void from_remedy(const std::string& key, const std::string& message) {
    const std::string remedy = message.substr(std::min(message.rfind("; "), message.size()));
    if (remedy.find("remove it") != std::string::npos && !values_.is_pinned(outside_lists(key)))
      add_likely(Change::What::drop, outside_lists(key), "");
    const std::string set = "set ";
    for (std::size_t at = remedy.find(set); at != std::string::npos; at = remedy.find(set, at)) {
      at += set.size();
      const std::size_t end = std::min(remedy.find_first_of(": ,;", at), remedy.size());
      const std::string path = remedy.substr(at, end - at);
      std::string rest = remedy.substr(end);
      rest.erase(0, rest.find_first_not_of(": "));
      if (rest.compare(0, 3, "to ") == 0) rest.erase(0, 3);
      const std::string value = rest.substr(0, rest.find_first_of(" ,;"));
      if (value.empty()) continue;
      if (is_number(value))
        add_likely(Change::What::number, path, value);
      else if (has_value(path, value))
        add_likely(Change::What::word, path, value);
    }
  }

  std::vector<Change> take() { return std::move(changes_); }

 private:
  /// A section's kind is its own: with another the whole section is drawn again.
  void setting(const std::string& written) {
    const std::string kind = ".kind";
    const bool is_kind = written.size() > kind.size() &&
                         written.compare(written.size() - kind.size(), kind.size(), kind) == 0;
    const std::string path = is_kind ? parent_of(written) : written;
    if (std::find(settings_.begin(), settings_.end(), path) != settings_.end()) return;
    settings_.push_back(path);
    if (kinds_.find(path, job_)) add(Change::What::redraw, path, "");
    if (job_.find_path(path) && !values_.is_pinned(path)) add(Change::What::drop, path, "");
  }

  bool has_value(const std::string& path, const std::string& word) const {
    const std::vector<std::string>& paths = kinds_.paths_of(word);
    return std::find(paths.begin(), paths.end(), path) != paths.end();
  }

  /// As likely as many others.
  void add_likely(Change::What what, const std::string& path, const std::string& value) {
    for (int times = 0; times < 6; ++times) add(what, path, value);
  }

  void add(Change::What what, const std::string& path, const std::string& value) {
    const bool changes_pin =
        std::any_of(pins_.begin(), pins_.end(), [&](const Item& pin) { return pin.path == path; });
    if (changes_pin && what != Change::What::redraw) return;
    changes_.push_back({what, path, value});
  }

  const ConfigNode& job_;
  const JobKinds& kinds_;
  const std::vector<Item>& pins_;
  const ValueDraw& values_;
  std::vector<std::string> settings_;
  std::vector<std::string> numbers_;
  std::vector<Change> changes_;
};

/// A number in the unit that the setting has.
ConfigNode with_unit(const Json& schema, const std::string& number) {
  const std::string standard = schema.contains("default") && schema["default"].is_string()
                                   ? schema["default"].get<std::string>()
                                   : "";
  const std::size_t space = standard.find(' ');
  return ConfigNode::scalar(space == std::string::npos ? number : number + standard.substr(space));
}

ConfigNode applied(const ConfigNode& job, const Change& change, const JobKinds& kinds,
                   const std::vector<Item>& pins, ValueDraw& values) {
  if (change.what == Change::What::drop) return job.without(change.path);
  // A setting below one that is not yet there, or that is a name alone, comes with it.
  const std::string parent = parent_of(change.path);
  ConfigNode grown = job;
  const ConfigNode* above = parent.empty() ? nullptr : job.find_path(parent);
  if (above && above->is_scalar()) grown = job.with(parent, above->under("kind"));
  const Json* schema = kinds.find(change.path, grown);
  if (!schema) return job;
  if (change.what == Change::What::number)
    return grown.with(change.path, with_unit(*schema, change.value));
  if (change.what == Change::What::redraw)
    return grown.with(change.path, values.draw(*schema, change.path));
  std::vector<Item> more = pins;
  more.push_back({change.path, change.value});
  if (kinds_in(*schema).empty()) return grown.with(change.path, ConfigNode::scalar(change.value));
  return grown.with(change.path, values.draw_with(*schema, change.path, more));
}

}  // namespace

ConfigNode repaired(const ConfigNode& job, const Refusal& refusal, const JobKinds& kinds,
                    const std::vector<Item>& pins, ValueDraw& values) {
  Suggestions suggestions(job, kinds, pins, values);
  suggestions.about(refusal.key);
  suggestions.from_remedy(refusal.key, refusal.text);
  suggestions.mentioned(outside_lists(parent_of(refusal.key)), refusal.text);
  std::vector<Change> changes = suggestions.take();
  if (changes.empty()) {
    const auto& [key, section] = values.pick(job.entries());
    changes.push_back({Change::What::redraw, key, ""});
  }
  try {
    return applied(job, values.pick(changes), kinds, pins, values);
  } catch (const ConfigError&) {  // the path runs through a list or a scalar
    return job;
  }
}

}  // namespace flitwave::fuzz_jobs
