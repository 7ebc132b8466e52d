// testbenches/fuzz_reader/job_mutator.hpp: jobs changed as jobs, not as bytes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "configs/random.hpp"
#include "testbenches/fuzz_reader/job_input.hpp"

namespace flitwave::fuzz_reader {

/// Changes settings of a job to other values that a job may hold, or almost may: what the schemas
/// know, the ends of their ranges, and numbers at which integers and units give way.
class JobMutator {
 public:
  /// Takes the words of every kind and section.
  JobMutator();

  /// The input with one to three settings changed, added or removed; the input itself when its job
  /// is no YAML.
  JobInput mutate(const JobInput& input, Random& random) const;

  /// Every word, for a dictionary of bytes.
  const std::vector<std::string>& words() const { return words_; }

 private:
  ConfigNode changed(const ConfigNode& node, std::uint64_t& steps, Random& random) const;
  ConfigNode other(const ConfigNode& node, Random& random) const;
  ConfigNode value(Random& random, int depth) const;
  ConfigNode::Entry entry(Random& random) const;

  std::vector<std::string> words_;
  std::vector<std::string> keys_;          ///< Of sections and parameters.
  std::vector<std::string> units_;         ///< The empty one, too.
  std::vector<ConfigNode::Entry> filled_;  ///< Sections of a kind, with every parameter.
};

}  // namespace flitwave::fuzz_reader
