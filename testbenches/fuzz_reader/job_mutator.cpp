// testbenches/fuzz_reader/job_mutator.cpp: see job_mutator.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/fuzz_reader/job_mutator.hpp"

#include <algorithm>
#include <set>

#include "testbenches/experiments/experiment.hpp"
#include "testbenches/experiments/manual/manual.hpp"

namespace flitwave::fuzz_reader {

namespace {

/// Limits of ranges, masks, integers and doubles.
const char* const numbers[] = {"0",
                               "1",
                               "2",
                               "3",
                               "4",
                               "5",
                               "7",
                               "8",
                               "16",
                               "17",
                               "62",
                               "63",
                               "64",
                               "65",
                               "100",
                               "255",
                               "256",
                               "1023",
                               "1024",
                               "4096",
                               "65535",
                               "65536",
                               "1000000",
                               "2147483647",
                               "2147483648",
                               "4294967296",
                               "2305843009213693951",
                               "9223372036854775807",
                               "9223372036854775808",
                               "18446744073709551615",
                               "-1",
                               "-2147483648",
                               "0.5",
                               "0.001",
                               "0.1",
                               "1e308",
                               "1e-320",
                               "nan",
                               "-0"};

template <class T>
const T& pick(const std::vector<T>& of, Random& random) {
  return of[random.below(of.size())];
}

std::string number(Random& random) {
  if (random.below(2) == 0) return std::to_string(random.below(9));
  return numbers[random.below(std::size(numbers))];
}

/// The number of values in a tree, including itself.
std::uint64_t count(const ConfigNode& node) {
  std::uint64_t values = 1;
  for (const ConfigNode& item : node.items()) values += count(item);
  for (const auto& entry : node.entries()) values += count(entry.second);
  return values;
}

/// The choices of "a | b | c".
std::vector<std::string> choices(const std::string& type) {
  std::vector<std::string> found;
  for (std::size_t at = 0; at < type.size();) {
    const std::size_t end = std::min(type.find(" | ", at), type.size());
    found.push_back(type.substr(at, end - at));
    at = end + 3;
  }
  return found;
}

/// A value that the parameter accepts.
ConfigNode example(const ParameterInfo& parameter) {
  const std::string& text =
      parameter.default_text.empty() ? parameter.type.example : parameter.default_text;
  return text.empty() ? ConfigNode() : ConfigNode::parse(text, "example");
}

}  // namespace

JobMutator::JobMutator() {
  std::set<std::string> words{"random", "true", "false", "null"};
  std::set<std::string> keys{"kind", "at", "nodes"};
  const auto take = [&](const ParameterInfo& parameter) {
    keys.insert(parameter.name);
    if (parameter.type.name.find(" | ") != std::string::npos)
      for (const std::string& choice : choices(parameter.type.name)) words.insert(choice);
  };
  for (const ManualRoom& room : manual(standard_catalog())) {
    if (room.name == "metric") continue;  // not a part of a job
    keys.insert(room.name);
    for (const KindInfo& kind : room.entries) {
      (room.name == "job" ? keys : words).insert(kind.name);
      std::vector<ConfigNode::Entry> section{{"kind", ConfigNode::scalar(kind.name)}};
      for (const ParameterInfo& parameter : kind.parameters) {
        take(parameter);
        section.emplace_back(parameter.name, example(parameter));
      }
      if (room.name == "job") section.erase(section.begin());
      filled_.emplace_back(room.name == "job" ? kind.name : room.name,
                           ConfigNode::map(std::move(section)));
    }
  }
  for (const SectionInfo& section : experiment_sections())
    for (const ParameterInfo& parameter : section.parameters) take(parameter);
  keys_.assign(keys.begin(), keys.end());
  words_.assign(words.begin(), words.end());
  units_ = {"",   "",     "",     "",    " cycle", " flit", " flit/node/cycle",
            " B", " KiB", " GiB", " ps", " ns",    " us",   " s"};
}

ConfigNode JobMutator::value(Random& random, int depth) const {
  switch (random.below(depth > 2 ? 3 : 6)) {
    case 0:
      return ConfigNode::scalar(pick(words_, random));
    case 1:
    case 2:
      return ConfigNode::scalar(number(random) + pick(units_, random));
    case 3: {
      std::vector<ConfigNode> items;
      for (std::uint64_t i = random.below(4); i > 0; --i) items.push_back(value(random, depth + 1));
      return ConfigNode::list(std::move(items));
    }
    case 4:
      return pick(filled_, random).second;
    default:
      return ConfigNode::map({entry(random)});
  }
}

ConfigNode::Entry JobMutator::entry(Random& random) const {
  if (random.below(2) == 0) return pick(filled_, random);
  return {pick(keys_, random), value(random, 1)};
}

/// The value that replaces another one.
ConfigNode JobMutator::other(const ConfigNode& node, Random& random) const {
  if (node.is_scalar()) {
    const std::string& text = node.text();
    const std::size_t unit = std::min(text.find(' '), text.size());
    const bool counts = !text.empty() && text[0] >= '0' && text[0] <= '9';
    if (counts && random.below(3) > 0)
      return ConfigNode::scalar(number(random) + text.substr(unit));
    return value(random, 1);
  }
  std::vector<ConfigNode> items = node.items();
  std::vector<ConfigNode::Entry> entries = node.entries();
  const bool shorter = random.below(3) == 0;
  if (node.is_list() && !items.empty()) {
    const auto place = items.begin() + static_cast<std::ptrdiff_t>(random.below(items.size()));
    if (shorter)
      items.erase(place);
    else
      items.push_back(random.below(2) == 0 ? *place : value(random, 1));
    return ConfigNode::list(std::move(items));
  }
  if (!node.is_map() || entries.empty()) return value(random, 0);
  if (shorter) {
    entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(random.below(entries.size())));
    return ConfigNode::map(std::move(entries));
  }
  ConfigNode::Entry added = entry(random);
  const auto same = std::find_if(entries.begin(), entries.end(),
                                 [&](const auto& old) { return old.first == added.first; });
  if (same == entries.end())
    entries.push_back(std::move(added));
  else
    same->second = std::move(added.second);
  return ConfigNode::map(std::move(entries));
}

/// The tree with the value that is reached after so many steps changed.
ConfigNode JobMutator::changed(const ConfigNode& node, std::uint64_t& steps, Random& random) const {
  if (steps-- == 0) return other(node, random);
  if (node.is_list()) {
    std::vector<ConfigNode> items;
    for (const ConfigNode& item : node.items()) items.push_back(changed(item, steps, random));
    return ConfigNode::list(std::move(items));
  }
  if (node.is_map()) {
    std::vector<ConfigNode::Entry> entries;
    for (const auto& [key, value] : node.entries())
      entries.emplace_back(key, changed(value, steps, random));
    return ConfigNode::map(std::move(entries));
  }
  return node;
}

JobInput JobMutator::mutate(const JobInput& input, Random& random) const {
  JobInput result = input;
  try {
    ConfigNode tree = ConfigNode::parse(input.job, "input");
    for (std::uint64_t edits = 1 + random.below(3); edits > 0; --edits) {
      std::uint64_t steps = random.below(count(tree));
      tree = changed(tree, steps, random);
    }
    result.job = tree.to_yaml();
  } catch (const ConfigError&) {
    return input;
  }
  return result;
}

}  // namespace flitwave::fuzz_reader
