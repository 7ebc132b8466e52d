// testbenches/fuzz_jobs/job_repair.cpp: see job_repair.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/fuzz_jobs/job_repair.hpp"

#include <algorithm>
#include <cctype>

#include "testbenches/fuzz_jobs/job_remedy.hpp"

namespace flitwave::fuzz_jobs {

namespace {

constexpr int remedy_percent = 65;  // of repairs, if the remedy names settings

/// One change of a job.
struct Change {
  enum class What { redraw, number, word, drop };
  What what;
  std::string path;
  std::string value;  ///< For `number` and `word`.
};

/// The path "a.b" of "a.b[1].c": lists change as a whole.
std::string outside_lists(const std::string& path) { return path.substr(0, path.find('[')); }

/// The names, dotted paths and whole numbers of a text.
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

  /// Suggests changes of the setting and of the enclosing ones.
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

  std::vector<Change> take() { return std::move(changes_); }

 private:
  /// The kind belongs to its section: with another kind the whole section is generated again.
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

/// A number in the unit of the setting.
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
  // The section of a new setting is added with it, also if the section is written as a name alone.
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

/// Whether the advice would remove a pinned item.
bool removes_pin(const Advice& advice, const JobKinds& kinds, const std::vector<Item>& pins,
                 const ValueDraw& values) {
  if (advice.value.is_null()) return values.is_pinned(advice.path);
  const ConfigNode* kind = advice.value.find("kind");
  const std::string& word = kind ? kind->text() : advice.value.text();
  return std::any_of(pins.begin(), pins.end(), [&](const Item& pin) {
    if (pin.path != advice.path || pin.value.empty()) return false;
    return advice.value.is_list() ||
           (pin.value != word && !kinds.may_meet(pin, {advice.path, word}));
  });
}

/// Generates a section of another kind and applies the settings of the advice.
ConfigNode with_advice(const ConfigNode& job, const Advice& advice, const JobKinds& kinds,
                       const std::vector<Item>& pins, ValueDraw& values) {
  if (advice.value.is_null()) return job.without(advice.path);
  const ConfigNode* present = job.find_path(advice.path);
  const Json* schema = kinds.find(advice.path, job);
  const bool has_kinds = schema && !kinds_in(*schema).empty();
  const ConfigNode* kind = has_kinds ? advice.value.find("kind") : nullptr;
  const std::string word = kind ? kind->text() : advice.value.text();
  ConfigNode changed = job;
  if (has_kinds) {
    const ConfigNode* present_kind = present ? present->find("kind") : nullptr;
    const bool same = present && (present_kind ? *present_kind : *present).text() == word;
    if (!same) changed = applied(job, {Change::What::word, advice.path, word}, kinds, pins, values);
  }
  if (has_kinds && !kind) return changed;
  if (!has_kinds) {
    std::string above = parent_of(advice.path);
    const ConfigNode* section = above.empty() ? nullptr : changed.find_path(above);
    if (section && section->is_scalar()) changed = changed.with(above, section->under("kind"));
    return changed.with(advice.path, advice.value);
  }
  if (const ConfigNode* section = changed.find_path(advice.path); section && section->is_scalar())
    changed = changed.with(advice.path, section->under("kind"));
  for (const auto& [key, value] : advice.value.entries())
    changed = changed.with(advice.path + "." + key, value);
  return changed;
}

/// The job with one of the alternatives of the remedy; the same job when there is none.
ConfigNode with_remedy(const ConfigNode& job, const Refusal& refusal, const JobKinds& kinds,
                       const std::vector<Item>& pins, ValueDraw& values) {
  std::vector<std::vector<Advice>> alternatives =
      advice_of(refusal.key, refusal.remedy, kinds, job);
  const auto removes = [&](const std::vector<Advice>& settings) {
    return std::any_of(settings.begin(), settings.end(), [&](const Advice& advice) {
      return removes_pin(advice, kinds, pins, values);
    });
  };
  alternatives.erase(std::remove_if(alternatives.begin(), alternatives.end(), removes),
                     alternatives.end());
  if (alternatives.empty()) return job;
  ConfigNode changed = job;
  for (const Advice& advice : values.pick(alternatives))
    changed = with_advice(changed, advice, kinds, pins, values);
  return changed;
}

}  // namespace

ConfigNode with_item(const ConfigNode& job, const Item& item, const JobKinds& kinds,
                     const std::vector<Item>& pins, ValueDraw& values) try {
  const Json* schema = kinds.find(item.path, job);
  std::vector<Item> all = pins;
  all.push_back(item);
  const bool is_list = schema && schema->contains("items");
  if (item.value.empty() || is_list) {
    const ConfigNode drawn = values.draw_with(
        schema ? *schema : kinds.schema()["properties"][item.path], item.path, all);
    const ConfigNode* present = is_list ? job.find_path(item.path) : nullptr;
    if (!present || !present->is_list()) return job.with(item.path, drawn);
    std::vector<ConfigNode> joined = present->items();
    for (const ConfigNode& more : drawn.items()) {
      const ConfigNode* kind = more.find("kind");
      if ((kind ? *kind : more).text() == item.value) joined.push_back(more);
    }
    return job.with(item.path, ConfigNode::list(std::move(joined)));
  }
  return applied(job, {Change::What::word, item.path, item.value}, kinds, all, values);
} catch (const ConfigError&) {  // the path contains a list or a scalar
  return job;
}

ConfigNode repaired(const ConfigNode& job, const Refusal& refusal, const JobKinds& kinds,
                    const std::vector<Item>& pins, ValueDraw& values) {
  try {
    if (values.chance(remedy_percent)) {
      ConfigNode changed = with_remedy(job, refusal, kinds, pins, values);
      if (changed != job) return changed;
    }
    Suggestions suggestions(job, kinds, pins, values);
    suggestions.about(refusal.key);
    suggestions.mentioned(outside_lists(parent_of(refusal.key)), refusal.text);
    std::vector<Change> changes = suggestions.take();
    if (changes.empty()) {
      const auto& [key, section] = values.pick(job.entries());
      changes.push_back({Change::What::redraw, key, ""});
    }
    return applied(job, values.pick(changes), kinds, pins, values);
  } catch (const ConfigError&) {  // the path contains a list or a scalar
    return job;
  }
}

}  // namespace flitwave::fuzz_jobs
