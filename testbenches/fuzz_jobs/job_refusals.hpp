// testbenches/fuzz_jobs/job_refusals.hpp: the messages of rejected jobs that explain why no job has
// the pinned items.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "testbenches/fuzz_jobs/job_kinds.hpp"

namespace flitwave::fuzz_jobs {

/// The messages with which jobs with pinned items were rejected, and their counts. Messages that
/// differ in numbers only are counted together.
class JobRefusals {
 public:
  JobRefusals(const JobKinds& kinds, std::vector<Item> pins)
      : kinds_(kinds), pins_(std::move(pins)) {}

  void add(const std::string& message);

  /// The number of messages that name all pinned items, each by its kind, word or section.
  int naming_all() const { return naming_all_; }

  /// The message that explains why the pinned items are incompatible: the most frequent one that
  /// names them all. If there is none, the most frequent ones that name each of them, as their
  /// requirements exclude each other; otherwise the most frequent one of all. Empty when none was
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
