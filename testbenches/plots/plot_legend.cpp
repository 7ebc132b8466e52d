// testbenches/plots/plot_legend.cpp: see plot_legend.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/plots/plot_legend.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

#include <fmt/format.h>

#include "testbenches/job/job_sections.hpp"

namespace flitwave {

namespace {

std::string without_underscores(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string sentence_of(const std::vector<ParameterInfo>& parameters, const std::string& name) {
  for (const ParameterInfo& parameter : parameters)
    if (parameter.name == name) return parameter.sentence;
  return "";
}

/// The description of a setting of the job's sections; empty for settings of kinds.
std::string sentence_of(const std::string& section, const std::string& name) {
  for (const JobSection& known : job_sections())
    if (known.name == section && known.key.empty()) return sentence_of(known.parameters, name);
  return "";
}

/// The description of a kind's setting; empty for settings of sections without kinds.
std::string sentence_of(const std::string& section, const std::string& kind,
                        const std::string& name) {
  static const Catalog catalog = standard_catalog();
  for (const JobSection& known : job_sections()) {
    if (known.name != section || !known.key.empty() || !known.kinds) continue;
    for (const KindInfo& info : known.kinds(catalog))
      if (info.name == kind) return sentence_of(info.parameters, name);
  }
  return "";
}

/// The words at the start of a sentence whose initials are the letters of a name, if it has several
/// letters; an `s` left over is a plural. Empty when the initials differ.
std::string spelt_out(const std::string& name, const std::string& sentence) {
  std::istringstream words(sentence);
  std::string found;
  std::size_t letters = 0;
  for (std::string word; letters < name.size() && words >> word; ++letters) {
    if (word.front() != name[letters]) break;
    found += (letters == 0 ? "" : " ") + word;
  }
  const bool plural = letters + 1 == name.size() && name.back() == 's';
  return letters >= 2 && (letters == name.size() || plural) ? found : "";
}

bool is_quantity(const ConfigNode& value) {
  return value.is_scalar() && !value.text().empty() &&
         std::isdigit(static_cast<unsigned char>(value.text().front())) != 0;
}

std::string words_joined(const std::vector<std::string>& parts, const char* between) {
  return fmt::format("{}", fmt::join(parts, between));
}

}  // namespace

std::string words_of_setting(const std::string& path, const ConfigNode& titles) {
  if (const ConfigNode* own = titles.find(path)) return own->text();
  const std::size_t dot = path.rfind('.');
  if (dot == std::string::npos) return without_underscores(path);
  const std::string name = path.substr(dot + 1);
  const std::string words = spelt_out(name, sentence_of(path.substr(0, dot), name));
  return words.empty() ? without_underscores(name) : words;
}

std::string title_of_setting(const std::string& path, const Findings& findings,
                             const ConfigNode& titles) {
  constexpr std::size_t longest = 40;  // characters; leaves space for a unit
  if (titles.find(path)) return words_of_setting(path, titles);
  const std::size_t dot = path.rfind('.');
  if (dot == std::string::npos) return words_of_setting(path);
  const std::string section = path.substr(0, dot);
  const std::string name = path.substr(dot + 1);
  if (name == "kind") return words_of_setting(section);
  std::string sentence = sentence_of(section, name);
  if (sentence.empty() && !findings.points().empty())
    sentence = sentence_of(section, findings.setting(0, section + ".kind").text(), name);
  sentence.resize(std::min(sentence.size(), sentence.find_first_of(",;:(")));
  while (!sentence.empty() && sentence.back() == ' ') sentence.pop_back();
  return sentence.empty() || sentence.size() > longest ? words_of_setting(path) : sentence;
}

std::string words_of_value(const ConfigNode& value, const ConfigNode& titles) {
  std::vector<std::string> parts;
  if (value.is_null()) return "-";
  const std::string written = value.is_scalar() ? value.text() : Codec<ConfigNode>::print(value);
  if (const ConfigNode* own = titles.find(written)) return own->text();
  if (value.is_list()) {
    const std::vector<ConfigNode>& items = value.items();
    const bool numbers = std::all_of(items.begin(), items.end(), is_quantity);
    for (const ConfigNode& item : items) parts.push_back(words_of_value(item, titles));
    return words_joined(parts, numbers ? "x" : ", ");
  }
  if (!value.is_map()) return without_underscores(written);
  for (const auto& [key, item] : value.entries())
    parts.push_back((key == "kind" ? "" : without_underscores(key) + " ") +
                    words_of_value(item, titles));
  return words_joined(parts, ", ");
}

std::vector<std::string> legend(const Findings& findings, const std::vector<Group>& groups,
                                const Paths& settings, const ConfigNode& titles) {
  std::vector<std::vector<std::string>> parts(groups.size());
  for (const std::string& path : settings.names) {
    const auto value = [&](const Group& of) -> const ConfigNode& {
      return findings.setting(of.points.front(), path);
    };
    const bool numbers = std::any_of(groups.begin(), groups.end(), [&](const Group& of) {
      return magnitude_of(value(of)).has_value();
    });
    const std::string name = numbers ? words_of_setting(path, titles) + ": " : "";
    for (std::size_t i = 0; i < groups.size(); ++i)
      parts[i].push_back(name + words_of_value(value(groups[i]), titles));
  }
  std::vector<std::string> names;
  for (const std::vector<std::string>& of : parts) names.push_back(words_joined(of, ", "));
  return names;
}

}  // namespace flitwave
