// testbenches/fuzz_jobs/job_kinds.cpp: see job_kinds.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/fuzz_jobs/job_kinds.hpp"

#include <algorithm>

#include "configs/error.hpp"
#include "testbenches/experiments/manual/job_schema.hpp"

namespace flitwave::fuzz_jobs {

namespace {

std::string joined(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + "." + key;
}

/// The text of a value of an enumeration.
std::string word_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// The values of a list; otherwise the value alone.
std::vector<const ConfigNode*> values_of(const ConfigNode& node) {
  std::vector<const ConfigNode*> values;
  if (!node.is_list()) return {&node};
  for (const ConfigNode& item : node.items()) values.push_back(&item);
  return values;
}

std::string kind_name(const ConfigNode& node) {
  const ConfigNode* kind = node.find("kind");
  return kind ? kind->text() : node.text();
}

/// Every value at a path, including values in lists.
void collect(const ConfigNode& node, std::string_view path, std::vector<const ConfigNode*>& found) {
  for (const ConfigNode* value : values_of(node)) {
    if (path.empty()) {
      found.push_back(value);
      continue;
    }
    const std::size_t dot = std::min(path.find('.'), path.size());
    if (const ConfigNode* next = value->find(path.substr(0, dot)))
      collect(*next, path.substr(std::min(dot + 1, path.size())), found);
  }
}

/// The schema of a key below this one; `node`, if present, determines the kind.
const Json* below(const Json& schema, const std::string& key, const ConfigNode* node) {
  if (schema.contains("properties") && schema["properties"].contains(key))
    return &schema["properties"][key];
  if (schema.contains("items")) return below(schema["items"], key, node);
  if (!node) return nullptr;
  const Json* kind = kind_of(schema, kind_name(*node));
  return kind ? below(*kind, key, nullptr) : nullptr;
}

const Json* search_key(const Json& schema, const std::string& key) {
  if (schema.is_object() && schema.contains("properties") && schema["properties"].contains(key))
    return &schema["properties"][key];
  if (!schema.is_structured()) return nullptr;
  for (const Json& part : schema)
    if (const Json* found = search_key(part, key)) return found;
  return nullptr;
}

}  // namespace

std::string parent_of(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

bool is_kind(const Json& schema) {
  return schema.contains("anyOf") && schema["anyOf"].size() == 2 &&
         schema["anyOf"][1].contains("oneOf");
}

const Json& kinds_in(const Json& schema) {
  static const Json none = Json::array();
  if (is_kind(schema)) return schema["anyOf"][1]["oneOf"];
  if (schema.contains("oneOf")) return schema["oneOf"];
  return none;
}

const Json* kind_of(const Json& schema, const std::string& name) {
  for (const Json& kind : kinds_in(schema))
    if (kind["properties"]["kind"]["const"] == name) return &kind;
  return nullptr;
}

JobKinds::JobKinds(const Catalog& catalog)
    : schema_(Json::parse(job_schema(without_unavailable(catalog)))["oneOf"][0]) {
  for (const auto& [key, section] : schema_["properties"].items()) walk(section, key);
}

void JobKinds::add(const std::string& path, const std::string& value) {
  const Item item = {path, value};
  if (std::find(items_.begin(), items_.end(), item) == items_.end()) items_.push_back(item);
  if (value.empty()) return;
  std::vector<std::string>& paths = paths_of_[value];
  if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
}

void JobKinds::walk(const Json& schema, const std::string& path) {
  const Json& kinds = kinds_in(schema);
  if (!kinds.empty()) {
    for (const Json& kind : kinds)
      add(path, kind["properties"]["kind"]["const"].get<std::string>());
    for (const Json& kind : kinds)
      for (const auto& [key, setting] : kind["properties"].items())
        if (setting.contains("items") && !kinds_in(setting["items"]).empty()) {
          is_list_[joined(path, key)] = true;
          walk(setting["items"], joined(path, key));
        }
  } else if (schema.contains("items")) {
    is_list_[path] = true;
    walk(schema["items"], path);
  } else if (schema.contains("enum")) {
    for (const Json& value : schema["enum"]) add(path, word_of(value));
  } else if (schema.contains("properties") && path.find('.') == std::string::npos) {
    add(path, "");
    for (const auto& [key, setting] : schema["properties"].items())
      walk(setting, joined(path, key));
  }
}

const Json* JobKinds::find(const std::string& path, const ConfigNode& job) const {
  const Json* schema = &schema_;
  const ConfigNode* node = &job;
  for (std::size_t at = 0; schema && at <= path.size();) {
    const std::size_t end = std::min(path.find('.', at), path.size());
    const std::string step = path.substr(at, end - at);
    const std::string key = step.substr(0, step.find('['));
    schema = below(*schema, key, node);
    node = node ? node->find(key) : nullptr;
    if (schema && key.size() < step.size() && schema->contains("items")) {
      schema = &(*schema)["items"];
      const auto index = static_cast<std::size_t>(std::atoi(step.c_str() + key.size() + 1));
      node = node && index < node->items().size() ? &node->items()[index] : nullptr;
    }
    at = end + 1;
  }
  return schema;
}

const Json* JobKinds::find_key(const std::string& key) const { return search_key(schema_, key); }

std::vector<Item> JobKinds::items_of(const ConfigNode& written, const ConfigNode& resolved) const {
  std::vector<Item> found;
  for (const Item& item : items_) {
    if (item.value.empty()) {
      if (written.find_path(item.path)) found.push_back(item);
      continue;
    }
    std::vector<const ConfigNode*> values;
    collect(resolved, item.path, values);
    if (std::any_of(values.begin(), values.end(),
                    [&](const ConfigNode* value) { return kind_name(*value) == item.value; }))
      found.push_back(item);
  }
  return found;
}

bool JobKinds::may_meet(const Item& a, const Item& b) const {
  if (a == b) return false;
  return a.path != b.path || is_list_.count(a.path) > 0;
}

void JobKinds::require(const Item& item) const {
  if (std::find(items_.begin(), items_.end(), item) != items_.end()) return;
  std::vector<std::string> names;
  for (const Item& known : items_) names.push_back(known.text());
  const std::string near = nearest(item.text(), names);
  throw ConfigError("--with", detail::in_quotes(item.text()) + " is not an item of jobs",
                    near.empty() ? "give a path and a kind, e.g. routing=duato, or a section"
                                 : "did you mean `" + near + "`?");
}

const std::vector<std::string>& JobKinds::paths_of(const std::string& word) const {
  static const std::vector<std::string> none;
  const auto found = paths_of_.find(word);
  return found == paths_of_.end() ? none : found->second;
}

}  // namespace flitwave::fuzz_jobs
