// testbenches/fuzz_jobs/job_coverage.hpp: how often each item and each pair of items ran.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "flitwave/configs/random.hpp"
#include "flitwave/testbenches/fuzz_jobs/job_kinds.hpp"

namespace flitwave::fuzz_jobs {

/// Counts accepted runs of every item and every pair that may meet in a job, and keeps for each
/// pair what the program says when no job with both is found.
class JobCoverage {
 public:
  static constexpr std::int64_t wanted = 5;  ///< Accepted runs of each item and pair.

  explicit JobCoverage(const JobKinds& kinds);

  /// An accepted job with these items.
  void add(const std::vector<Item>& items);
  /// A job with these items was looked for so many times, and only rejected ones were found.
  void add_refusal(const std::vector<Item>& pins, const std::string& message, int searches = 1);

  /// The pair that lacks accepted runs the most, by those that it has and those that were tried;
  /// a single item first. Counts as one try. Empty when nothing lacks.
  std::vector<Item> next_pins();

  /// Further items, drawn by how often they and their pairs with the others lack accepted runs;
  /// fewer when nothing lacks.
  std::vector<Item> likes(const std::vector<Item>& pins, std::size_t number, Random& random) const;

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
    std::int64_t accepted = 0;
    std::int64_t tried = 0;
    std::int64_t refused = 0;
    std::string message;
  };

  static bool is_illegal(const Count& count);
  int place(const Item& item) const;
  std::uint64_t lacking(int item, const std::vector<int>& others) const;
  Pair pair_of(const Item& a, const Item& b) const;
  std::string text_of(const Pair& pair) const;

  std::vector<Item> items_;
  std::map<Item, int> places_;
  std::map<Pair, Count> counts_;
};

}  // namespace flitwave::fuzz_jobs
