// testbenches/experiments/experiment_full.cpp: an experiment with the points of its section `full`.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/experiments/experiment_full.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace flitwave {

namespace {

/// The keys of the section `full`.
struct FullParams {
  ConfigNode sweep;
  ConfigNode expect;
};

/// The sweep with the lists of `full` instead of its own.
ConfigNode longer_sweep(const ConfigNode& sweep, const ConfigNode& full) {
  detail::require_map(sweep);
  detail::require_map(full);
  std::vector<ConfigNode::Entry> entries = sweep.entries();
  for (const auto& [path, values] : full.entries()) {
    const std::string& wanted = path;
    const auto place = std::find_if(entries.begin(), entries.end(),
                                    [&](const auto& entry) { return entry.first == wanted; });
    if (place == entries.end())
      throw values.error(
          "`full` has further values of swept settings; the experiment does not "
          "sweep `" +
              path + "`",
          "sweep it, too, or leave it out");
    place->second = values;
  }
  return ConfigNode::map(std::move(entries));
}

Schema<FullParams> full_params() {
  using P = FullParams;
  return Schema<P>{}
      .optional("sweep", &P::sweep,
                "lists of values by setting, instead of those of the experiment's `sweep`")
      .optional("expect", &P::expect, "claims in addition to those of the experiment");
}

}  // namespace

std::vector<ParameterInfo> full_info() { return full_params().describe(); }

ConfigNode with_full(const ConfigNode& experiment) {
  const ConfigNode* section = experiment.find("full");
  if (!section)
    throw experiment.error("the job has no section `full`",
                           "run it without --full, or add e.g. `full: {sweep: {seed: [1, 2, 3]}}`");
  const FullParams full = full_params().parse(*section);
  ConfigNode all = experiment.without("full");
  if (!full.sweep.is_null()) {
    if (!experiment.find("sweep"))
      throw full.sweep.error("the experiment has no `sweep` that `full` could extend",
                             "add `sweep`, or leave it out");
    all = all.with("sweep", longer_sweep(experiment.at("sweep"), full.sweep));
  }
  if (full.expect.is_null()) return all;
  if (!full.expect.is_list())
    throw full.expect.error("further claims must be a list",
                            "write them as those of the experiment's `expect`");
  std::vector<ConfigNode> claims;
  if (const ConfigNode* own = experiment.find("expect")) claims = own->items();
  for (const ConfigNode& claim : full.expect.items()) claims.push_back(claim);
  return all.with("expect", ConfigNode::list(std::move(claims)));
}

}  // namespace flitwave
