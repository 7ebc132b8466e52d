// testbenches/experiments/findings/findings.cpp: see findings.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/findings/findings.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "configs/quantity.hpp"
#include "testbenches/job/results/statistics.hpp"

namespace flitwave {

using Json = nlohmann::ordered_json;

namespace {

template <class T, class Convert>
std::optional<Magnitude> read_as(const ConfigNode& setting, Convert convert) {
  try {
    return convert(Codec<T>::read(setting));
  } catch (const ConfigError&) {
    return std::nullopt;
  }
}

/// The value at `path`, in one of the settings.
std::optional<ConfigNode> find_in(const Settings& settings, const std::string& path) {
  for (auto setting = settings.rbegin(); setting != settings.rend(); ++setting) {
    if (!covers(setting->path, path)) continue;
    std::string rest = path.substr(setting->path.size());
    if (rest.empty()) return setting->value;
    if (rest[0] == '.') rest.erase(0, 1);
    if (const ConfigNode* found = setting->value.find_path(rest)) return *found;
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> names_of(Average) { return {"mean", "max", "min"}; }

bool Finding::saturated() const { return has("saturated") && results.value("saturated") > 0; }
bool Finding::deadlocked() const { return has("deadlocked") && results.value("deadlocked") > 0; }

std::string Finding::to_json() const {
  Json json;
  json["number"] = number;
  json["settings"] = Json::object();
  for (const Setting& setting : settings)
    json["settings"][setting.path] = Codec<ConfigNode>::print(setting.value);
  json["results"] = Json::parse(results.to_json());
  json["job"] = job;
  for (const File& file : files) json["files"][file.name] = file.size;
  return json.dump(1) + "\n";
}

Finding Finding::from_json(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    Finding finding;
    finding.number = json.at("number").get<int>();
    for (const auto& [path, value] : json.at("settings").items())
      finding.settings.push_back({path, ConfigNode::parse(value.get<std::string>(), path)});
    finding.job = json.at("job").get<std::string>();
    finding.results = Results::from_json(json.at("results").dump());
    if (json.contains("files"))
      for (const auto& [name, size] : json.at("files").items())
        finding.files.push_back({name, size.get<std::int64_t>()});
    return finding;
  } catch (const std::exception& error) {
    throw SystemFailure(std::string("a point's file cannot be read: ") + error.what());
  }
}

std::optional<Magnitude> magnitude_of(const ConfigNode& setting) {
  const std::string& text = setting.text();
  if (!setting.is_scalar() || setting.quoted() || text.empty()) return std::nullopt;
  if (std::string("-.0123456789").find(text.front()) == std::string::npos) return std::nullopt;
  const std::size_t number_end = text.find_first_not_of("+-.eE0123456789");
  const std::size_t unit_start = text.find_first_not_of(' ', number_end);
  const std::string unit = unit_start == std::string::npos ? "" : text.substr(unit_start);
  const auto whole = [](std::int64_t value, const char* name) {
    return Magnitude{static_cast<double>(value), name};
  };
  if (unit.empty())
    return read_as<double>(setting, [](double value) { return Magnitude{value, ""}; });
  if (unit.find('/') != std::string::npos)
    return read_as<Rate>(setting, [](Rate value) {
      return Magnitude{value.flits_per_node_cycle, "flit/node/cycle"};
    });
  if (unit.compare(0, 4, "flit") == 0)
    return read_as<Flits>(setting, [&](Flits value) { return whole(value.count, "flit"); });
  if (unit.compare(0, 5, "cycle") == 0)
    return read_as<Cycles>(setting, [&](Cycles value) { return whole(value.count, "cycle"); });
  if (unit.back() == 'B')
    return read_as<Bytes>(setting, [&](Bytes value) { return whole(value.count, "B"); });
  return read_as<Duration>(setting, [](Duration value) {
    return Magnitude{static_cast<double>(value.picoseconds) * 1e-6, "us"};
  });
}

bool same_setting(const ConfigNode& a, const ConfigNode& b) {
  if (a.kind() != b.kind()) return false;
  if (a.is_list()) {
    if (a.items().size() != b.items().size()) return false;
    return std::equal(a.items().begin(), a.items().end(), b.items().begin(), same_setting);
  }
  if (a == b) return true;
  const auto number = magnitude_of(a);
  const auto other = magnitude_of(b);
  return number && other && number->unit == other->unit && !(number->value < other->value) &&
         !(number->value > other->value);
}

Findings::Findings(std::vector<Finding> points) : points_(std::move(points)) {
  for (const Finding& point : points_)
    for (const Setting& leaf : leaves(point.settings))
      if (std::find(swept_.begin(), swept_.end(), leaf.path) == swept_.end())
        swept_.push_back(leaf.path);
}

const ConfigNode& Findings::setting(std::size_t point, const std::string& path) const {
  const auto known = looked_up_.find(path);
  if (known != looked_up_.end()) return known->second[point];
  return looked_up_.emplace(path, look_up(path)).first->second[point];
}

std::vector<ConfigNode> Findings::look_up(const std::string& path) const {
  // A setting that no sweep changes is the same at every point.
  std::optional<ConfigNode> untouched;
  std::vector<ConfigNode> found;
  for (const Finding& point : points_) {
    if (const auto set = find_in(point.settings, path)) {
      found.push_back(*set);
      continue;
    }
    const bool touched =
        std::any_of(point.settings.begin(), point.settings.end(), [&](const Setting& setting) {
          return covers(setting.path, path) || covers(path, setting.path);
        });
    if (!touched && untouched) {
      found.push_back(*untouched);
      continue;
    }
    const ConfigNode job = ConfigNode::parse(point.job, "the point's job");
    const ConfigNode* node = job.find_path(path);
    found.push_back(node ? *node : ConfigNode());
    if (!touched) untouched = found.back();
  }
  return found;
}

std::string Averaged::lack() const {
  if (value) return "";
  std::string text;
  const auto add = [&](const char* why, std::size_t count) {
    if (count == 0) return;
    text += (text.empty() ? "" : ", ") + std::string(why);
    if (points > 1) text += fmt::format(" ({} of {})", count, points);
  };
  add("saturated", saturated);
  add("deadlocked", deadlocked);
  add("missing", missing);
  return text;
}

Averaged Findings::average(const std::vector<std::size_t>& points, const std::string& metric,
                           Average average) const {
  Averaged found;
  found.points = points.size();
  std::vector<double> values;
  for (std::size_t point : points) {
    const Finding& finding = points_[point];
    if (finding.has(metric))
      values.push_back(finding.results.value(metric));
    else
      ++(finding.saturated()    ? found.saturated
         : finding.deadlocked() ? found.deadlocked
                                : found.missing);
  }
  if (values.empty() || values.size() < points.size()) return found;
  if (average == Average::max) found.value = *std::max_element(values.begin(), values.end());
  if (average == Average::min) found.value = *std::min_element(values.begin(), values.end());
  if (average != Average::mean) return found;
  found.value =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  found.half_width = half_width_over_seeds(points, values);
  return found;
}

/// The points of one seed are averaged first, because their other differences are not random. None
/// without two seeds, or when the seeds do not have the same number of points.
std::optional<double> Findings::half_width_over_seeds(const std::vector<std::size_t>& points,
                                                      const std::vector<double>& values) const {
  std::map<std::string, std::vector<double>> by_seed;
  for (std::size_t i = 0; i < points.size(); ++i)
    by_seed[setting(points[i], seed_setting).text()].push_back(values[i]);
  std::vector<double> means;
  for (const auto& [seed, same] : by_seed) {
    if (same.size() * by_seed.size() != points.size()) return std::nullopt;
    means.push_back(std::accumulate(same.begin(), same.end(), 0.0) /
                    static_cast<double>(same.size()));
  }
  if (means.size() < 2) return std::nullopt;
  return half_width_of_mean(means);
}

std::vector<std::size_t> Findings::select(const Settings& settings) const {
  const Settings wanted = leaves(settings);
  std::vector<std::size_t> found;
  for (std::size_t point = 0; point < points_.size(); ++point)
    if (std::all_of(wanted.begin(), wanted.end(), [&](const Setting& leaf) {
          return same_setting(setting(point, leaf.path), leaf.value);
        }))
      found.push_back(point);
  return found;
}

std::vector<std::string> Findings::varying(const std::vector<std::size_t>& points) const {
  std::vector<std::string> found;
  if (points.size() < 2) return found;
  for (const std::string& path : swept_) {
    const auto differs = [&](std::size_t point) {
      return !same_setting(setting(point, path), setting(points.front(), path));
    };
    if (std::any_of(points.begin(), points.end(), differs)) found.push_back(path);
  }
  return found;
}

std::string Findings::unit(const std::string& metric) const {
  for (const Finding& point : points_)
    for (const Metric& found : point.results.metrics)
      if (found.name == metric) return found.unit;
  return "";
}

std::vector<std::string> Findings::metrics() const {
  std::vector<std::string> names;
  for (const Finding& point : points_)
    for (const Metric& metric : point.results.metrics)
      if (std::find(names.begin(), names.end(), metric.name) == names.end())
        names.push_back(metric.name);
  return names;
}

}  // namespace flitwave
