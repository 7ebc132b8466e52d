// testbenches/fuzz_reader/job_mutator.hpp: changes jobs by settings, not by bytes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "configs/random.hpp"
#include "testbenches/fuzz_reader/job_input.hpp"

namespace flitwave::fuzz_reader {

/// Changes settings of a job to other valid or almost valid values: words of the schemas, limits of
/// their ranges, and numbers at which integers and units overflow.
class JobMutator {
 public:
  /// Collects the words of every kind and section.
  JobMutator();

  /// The input with one to three settings changed, added or removed; the unchanged input if its job
  /// is not YAML.
  JobInput mutate(const JobInput& input, Random& random) const;

  /// All words, for a dictionary of bytes.
  const std::vector<std::string>& words() const { return words_; }

 private:
  ConfigNode changed(const ConfigNode& node, std::uint64_t& steps, Random& random) const;
  ConfigNode other(const ConfigNode& node, Random& random) const;
  ConfigNode value(Random& random, int depth) const;
  ConfigNode::Entry entry(Random& random) const;

  std::vector<std::string> words_;
  std::vector<std::string> keys_;          ///< Of sections and parameters.
  std::vector<std::string> units_;         ///< Including the empty unit.
  std::vector<ConfigNode::Entry> filled_;  ///< Sections of each kind, with all parameters.
};

}  // namespace flitwave::fuzz_reader
