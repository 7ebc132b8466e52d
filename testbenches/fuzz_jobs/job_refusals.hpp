// testbenches/fuzz_jobs/job_refusals.hpp: why no job has what is pinned: messages of rejected ones.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "testbenches/fuzz_jobs/job_kinds.hpp"

namespace flitwave::fuzz_jobs {

/// Messages that jobs with pinned items were rejected with, and how often. Those that differ in
/// numbers only are one.
class JobRefusals {
 public:
  JobRefusals(const JobKinds& kinds, std::vector<Item> pins)
      : kinds_(kinds), pins_(std::move(pins)) {}

  void add(const std::string& message);

  /// How many of them name all that is pinned, each by its kind, word or section.
  int naming_all() const { return naming_all_; }

  /// The message that says why the pinned items do not go together: the most frequent one that
  /// names them all. If there is none, the most frequent one that names each of them, for what
  /// these ask for excludes each other; else the most frequent one of all. Empty when none was
  /// added.
  std::string reason() const;

 private:
  struct Message {
    std::string text;
    int count = 0;
  };

  bool names_all(const std::string& message, const std::vector<Item>& items) const;
  int naming(const std::string& message, const Item& item) const;
  const Message* most_frequent(const std::vector<Item>& named) const;

  const JobKinds& kinds_;
  std::vector<Item> pins_;
  std::map<std::string, Message> messages_;  ///< By their texts without numbers.
  int naming_all_ = 0;
};

}  // namespace flitwave::fuzz_jobs
