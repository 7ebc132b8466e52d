// testbenches/fuzz_jobs/setting_draw.cpp: see setting_draw.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/fuzz_jobs/setting_draw.hpp"

#include <fstream>

#include "configs/error.hpp"
#include "testbenches/fuzz_jobs/job_drafter.hpp"
#include "testbenches/job/job.hpp"

namespace flitwave::fuzz_jobs {

namespace {

const std::vector<std::string> odd_values = {"",
                                             "[",
                                             "{a: b}",
                                             "1e999",
                                             "-1",
                                             "0x10",
                                             "99999999999999999999",
                                             "[1, 2",
                                             "- x",
                                             "\"",
                                             "&a *a",
                                             "null",
                                             "~",
                                             "nan",
                                             "9223372036854775807 cycle",
                                             "0 B",
                                             "[[[[]]]]",
                                             "{kind: }",
                                             "é\\x00",
                                             "a: b: c",
                                             "!!int 3",
                                             "0.1 flit/node/cycle",
                                             "../../x",
                                             "{kind: mesh, kind: torus}"};
const std::vector<std::string> odd_names = {
    "..",  "/",     "a/../b", "CON", "a\\b",   ".hidden",        " x", "x ", "-rf", "$HOME",
    "`x`", "a\\nb", "%s%n",   "ü",   "seed=2", "name.with.dots", "0"};

/// The paths of all entries in a tree's maps.
void collect_paths(const ConfigNode& node, std::vector<std::string>& paths) {
  for (const auto& [key, value] : node.entries()) {
    paths.push_back(value.path());
    collect_paths(value, paths);
  }
}

std::string odd_path(const std::string& path, Random& random) {
  switch (random.below(8)) {
    case 0:
      return path + ".x";
    case 1:
      return path + "[0]";
    case 2:
      return path + ".";
    case 3:
      return "." + path;
    case 4: {
      std::string deep = path;
      for (int level = 0; level < 300; ++level) deep += ".a";
      return deep;
    }
    case 5:
      return "";
    default:
      return path;
  }
}

/// The scenario with the setting, if it is accepted.
/// Throws: exceptions other than ConfigError.
std::optional<Scenario> accepted(const DrawnJob& job, const std::string& folder,
                                 const std::string& path, const std::string& value, bool plan,
                                 const Catalog& catalog) {
  try {
    Scenario varied = job.scenario(folder).with(path, value, "--set");
    Job::read(varied, catalog);
    if (plan && !refusal_of(varied, catalog).text.empty()) return {};
    return varied;
  } catch (const ConfigError&) {
    return {};
  }
}

}  // namespace

void vary_settings(DrawnJob& job, const JobKinds& kinds, const Catalog& catalog,
                   const std::string& folder, Random& random) {
  std::vector<std::string> paths;
  collect_paths(Job::read(job.scenario(folder), catalog).resolved(), paths);
  for (int i = 0; i < 3; ++i) {
    const std::string& path = paths[random.below(paths.size())];
    accepted(job, folder, odd_path(path, random), odd_values[random.below(odd_values.size())],
             false, catalog);
  }
  const std::string& name = odd_names[random.below(odd_names.size())];
  accepted(job, folder, "scenario", Codec<std::string>::print(name), false, catalog);
  if (random.below(4) > 0) return;
  const std::string& path = paths[random.below(paths.size())];
  const Json* schema = kinds.find(path, job.tree);
  if (!schema || path.compare(0, 8, "topology") == 0) return;
  const std::vector<Item> no_pins;
  ValueDraw values(kinds, no_pins, random);
  const ConfigNode value = values.draw(*schema, path);
  if (!values.files().empty()) return;
  DrawnJob varied = job;
  if (const auto scenario =
          accepted(job, folder, path, Codec<ConfigNode>::print(value), true, catalog)) {
    varied.tree = with_end(scenario->tree());
    job = varied;
    job.write(folder);
  }
}

}  // namespace flitwave::fuzz_jobs
