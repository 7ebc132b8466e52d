// configs/scenario.cpp: variants of a job.
// SPDX-License-Identifier: Apache-2.0
#include "configs/scenario.hpp"

namespace flitwave {
namespace {

/// The value; its errors name the setting at `path`.
ConfigNode read_value(const std::string& path, std::string_view value, const std::string& origin) {
  try {
    return ConfigNode::parse(value, origin);
  } catch (const ConfigError& error) {
    const std::string& inner = error.key();
    const std::string key = path + (inner.empty() || inner[0] == '[' ? "" : ".") + inner;
    throw ConfigError(error.place(), key, error.problem(), error.remedy());
  }
}

}  // namespace

Scenario Scenario::with(std::string_view path, std::string_view value,
                        const std::string& origin) const {
  return Scenario(tree_.with(path, read_value(std::string(path), value, origin)));
}

}  // namespace flitwave
