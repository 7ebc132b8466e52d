// testbenches/fuzz_jobs/job_refusals.cpp: see job_refusals.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/fuzz_jobs/job_refusals.hpp"

#include <algorithm>
#include <cctype>
#include <tuple>

namespace flitwave::fuzz_jobs {

namespace {

bool is_name_sign(char sign) {
  return std::isalnum(static_cast<unsigned char>(sign)) != 0 || sign == '_';
}

/// Whether the text has the word by itself, not as a part of another one.
bool has_name(const std::string& text, const std::string& word) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !is_name_sign(text[at - 1]);
    const std::size_t end = at + word.size();
    if (begins && (end == text.size() || !is_name_sign(text[end]))) return true;
  }
  return false;
}

bool is_among(const std::string& text, const std::vector<std::string>& texts) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

std::string without_numbers(const std::string& text) {
  std::string kept;
  for (const char sign : text)
    if (std::isdigit(static_cast<unsigned char>(sign)) == 0) kept += sign;
  return kept;
}

}  // namespace

/// Returns: 2 when the message names the kind or word of that setting, 1 when it names one of both,
/// otherwise 0.
int JobRefusals::naming(const std::string& message, const Item& item) const {
  const std::string key = item.path.substr(item.path.rfind('.') + 1);
  const std::string section = item.path.substr(0, item.path.find('.'));
  const bool names_setting =
      has_name(message, item.path) || has_name(message, key) || has_name(message, section);
  if (item.value.empty()) return names_setting ? 2 : 0;
  // A word of several settings, or one that is no kind, is ambiguous without the setting.
  const Json* schema = kinds_.find(item.path, ConfigNode());
  const bool only_there =
      kinds_.paths_of(item.value).size() == 1 && schema && !schema->contains("enum");
  if (has_name(message, item.value) && (only_there || names_setting)) return 2;
  return names_setting || has_name(message, item.value) ? 1 : 0;
}

void JobRefusals::add(const std::string& message) {
  Message& same = messages_[without_numbers(message)];
  if (same.count++ == 0) same.text = message;
  if (names_all(message, pins_)) ++naming_all_;
}

/// Whether the message names each item by its kind or word, or by its setting if the item is a
/// section.
bool JobRefusals::names_all(const std::string& message, const std::vector<Item>& items) const {
  return std::all_of(items.begin(), items.end(),
                     [&](const Item& item) { return naming(message, item) == 2; });
}

/// Of the messages that name all of `named`, the one that names most of them by kind or word.
const JobRefusals::Message* JobRefusals::most_frequent(const std::vector<Item>& named) const {
  const Message* best = nullptr;
  std::tuple<int, bool, int> best_rank;
  for (const auto& [text, message] : messages_) {
    int sum = 0;
    bool names_all = true;
    bool is_about = false;  // it is the error of one of them
    for (const Item& item : named) {
      const int names = naming(message.text, item);
      names_all = names_all && names > 0;
      sum += names;
      is_about = is_about || message.text.compare(0, item.path.size(), item.path) == 0;
    }
    const std::tuple rank(sum, is_about, message.count);
    if (!names_all || (best && rank <= best_rank)) continue;
    best = &message;
    best_rank = rank;
  }
  return best;
}

std::string JobRefusals::reason() const {
  const Message* all = most_frequent(pins_);
  if (all && names_all(all->text, pins_)) return all->text;
  std::vector<std::string> texts;
  const auto add_text = [&texts](const Message* message) {
    if (message && !is_among(message->text, texts)) texts.push_back(message->text);
    return message != nullptr;
  };
  bool names_each = true;
  for (const Item& pin : pins_) names_each = add_text(most_frequent({pin})) && names_each;
  if (!names_each) add_text(most_frequent({}));
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : " | ") + text;
  return joined;
}

}  // namespace flitwave::fuzz_jobs
