// configs/scenario.hpp: one job as it was written, and its variants.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "configs/node.hpp"

namespace flitwave {

/// A job: a tree of settings. The folders that read the settings define their meaning.
class Scenario {
 public:
  explicit Scenario(ConfigNode tree) : tree_(std::move(tree)) {}

  /// Throws: ConfigError, as ConfigNode::load.
  static Scenario load(const std::string& path) { return Scenario(ConfigNode::load(path)); }
  static Scenario parse(std::string_view text, const std::string& file = "job") {
    return Scenario(ConfigNode::parse(text, file));
  }

  const ConfigNode& tree() const { return tree_; }

  /// This job with one setting changed, e.g. with("topology.shape", "[16, 16]"). The value is
  /// YAML; an error in it is reported at `origin`.
  Scenario with(std::string_view path, std::string_view value,
                const std::string& origin = "override") const;
  Scenario without(std::string_view path) const { return Scenario(tree_.without(path)); }

 private:
  ConfigNode tree_;
};

}  // namespace flitwave
