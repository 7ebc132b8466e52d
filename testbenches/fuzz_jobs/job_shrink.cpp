// testbenches/fuzz_jobs/job_shrink.cpp: see job_shrink.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/fuzz_jobs/job_shrink.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace flitwave::fuzz_jobs {

namespace {

/// Simpler values that may replace this one.
std::vector<ConfigNode> simpler_values(const ConfigNode& node);

std::vector<ConfigNode> simpler_numbers(const ConfigNode& node) {
  std::int64_t number = 0;
  const std::string& text = node.text();
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc() || number <= 0) return {};
  const std::string unit(parsed.ptr, text.data() + text.size());
  if (!unit.empty() && unit.front() != ' ') return {};
  std::vector<ConfigNode> values;
  for (const std::int64_t less : {std::int64_t{1}, number / 2, number - 1, std::int64_t{0}})
    if (less < number) values.push_back(ConfigNode::scalar(std::to_string(less) + unit));
  return values;
}

std::vector<ConfigNode> simpler_lists(const ConfigNode& node) {
  std::vector<ConfigNode> values;
  const std::vector<ConfigNode>& items = node.items();
  for (std::size_t part = items.size(); part >= 1; part /= 2)
    for (std::size_t from = 0; from + part <= items.size() && items.size() > 1; from += part) {
      std::vector<ConfigNode> fewer = items;
      const auto begin = fewer.begin() + static_cast<std::ptrdiff_t>(from);
      fewer.erase(begin, begin + static_cast<std::ptrdiff_t>(part));
      if (!fewer.empty()) values.push_back(ConfigNode::list(std::move(fewer)));
    }
  for (std::size_t i = 0; i < items.size(); ++i)
    for (const ConfigNode& value : simpler_values(items[i])) {
      std::vector<ConfigNode> other = items;
      other[i] = value;
      values.push_back(ConfigNode::list(std::move(other)));
    }
  return values;
}

std::vector<ConfigNode> simpler_maps(const ConfigNode& node) {
  std::vector<ConfigNode> values;
  const std::vector<ConfigNode::Entry>& entries = node.entries();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].first == "kind" || entries[i].first == "scenario") continue;
    std::vector<ConfigNode::Entry> fewer = entries;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    values.push_back(ConfigNode::map(std::move(fewer)));
  }
  for (std::size_t i = 0; i < entries.size(); ++i)
    for (const ConfigNode& value : simpler_values(entries[i].second)) {
      std::vector<ConfigNode::Entry> other = entries;
      other[i].second = value;
      values.push_back(ConfigNode::map(std::move(other)));
    }
  return values;
}

std::vector<ConfigNode> simpler_values(const ConfigNode& node) {
  if (node.is_map()) return simpler_maps(node);
  return node.is_list() ? simpler_lists(node) : simpler_numbers(node);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  return lines;
}

/// The text without some of its lines: halves first, single ones last.
std::vector<std::string> shorter_texts(const std::string& text) {
  std::vector<std::string> texts;
  const std::vector<std::string> lines = lines_of(text);
  for (std::size_t part = lines.size() / 2; part >= 1; part /= 2)
    for (std::size_t from = 0; from + part <= lines.size(); from += part) {
      std::string rest;
      for (std::size_t i = 0; i < lines.size(); ++i)
        if (i < from || i >= from + part) rest += lines[i];
      texts.push_back(std::move(rest));
    }
  return texts;
}

}  // namespace

std::vector<DrawnJob> simpler(const DrawnJob& job) {
  std::vector<DrawnJob> jobs;
  for (ConfigNode& tree : simpler_maps(job.tree)) {
    jobs.push_back(job);
    jobs.back().tree = std::move(tree);
  }
  for (std::size_t i = 0; i < job.files.size(); ++i)
    for (std::string& text : shorter_texts(job.files[i].text)) {
      jobs.push_back(job);
      jobs.back().files[i].text = std::move(text);
    }
  return jobs;
}

DrawnJob shrink(DrawnJob failing, int tries, const std::function<bool(const DrawnJob&)>& fails) {
  // Unsuccessful variations are skipped until the job has changed.
  for (std::size_t passed = 0, at = 0;;) {
    std::vector<DrawnJob> candidates = simpler(failing);
    if (candidates.empty() || passed >= candidates.size()) return failing;
    for (at = at < candidates.size() ? at : 0; passed < candidates.size(); ++passed) {
      if (tries-- <= 0) return failing;
      if (fails(candidates[at])) break;
      at = at + 1 < candidates.size() ? at + 1 : 0;
    }
    if (passed >= candidates.size()) return failing;
    failing = std::move(candidates[at]);
    passed = 0;
  }
}

}  // namespace flitwave::fuzz_jobs
