// testbenches/experiments/manual/job_schema.cpp: see job_schema.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/manual/job_schema.hpp"

#include <nlohmann/json.hpp>

#include "testbenches/experiments/experiment.hpp"
#include "testbenches/job/job_sections.hpp"

namespace flitwave {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const ConfigNode& node) {
  if (node.is_scalar()) {
    if (node.quoted()) return node.text();
    const Json value = Json::parse(node.text(), nullptr, false);
    return value.is_number() || value.is_boolean() ? value : Json(node.text());
  }
  if (node.is_list()) {
    Json list = Json::array();
    for (const ConfigNode& item : node.items()) list.push_back(to_json(item));
    return list;
  }
  if (!node.is_map()) return nullptr;
  Json map = Json::object();
  for (const auto& [key, value] : node.entries()) map[key] = to_json(value);
  return map;
}

Json object_of(const std::vector<ParameterInfo>& parameters, const std::string& description);

Json schema_of(const ParameterInfo& parameter) {
  const std::vector<ParameterInfo>& inner = parameter.type.parameters;
  Json schema = inner.empty() ? Json::parse(parameter.type.json_schema)
                              : Json{{"anyOf", Json::array({object_of(inner, parameter.sentence),
                                                            {{"type", "null"}}})}};
  schema["description"] =
      parameter.sentence + (parameter.range_text.empty() ? "" : " (" + parameter.range_text + ")");
  if (!parameter.required)
    schema["default"] = to_json(ConfigNode::parse(parameter.default_text, "default"));
  return schema;
}

/// A map with exactly these settings.
Json object_of(const std::vector<ParameterInfo>& parameters, const std::string& description) {
  Json schema = {{"type", "object"}, {"description", description}};
  schema["required"] = Json::array();
  schema["properties"] = Json::object();
  for (const ParameterInfo& parameter : parameters) {
    schema["properties"][parameter.name] = schema_of(parameter);
    if (parameter.required) schema["required"].push_back(parameter.name);
  }
  schema["additionalProperties"] = false;
  return schema;
}

/// Each of the kinds with its parameters; `more`: settings that any of them takes.
Json kinds_of(const std::vector<KindInfo>& infos, const Json& more = Json::object()) {
  Json kinds = Json::array();
  for (const KindInfo& info : infos) {
    Json kind = object_of(info.parameters, info.about.summary);
    kind["required"].insert(kind["required"].begin(), "kind");
    kind["properties"]["kind"] = {{"const", info.name}};
    kind["properties"].update(more);
    kinds.push_back(std::move(kind));
  }
  return kinds;
}

/// A kind in a section: a map, or its name alone.
Json kind_section(const std::vector<KindInfo>& infos, const Json& more = Json::object()) {
  Json names = Json::array();
  for (const KindInfo& info : infos) names.push_back(info.name);
  return {{"anyOf", Json::array({{{"enum", names}}, {{"oneOf", kinds_of(infos, more)}}})}};
}

Json list_of(const Json& items) { return {{"type", "array"}, {"items", items}}; }

Json expectations() {
  const Json number = {{"type", "number"}};
  Json range = list_of(number);
  range["minItems"] = range["maxItems"] = 2;
  return {{"type", "object"},
          {"description", "metrics of the results with their value, or least and greatest value"},
          {"additionalProperties", {{"anyOf", Json::array({number, range})}}}};
}

/// The list `at` of a section: kinds for some nodes.
Json list_at(const std::vector<KindInfo>& kinds, const char* description) {
  Json entries = kinds_of(kinds, {{"nodes", {{"type", "array"}, {"minItems", 1}}}});
  for (Json& kind : entries) kind["required"].push_back("nodes");
  Json at = list_of({{"oneOf", std::move(entries)}});
  at["description"] = description;
  return at;
}

Json router_section(const std::vector<KindInfo>& routers) {
  return kind_section(routers, {{"at", list_at(routers, "other routers at some nodes")}});
}

Json node_section(const JobSection& section, const std::vector<KindInfo>& devices) {
  Json schema = object_of(section.parameters, section.sentence);
  schema["properties"]["at"] = list_at(devices, "devices at some nodes");
  return schema;
}

Json section_of(const JobSection& section, const Catalog& catalog) {
  if (section.name == "scenario") return {{"type", "string"}};
  if (section.name == "about") return Json::object();
  if (section.name == "needs") return {{"enum", Json::array({"rtl"})}};
  if (section.name == "expect") return expectations();
  if (!section.kinds) return object_of(section.parameters, section.sentence);
  const std::vector<KindInfo> kinds = section.kinds(catalog);
  if (section.name == "router") return router_section(kinds);
  if (section.name == "node") return node_section(section, kinds);
  return section.name == "observe" ? list_of(kind_section(kinds)) : kind_section(kinds);
}

/// All that a scenario may have, by key.
Json sections(const Catalog& catalog) {
  Json properties = Json::object();
  for (const JobSection& section : job_sections()) {
    Json schema = section_of(section, catalog);
    if (section.name.empty()) {
      properties.update(schema["properties"]);
      continue;
    }
    Json& place = section.key.empty() ? properties[section.name]
                                      : properties[section.name]["properties"][section.key];
    if (!schema.contains("description"))
      schema["description"] = section.key.empty() ? Json(section.sentence) : place["description"];
    place = std::move(schema);
  }
  return properties;
}

Json requires_key(const char* key) { return {{"required", Json::array({key})}}; }

Json scenario(const Catalog& catalog) {
  Json has_devices = requires_key("node");
  has_devices["properties"] = {{"node", requires_key("at")}};
  return {{"type", "object"},
          {"description", "one run"},
          {"required", Json::array({"scenario", "topology"})},
          {"anyOf", Json::array({requires_key("operation"), requires_key("traffic"),
                                 requires_key("trace"), requires_key("requests"), has_devices})},
          {"properties", sections(catalog)},
          {"additionalProperties", false}};
}

Json one_or_list_of(const Json& schema) {
  return {{"anyOf", Json::array({schema, list_of(schema)})}};
}

Json experiment(const Catalog& catalog) {
  std::map<std::string, Json> parts;
  for (const SectionInfo& section : experiment_sections())
    parts[section.name] = object_of(section.parameters, section.sentence);
  Json schema = parts.at("experiment");
  Json& keys = schema["properties"];
  const auto refine = [&keys](const char* key, const Json& refined) {
    keys[key].erase("default");
    keys[key].update(refined);
  };
  Json values = list_of(Json::object());
  values["minItems"] = 1;
  const Json sample = {{"type", "object"},
                       {"required", Json::array({"sample_nodes"})},
                       {"properties", {{"sample_nodes", {{"type", "integer"}, {"minimum", 1}}}}},
                       {"additionalProperties", false}};
  const Json settings = {{"type", "object"}};
  refine("scenario", settings);
  refine("set", settings);
  refine("wave_of", settings);
  refine("sweep", {{"type", "object"},
                   {"minProperties", 1},
                   {"additionalProperties", {{"anyOf", Json::array({values, sample})}}}});
  refine("table", one_or_list_of(parts.at("table")));
  refine("saturation", parts.at("saturation"));
  Json plot = parts.at("plot");
  Json& y = plot["properties"]["y"];
  y = {{"description", y["description"]}, {"anyOf", Json::array({{{"type", "string"}}, y})}};
  refine("plot", one_or_list_of(plot));
  refine("wave", sections(catalog).at("wave"));
  refine("expect", list_of(settings));
  schema["anyOf"] = Json::array({requires_key("sweep"), requires_key("saturation")});
  return schema;
}

}  // namespace

std::string job_schema(const Catalog& catalog) {
  const Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                       {"title", "a job of flitwave"},
                       {"type", "object"},
                       {"oneOf", Json::array({scenario(catalog), experiment(catalog)})}};
  return schema.dump(2) + "\n";
}

}  // namespace flitwave
