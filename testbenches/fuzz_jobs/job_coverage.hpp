// testbenches/fuzz_jobs/job_coverage.hpp: counts the runs of each item and each pair of items.
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

/// Counts accepted runs of every item and of every pair that may occur in a job. For each pair
/// without a job it stores the error message.
class JobCoverage {
 public:
  static constexpr std::int64_t wanted = 5;  ///< Required accepted runs of each item and pair.
  /// Searches without an accepted job after which an item counts as illegal. The number is large
  /// because all pairs of the item are excluded with it.
  static constexpr int misses_of_item = 8;

  explicit JobCoverage(const JobKinds& kinds);

  /// Counts an accepted job with these items.
  void add(const std::vector<Item>& items);
  /// Counts a search for a job with these items that found rejected ones only. `is_proof`: messages
  /// named all items. A pair without an accepted job is illegal after one proof or two searches.
  void add_miss(const std::vector<Item>& pins, const std::string& reason, bool is_proof);
  /// Cancels a try of items from `next_pins` for which no job was searched.
  void add_untried(const std::vector<Item>& pins);

  /// The pair with the fewest accepted runs and tries; single items first. Counts as one try. Empty
  /// when no runs are missing.
  std::vector<Item> next_pins();

  /// Further items, chosen at random by the missing runs of them and their pairs with the others;
  /// fewer when no runs are missing.
  std::vector<Item> likes(const std::vector<Item>& pins, std::size_t number, Random& random) const;

  /// The missing accepted runs that a job with these items would contribute; items and pairs with
  /// fewer runs count more.
  std::int64_t gain(const std::vector<Item>& items) const;
  /// An item that a job with `items` lacks and that is compatible with all pins, chosen at random
  /// by the missing runs of its pairs. None when there is no such item.
  std::optional<Item> missing(const std::vector<Item>& items, const std::vector<Item>& pins,
                              Random& random) const;

  std::int64_t count(const Item& item) const;
  std::int64_t count(const Item& a, const Item& b) const;

  /// Numbers of pairs: with enough accepted runs, without any but with a message, with 1 to 4, and
  /// without any result.
  struct Pairs {
    std::int64_t legal = 0;
    std::int64_t illegal = 0;
    std::int64_t rare = 0;
    std::int64_t open = 0;
  };
  Pairs pairs() const;
  /// Whether each item and each pair has enough accepted runs, or a message that excludes it.
  bool enough() const;

  /// A line for each item with its runs, the rarest pairs, and every illegal pair with its message.
  /// `all`: includes rare and illegal pairs.
  std::string table(bool all) const;

 private:
  using Pair = std::pair<int, int>;  // positions in items_, ascending; of an item alone, twice
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
  std::vector<int> sections_;  ///< Per item: the position of its section; otherwise its own.
  std::vector<std::vector<Count>> counts_;  ///< Shape: [items][items]; first <= second.
};

}  // namespace flitwave::fuzz_jobs
