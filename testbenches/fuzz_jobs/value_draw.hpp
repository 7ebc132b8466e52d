// testbenches/fuzz_jobs/value_draw.hpp: small random values of a setting, generated from its
// schema.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "configs/random.hpp"
#include "testbenches/fuzz_jobs/array_draw.hpp"
#include "testbenches/fuzz_jobs/job_kinds.hpp"

namespace flitwave::fuzz_jobs {

/// The nodes that values may name.
struct DrawnNetwork {
  std::vector<std::string> labels;         ///< By node.
  std::vector<std::pair<int, int>> links;  ///< Nodes with a channel from the first to the second.
  DrawnMesh mesh;                          ///< Its extents, or others if it is not a 2D mesh.

  int nodes() const { return static_cast<int>(labels.size()); }
};

/// A file that a job names.
struct JobFile {
  std::string name;
  std::string text;
};

/// Generates small values that a schema allows. Types, units, ranges and defaults of the schema
/// determine them; if the type is open, the words of its description do ("node", "[node, node]",
/// "{from, to, message}", "lines SOURCE DESTINATION").
class ValueDraw {
 public:
  /// `pins`: items that the job must have. All arguments must outlive this object.
  ValueDraw(const JobKinds& kinds, const std::vector<Item>& pins, Random& random)
      : kinds_(kinds), pins_(&pins), random_(random) {}

  void set_network(DrawnNetwork network) { network_ = std::move(network); }
  const DrawnNetwork& network() const { return network_; }

  /// `path`: of the setting, for pinned items and names of files.
  ConfigNode draw(const Json& schema, const std::string& path);
  /// The same with other pinned items.
  ConfigNode draw_with(const Json& schema, const std::string& path, const std::vector<Item>& pins);
  /// The files that the values generated so far name.
  const std::vector<JobFile>& files() const { return files_; }
  void set_files(std::vector<JobFile> files) { files_ = std::move(files); }

  /// Whether an item at or below the path is pinned.
  bool is_pinned(const std::string& path) const;
  bool chance(int percent) { return random_.below(100) < static_cast<std::uint64_t>(percent); }
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(bound)));
  }
  template <class List>
  auto& pick(List& of) {
    return of[random_.below(of.size())];
  }

 private:
  ConfigNode draw_kind(const Json& schema, const std::string& path);
  ConfigNode draw_object(const Json& schema, const std::string& path);
  ConfigNode draw_list(const Json& schema, const std::string& path);
  ConfigNode draw_quantity(const Json& schema, const std::string& text);
  ConfigNode draw_number(const Json& schema, const std::string& text);
  ConfigNode draw_text(const Json& schema, const std::string& path, const std::string& text);
  ConfigNode draw_open(const std::string& path, const std::string& text);
  ConfigNode draw_by_braces(const std::string& path, const std::string& braces);
  ConfigNode draw_graph();
  ConfigNode draw_tree();
  ConfigNode draw_node(const std::string& text);
  std::string draw_accesses();
  ConfigNode draw_file(const std::string& path, const std::string& text);
  std::vector<ConfigNode> draw_items(const Json& item, const std::string& path, std::int64_t count);

  const JobKinds& kinds_;
  const std::vector<Item>* pins_;
  Random& random_;
  DrawnNetwork network_;
  std::vector<JobFile> files_;
  std::string about_;  ///< The description of the innermost setting that has one.
};

/// The least and the greatest number that a schema allows, with the unit of its description.
struct DrawnRange {
  double least = 0;
  double greatest = 1e18;
};
DrawnRange range_of(const Json& schema);

}  // namespace flitwave::fuzz_jobs
