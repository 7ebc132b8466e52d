// testbenches/tests/timed/manual/job_schema_test.cpp: the JSON Schema accepts valid jobs and
// rejects invalid ones.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/manual/job_schema.hpp"

#include <algorithm>
#include <filesystem>
#include <regex>

#include <nlohmann/json.hpp>

#include "testbenches/job/job.hpp"
#include "testbenches/job/needed_parts.hpp"
#include "testbenches/tests/catch.hpp"

namespace job_schema_test {

using namespace flitwave;

using Json = nlohmann::json;

namespace {

Json to_json(const ConfigNode& node) {
  if (node.is_list()) {
    Json list = Json::array();
    for (const ConfigNode& item : node.items()) list.push_back(to_json(item));
    return list;
  }
  if (node.is_map()) {
    Json map = Json::object();
    for (const auto& [key, value] : node.entries()) map[key] = to_json(value);
    return map;
  }
  if (node.is_null()) return nullptr;
  const Json value = node.quoted() ? Json() : Json::parse(node.text(), nullptr, false);
  return value.is_number() || value.is_boolean() ? value : Json(node.text());
}

bool accepts(const Json& schema, const Json& value);

bool has_type(const std::string& type, const Json& value) {
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  return value.type_name() == type;
}

bool accepts_object(const Json& schema, const Json& value) {
  for (const Json& key : schema.value("required", Json::array()))
    if (!value.contains(key)) return false;
  const Json properties = schema.value("properties", Json::object());
  for (const auto& [key, member] : value.items()) {
    if (properties.contains(key)) {
      if (!accepts(properties[key], member)) return false;
    } else if (schema.contains("additionalProperties")) {
      const Json& others = schema["additionalProperties"];
      if (others == false || (others.is_object() && !accepts(others, member))) return false;
    }
  }
  return true;
}

bool accepts_array(const Json& schema, const Json& value) {
  if (value.size() < schema.value("minItems", std::size_t{0})) return false;
  if (value.size() > schema.value("maxItems", SIZE_MAX)) return false;
  const Json items = schema.value("items", Json::object());
  return std::all_of(value.begin(), value.end(),
                     [&](const Json& item) { return accepts(items, item); });
}

/// The subset of JSON Schema that job schemas use.
bool accepts(const Json& schema, const Json& value) {
  const auto count = [&](const char* key) {
    return std::count_if(schema[key].begin(), schema[key].end(),
                         [&](const Json& branch) { return accepts(branch, value); });
  };
  const Json types = schema.value("type", Json());
  const auto suits = [&](const Json& type) { return has_type(type, value); };
  if (types.is_string() && !suits(types)) return false;
  if (types.is_array() && std::none_of(types.begin(), types.end(), suits)) return false;
  if (schema.contains("const") && schema["const"] != value) return false;
  if (schema.contains("enum") &&
      std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end())
    return false;
  if (value.is_string() && schema.contains("pattern") &&
      !std::regex_search(value.get<std::string>(),
                         std::regex(schema["pattern"].get<std::string>())))
    return false;
  if (value.is_number() && value < schema.value("minimum", Json(-1e300))) return false;
  if (value.is_number() && value > schema.value("maximum", Json(1e300))) return false;
  if (schema.contains("oneOf") && count("oneOf") != 1) return false;
  if (schema.contains("anyOf") && count("anyOf") == 0) return false;
  if (value.is_object()) return accepts_object(schema, value);
  return !value.is_array() || accepts_array(schema, value);
}

bool accepts(const Json& schema, const Scenario& job) {
  return accepts(schema, to_json(job.tree()));
}

std::vector<std::filesystem::path> jobs_in(const std::string& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".yaml") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

Scenario small_job() {
  return Scenario::parse(
      "scenario: small\n"
      "topology: {kind: mesh, shape: [4, 4]}\n"
      "operation: {kind: broadcast, root: [0, 0], message: 64 B}\n");
}

}  // namespace

TEST_CASE("the schema accepts every job of the project", "[timed]") {
  const Json schema = Json::parse(job_schema(standard_catalog()));
  const auto paths = jobs_in("configs/scenarios");
  REQUIRE(paths.size() >= 5);

  for (const auto& path : paths) {
    INFO(path);
    const Scenario job = Scenario::load(path.string());
    REQUIRE(accepts(schema, job));
    if (!has_needed_part(job.tree())) {
      REQUIRE_THROWS_AS(Job::read(job, standard_catalog()), MissingPart);
      continue;
    }
    const Job read = Job::read(job, standard_catalog());
    REQUIRE(accepts(schema, Scenario(read.resolved())));
  }
}

TEST_CASE("the schema accepts every experiment of the project", "[timed]") {
  const Json schema = Json::parse(job_schema(standard_catalog()));
  const auto paths = jobs_in("configs/experiments");
  REQUIRE(paths.size() >= 2);

  for (const auto& path : paths) {
    INFO(path);
    const Scenario job = Scenario::load(path.string());
    REQUIRE(accepts(schema, job));
    REQUIRE_FALSE(accepts(schema, job.with("swep", "{}")));
    REQUIRE_FALSE(accepts(schema, job.with("sweep", "{channel.vcs: 2}")));
    REQUIRE_FALSE(accepts(schema, job.without("experiment")));
  }
}

TEST_CASE("the schema accepts the alternative forms of sections", "[timed]") {
  const Json schema = Json::parse(job_schema(standard_catalog()));

  REQUIRE(accepts(schema, small_job()));
  REQUIRE(accepts(schema, small_job().with("about", "anything")));
  REQUIRE(accepts(schema, small_job().with("node.ports", "3")));
  REQUIRE(accepts(schema, small_job().with("node.ports", "all")));
  REQUIRE(accepts(schema, small_job().with("expect", "{steps: 4, latency.mean: [1, 2.5]}")));
  REQUIRE(accepts(schema, small_job().with("router",
                                           "{kind: wormhole, at: [{nodes: [[0, 0]], "
                                           "kind: wormhole, preset: single_cycle}]}")));
  for (const char* pattern : {"uniform", "{kind: uniform}", "{kind: uniform, self: true}"})
    REQUIRE(accepts(
        schema,
        small_job().with("traffic.rate", "0.1 flit/node/cycle").with("traffic.pattern", pattern)));
}

TEST_CASE("the schema rejects unknown keys, kinds and units", "[timed]") {
  const Json schema = Json::parse(job_schema(standard_catalog()));

  REQUIRE_FALSE(accepts(schema, small_job().with("chanel", "{vcs: 2}")));
  REQUIRE_FALSE(accepts(schema, small_job().with("channel.bufer", "4 flit")));
  REQUIRE_FALSE(accepts(schema, small_job().with("channel.buffer", "4 B")));
  REQUIRE_FALSE(accepts(schema, small_job().with("channel.buffer", "4")));
  REQUIRE_FALSE(accepts(schema, small_job().with("topology.kind", "tors")));
  REQUIRE_FALSE(accepts(schema, small_job().with("topology.wrap", "[true, true]")));
  REQUIRE_FALSE(accepts(schema, small_job().with("observe", "{kind: latency}")));
  REQUIRE_FALSE(accepts(schema, small_job().with("expect.steps", "[1, 2, 3]")));
  REQUIRE_FALSE(accepts(schema, small_job().without("topology")));
  REQUIRE_FALSE(accepts(schema, small_job().without("operation")));
  REQUIRE_FALSE(accepts(schema, small_job().without("scenario")));
}

TEST_CASE("a kind registered by a user is in the schema", "[timed]") {
  struct Params {
    int size = 3;
  };
  Catalog catalog = standard_catalog();
  catalog.topologies.add("clique", {"all to all", ""},
                         Schema<Params>{}.optional("size", &Params::size, "nodes"),
                         [](const Params& params) { return Topology(params.size, 1); });
  const Json schema = Json::parse(job_schema(catalog));

  REQUIRE(accepts(schema, small_job().with("topology", "{kind: clique, size: 5}")));
  REQUIRE_FALSE(accepts(schema, small_job().with("topology", "{kind: clique, shape: [4, 4]}")));
}

}  // namespace job_schema_test
