// testbenches/fuzz_jobs/job_coverage.hpp: how often each item and each pair of items ran.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "configs/random.hpp"
#include "testbenches/fuzz_jobs/job_kinds.hpp"

namespace flitwave::fuzz_jobs {

/// Counts accepted runs of every item and every pair that may meet in a job, and keeps for each
/// pair what the program says when no job with both is found.
class JobCoverage {
 public:
  static constexpr std::int64_t wanted = 5;  ///< Accepted runs of each item and pair.
  /// Searches without an accepted job after which an item counts as illegal. They are many, for all
  /// its pairs are given up with it.
  static constexpr int misses_of_item = 8;

  explicit JobCoverage(const JobKinds& kinds);

  /// An accepted job with these items.
  void add(const std::vector<Item>& items);
  /// A job with these items was looked for, and only rejected ones were found. `is_proof`: by
  /// messages that name them all. A pair of which no job was accepted is illegal after one proof or
  /// two searches.
  void add_miss(const std::vector<Item>& pins, const std::string& reason, bool is_proof);
  /// A job with these items was not looked for, though `next_pins` gave them.
  void add_untried(const std::vector<Item>& pins);

  /// The pair that lacks accepted runs the most, by those that it has and those that were tried;
  /// a single item first. Counts as one try. Empty when nothing lacks.
  std::vector<Item> next_pins();

  /// Further items, drawn by how often they and their pairs with the others lack accepted runs;
  /// fewer when nothing lacks.
  std::vector<Item> likes(const std::vector<Item>& pins, std::size_t number, Random& random) const;

  /// Accepted runs that a job with these items would add to items and pairs that lack them; the
  /// fewer there are, the more one counts.
  std::int64_t gain(const std::vector<Item>& items) const;
  /// An item that a job with `items` has not, drawn by how many runs its pairs with those lack. It
  /// may meet all that is pinned. None when there is no such item.
  std::optional<Item> missing(const std::vector<Item>& items, const std::vector<Item>& pins,
                              Random& random) const;

  std::int64_t count(const Item& item) const;
  std::int64_t count(const Item& a, const Item& b) const;

  /// Pairs with accepted runs, those without that have a message, those with 1 to 4, and those of
  /// which nothing is known yet.
  struct Pairs {
    std::int64_t legal = 0;
    std::int64_t illegal = 0;
    std::int64_t rare = 0;
    std::int64_t open = 0;
  };
  Pairs pairs() const;
  /// Whether each item and each pair has enough accepted runs, or a message why there is none.
  bool enough() const;

  /// A line for each item with its runs, the rarest pairs, and every illegal pair with its message.
  /// `all`: the latter too.
  std::string table(bool all) const;

 private:
  using Pair = std::pair<int, int>;  // places in items_, ascending; of an item alone, twice it
  struct Count {
    bool may_meet = false;
    std::int64_t accepted = 0;
    std::int64_t tried = 0;
    std::int64_t misses = 0;
    std::string message;
  };

  const Count* proof(int a, int b) const;
  bool is_illegal(int a, int b) const;
  bool is_covered(const Item& item) const;
  int section_of(int item) const;
  static std::int64_t lack_of(const Count& count);
  int place(const Item& item) const;
  std::vector<int> places(const std::vector<Item>& items) const;
  const Count& at(int a, int b) const;
  Count& at(int a, int b);
  template <class Function>
  void for_each_pair(Function function) const;
  std::int64_t lacking(int item, const std::vector<int>& others) const;
  std::string text_of(const Pair& pair) const;

  std::vector<Item> items_;
  std::map<Item, int> places_;
  std::vector<int> sections_;  ///< Of each item, the item that is its section; else its own place.
  std::vector<std::vector<Count>> counts_;  ///< Shape: [items][items]; the places ascend.
};

}  // namespace flitwave::fuzz_jobs
