// testbenches/job/results/results.cpp: see results.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/results/results.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "configs/error.hpp"
#include "modules/packet/job_part.hpp"
#include "topologies/ids.hpp"

namespace flitwave {

using Json = nlohmann::ordered_json;

std::vector<std::string> names_of(Outcome) {
  return {"complete",     "partial",      "limit",
          "deadlock",     "livelock",     "failed_expectation",
          "design_error", "config_error", "system_failure",
          "model_error",  "crashed"};
}

int exit_code(Outcome outcome) {
  switch (outcome) {
    case Outcome::complete:
      return 0;
    case Outcome::partial:
      return 130;
    case Outcome::limit:
    case Outcome::failed_expectation:
    case Outcome::design_error:
      return 4;
    case Outcome::deadlock:
    case Outcome::livelock:
      return 3;
    case Outcome::config_error:
      return 2;
    case Outcome::system_failure:
      return 5;
    case Outcome::crashed:
    case Outcome::model_error:
      return 70;
  }
  return 70;
}

bool Results::has(const std::string& name) const {
  for (const Metric& metric : metrics)
    if (metric.name == name) return true;
  return false;
}

double Results::value(const std::string& name) const {
  for (const Metric& metric : metrics)
    if (metric.name == name) return metric.value;
  throw std::out_of_range("the results have no " + name);
}

std::vector<std::string> Results::of_parts(const std::string& name) const {
  std::vector<std::string> found;
  for (const Metric& metric : metrics)
    for (std::size_t part = 0; part < job_parts; ++part) {
      const std::string middle = std::string(".") + name_of(static_cast<JobPart>(part));
      const std::size_t at = metric.name.find(middle + ".");
      if (at == std::string::npos) continue;
      if (metric.name.substr(0, at) + metric.name.substr(at + middle.size()) == name)
        found.push_back(metric.name);
    }
  return found;
}

const Table& Results::table(const std::string& name) const {
  const auto found = tables.find(name);
  if (found == tables.end()) throw std::out_of_range("the results have no table " + name);
  return found->second;
}

std::string Results::fingerprint_text() const { return fmt::format("{:016x}", fingerprint); }

namespace {

/// All but the tables.
/// Throws: ModelError for a metric that is not a number, which JSON cannot hold.
Json without_tables(const Results& results) {
  Json json;
  // [json]
  json["outcome"] = names_of(Outcome{})[index(results.outcome)];
  json["message"] = results.message;
  json["cycles"] = results.cycles;
  json["fingerprint"] = results.fingerprint_text();
  if (!results.fidelity.empty()) json["fidelity"] = results.fidelity;
  json["metrics"] = Json::object();
  for (const Metric& metric : results.metrics) {
    if (!std::isfinite(metric.value))
      throw ModelError("the metric " + metric.name + " is not a number");
    json["metrics"][metric.name] = {{"value", metric.value}, {"unit", metric.unit}};
  }
  // [json]
  json["lines"] = results.lines;
  json["notes"] = results.notes;
  json["tables"] = Json::object();
  return json;
}

}  // namespace

void Results::require_readable_tables() const {
  for (const auto& [name, table] : tables) {
    const auto fail = [&name = name](const std::string& problem) {
      throw ModelError(fmt::format("the table {}: {}; correct the observer that makes it",
                                   detail::in_quotes(name), problem));
    };
    if (table.columns.empty()) fail("it has no columns");
    if (table.columns.front().compare(0, 1, "#") == 0) fail("the first column begins with #");
    std::vector<std::string> names = table.columns;
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end()) fail("two columns are called " + detail::in_quotes(*twice));
    for (std::size_t row = 0; row < table.rows.size(); ++row)
      if (table.rows[row].size() != table.columns.size())
        fail(fmt::format("row {} has {} cells, the header {}", row + 1, table.rows[row].size(),
                         table.columns.size()));
  }
}

std::string Results::summary_json() const {
  Json json = without_tables(*this);
  for (const auto& [name, table] : tables)
    json["tables"][name] = {
        {"file", name + ".csv"}, {"columns", table.columns}, {"rows", table.rows.size()}};
  return json.dump(1);
}

std::string Results::to_json() const {
  Json json = without_tables(*this);
  // A JSON value for each cell would take longer than the simulation that made it.
  for (const auto& [name, table] : tables) json["tables"][name] = to_csv(table);
  return json.dump();
}

Results Results::from_json(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    Results results;
    const std::vector<std::string> outcomes = names_of(Outcome{});
    const auto outcome =
        std::find(outcomes.begin(), outcomes.end(), json.at("outcome").get<std::string>());
    if (outcome == outcomes.end()) throw SystemFailure("an unknown outcome");
    results.outcome = static_cast<Outcome>(outcome - outcomes.begin());
    results.message = json.at("message").get<std::string>();
    results.cycles = json.at("cycles").get<Cycle>();
    results.fingerprint = std::stoull(json.at("fingerprint").get<std::string>(), nullptr, 16);
    results.fidelity = json.value("fidelity", "");
    for (const auto& [name, metric] : json.at("metrics").items())
      results.add(name, metric.at("value").get<double>(), metric.at("unit").get<std::string>());
    results.lines = json.at("lines").get<std::vector<std::string>>();
    results.notes = json.at("notes").get<std::vector<std::string>>();
    for (const auto& [name, table] : json.at("tables").items())
      results.tables[name] = parse_csv(table.get_ref<const std::string&>(), name);
    return results;
  } catch (const std::exception& error) {
    throw SystemFailure(std::string("results cannot be read: ") + error.what());
  }
}

std::string number_text(double value) { return fmt::format("{}", value); }

}  // namespace flitwave
