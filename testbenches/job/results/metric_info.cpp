// testbenches/job/results/metric_info.cpp: see metric_info.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/results/metric_info.hpp"

#include <algorithm>

#include "configs/error.hpp"
#include "configs/node.hpp"
#include "modules/packet/job_part.hpp"

namespace flitwave {

namespace {

const MetricInfo* find_exactly(const MetricInfos& declared, const std::string& name) {
  const auto found = std::find_if(declared.begin(), declared.end(),
                                  [&](const MetricInfo& info) { return info.name == name; });
  return found == declared.end() ? nullptr : &*found;
}

/// `name` without the part of a job after its first word; itself when there is none.
std::string without_part(const std::string& name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos) return name;
  const std::size_t end = name.find('.', dot + 1);
  const std::string word = name.substr(dot + 1, end - dot - 1);
  for (std::size_t part = 0; part < job_parts; ++part)
    if (end != std::string::npos && word == name_of(static_cast<JobPart>(part)))
      return name.substr(0, dot) + name.substr(end);
  return name;
}

/// `name` without the ending of a metric of draws; itself when it has none.
std::string without_ending(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return name;
  const std::string ending = name.substr(dot + 1);
  const bool is_form = ending == "min" || ending == "max" || ending == "sd" || ending == "excess" ||
                       ending == "ratio";
  return is_form ? name.substr(0, dot) : name;
}

/// The ending of a metric of draws in words.
std::string words_of_ending(const std::string& ending) {
  if (ending == "min") return "least";
  if (ending == "max") return "greatest";
  return ending == "sd" ? "standard deviation" : ending;
}

}  // namespace

MetricInfos sample_metrics(const std::string& name, const std::string& what,
                           const std::string& title, MetricInfo::Forms forms) {
  return {
      {name + ".mean", "cycle", "mean of " + what, forms, "mean " + title},
      {name + ".p50", "cycle", "median of " + what, forms, "median " + title},
      {name + ".p99", "cycle", "99th percentile of " + what, forms, "99th percentile of " + title},
      {name + ".max", "cycle", "greatest of " + what, forms, "greatest " + title}};
}

MetricInfos interval_metrics(const std::string& name, MetricInfo::Forms forms) {
  return {{name + ".ci95", "cycle", "half the 95 % interval of " + name + ".mean", forms},
          {name + ".batches", "", "batches of packets behind " + name + ".ci95", forms}};
}

const MetricInfo* find_metric(const MetricInfos& declared, const std::string& name) {
  if (const MetricInfo* found = find_exactly(declared, name)) return found;
  const MetricInfo* of_part = find_exactly(declared, without_part(name));
  if (of_part && of_part->forms == MetricInfo::Forms::by_part) return of_part;
  const std::string shorter = without_ending(name);
  return shorter == name ? nullptr : find_metric(declared, shorter);
}

std::string title_of_metric(const MetricInfos& declared, const std::string& name) {
  if (const MetricInfo* found = find_exactly(declared, name))
    return found->title.empty() ? found->meaning.substr(0, found->meaning.find_first_of(",;"))
                                : found->title;
  const std::string whole = without_part(name);
  const MetricInfo* of_part = find_exactly(declared, whole);
  if (of_part && of_part->forms == MetricInfo::Forms::by_part) {
    const std::size_t dot = name.find('.') + 1;
    return title_of_metric(declared, whole) + ", " + name.substr(dot, name.find('.', dot) - dot);
  }
  const std::string shorter = without_ending(name);
  const std::string title = shorter == name ? "" : title_of_metric(declared, shorter);
  return title.empty() ? "" : title + ", " + words_of_ending(name.substr(shorter.size() + 1));
}

const MetricInfo& require_metric(const MetricInfos& declared, const std::string& name,
                                 const Place& place, const std::string& key) {
  if (const MetricInfo* found = find_metric(declared, name)) return *found;
  std::vector<std::string> known;
  for (const MetricInfo& info : declared) known.push_back(info.name);
  const std::string near = nearest(name, known);
  throw ConfigError(place, key, "no run reports a metric " + detail::in_quotes(name),
                    (near.empty() ? "" : "did you mean `" + near + "`? ") +
                        std::string("`flitwave list metric` shows them all"));
}

}  // namespace flitwave
