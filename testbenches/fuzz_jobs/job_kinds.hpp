// testbenches/fuzz_jobs/job_kinds.hpp: the kinds, choices and sections that jobs are composed of.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <nlohmann/json.hpp>

#include "configs/node.hpp"
#include "testbenches/job/catalog.hpp"

namespace flitwave::fuzz_jobs {

using Json = nlohmann::ordered_json;

/// One thing that a job may have: a kind ("router", "wormhole"), a choice that all jobs make
/// ("channel.handshake", "credit"), or a section that it may leave out ("faults", "").
struct Item {
  std::string path;   ///< Of keys, from the top of the job.
  std::string value;  ///< Empty: the section is there.

  std::string text() const { return value.empty() ? path : path + ": " + value; }
  friend bool operator==(const Item& a, const Item& b) {
    return std::tie(a.path, a.value) == std::tie(b.path, b.value);
  }
  friend bool operator<(const Item& a, const Item& b) {
    return std::tie(a.path, a.value) < std::tie(b.path, b.value);
  }
};

/// The path of the section that a setting is in; empty at the top.
std::string parent_of(const std::string& path);

/// Whether the value is one of several kinds, as a map with the key `kind` or by name alone.
bool is_kind(const Json& schema);
/// The kinds, each the schema of a map, of a value for which `is_kind` holds or of an item of
/// `router.at`; empty for others.
const Json& kinds_in(const Json& schema);
/// The schema of the kind of that name; null when there is none.
const Json* kind_of(const Json& schema, const std::string& name);

/// What a catalogue's jobs may be, read from their JSON Schema: no list of kinds is kept here.
class JobKinds {
 public:
  explicit JobKinds(const Catalog& catalog);

  /// The schema of a whole job.
  const Json& schema() const { return schema_; }
  /// The schema of the value at a path, under the kinds that the job has; null when there is none.
  const Json* find(const std::string& path, const ConfigNode& job) const;
  /// The schema of some value that has this key; null when there is none.
  const Json* find_key(const std::string& key) const;

  /// Everything that a job may have, in the order of the schema.
  const std::vector<Item>& items() const { return items_; }
  /// Those that a job has. `written`: as it was drawn; `resolved`: with every default.
  std::vector<Item> items_of(const ConfigNode& written, const ConfigNode& resolved) const;
  /// Whether one job may have both: values of one setting exclude each other.
  bool may_meet(const Item& a, const Item& b) const;

  /// Throws: ConfigError when no job may have it.
  void require(const Item& item) const;

  /// The paths of settings whose value may be this word.
  const std::vector<std::string>& paths_of(const std::string& word) const;

 private:
  void walk(const Json& schema, const std::string& path);
  void add(const std::string& path, const std::string& value);

  Json schema_;
  std::vector<Item> items_;
  std::map<std::string, bool> is_list_;  ///< By path of an item.
  std::map<std::string, std::vector<std::string>> paths_of_;
};

}  // namespace flitwave::fuzz_jobs
