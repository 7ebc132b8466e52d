// testbenches/fuzz_jobs/job_kinds.hpp: the kinds, choices and sections of which jobs consist.
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

/// An item of a job: a kind ("router", "wormhole"), a choice with a value in every job
/// ("channel.handshake", "credit"), or an optional section ("faults", "").
struct Item {
  std::string path;   ///< Keys from the top of the job.
  std::string value;  ///< Empty: the section is present.

  std::string text() const { return value.empty() ? path : path + ": " + value; }
  friend bool operator==(const Item& a, const Item& b) {
    return std::tie(a.path, a.value) == std::tie(b.path, b.value);
  }
  friend bool operator<(const Item& a, const Item& b) {
    return std::tie(a.path, a.value) < std::tie(b.path, b.value);
  }
};

/// The path of a setting's section; empty at the top.
std::string parent_of(const std::string& path);

/// Whether the value is one of several kinds, as a map with the key `kind` or by name alone.
bool is_kind(const Json& schema);
/// The kinds, each the schema of a map, of a value for which `is_kind` holds or of an item of
/// `router.at`; empty for others.
const Json& kinds_in(const Json& schema);
/// The schema of the kind with that name; null when there is none.
const Json* kind_of(const Json& schema, const std::string& name);

/// The possible jobs of a catalogue, read from their JSON Schema; it has no list of kinds of its
/// own.
class JobKinds {
 public:
  explicit JobKinds(const Catalog& catalog);

  /// The schema of a whole job.
  const Json& schema() const { return schema_; }
  /// The schema of the value at a path, for the kinds of the job; null when there is none.
  const Json* find(const std::string& path, const ConfigNode& job) const;
  /// The schema of some value that has this key; null when there is none.
  const Json* find_key(const std::string& key) const;

  /// All items of jobs, in the order of the schema.
  const std::vector<Item>& items() const { return items_; }
  /// The items of a job. `written`: as generated; `resolved`: with every default.
  std::vector<Item> items_of(const ConfigNode& written, const ConfigNode& resolved) const;
  /// Whether one job may have both: values of one setting exclude each other.
  bool may_meet(const Item& a, const Item& b) const;

  /// Throws: ConfigError when no job may have the item.
  void require(const Item& item) const;

  /// The paths of settings that may have this word as a value.
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
