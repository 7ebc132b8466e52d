// testbenches/fuzz_jobs/job_coverage.cpp: see job_coverage.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/fuzz_jobs/job_coverage.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace flitwave::fuzz_jobs {

namespace {

constexpr std::int64_t most_searches = 3;  // for a pair of which no job was accepted

}  // namespace

bool JobCoverage::is_illegal(const Count& count) {
  return count.accepted == 0 && count.refused >= most_searches;
}

JobCoverage::JobCoverage(const JobKinds& kinds) : items_(kinds.items()) {
  for (std::size_t a = 0; a < items_.size(); ++a) {
    places_[items_[a]] = static_cast<int>(a);
    for (std::size_t b = a; b < items_.size(); ++b)
      if (a == b || kinds.may_meet(items_[a], items_[b]))
        counts_[{static_cast<int>(a), static_cast<int>(b)}];
  }
}

int JobCoverage::place(const Item& item) const { return places_.at(item); }

JobCoverage::Pair JobCoverage::pair_of(const Item& a, const Item& b) const {
  return std::minmax({place(a), place(b)});
}

void JobCoverage::add(const std::vector<Item>& items) {
  std::vector<int> places;
  places.reserve(items.size());
  for (const Item& item : items) places.push_back(place(item));
  std::sort(places.begin(), places.end());
  for (std::size_t a = 0; a < places.size(); ++a)
    for (std::size_t b = a; b < places.size(); ++b) {
      const auto found = counts_.find({places[a], places[b]});
      if (found != counts_.end()) ++found->second.accepted;
    }
}

void JobCoverage::add_refusal(const std::vector<Item>& pins, const std::string& message,
                              int searches) {
  if (pins.empty()) return;
  Count& count = counts_.at(pair_of(pins.front(), pins.back()));
  count.message = message;
  count.refused += searches;
}

std::vector<Item> JobCoverage::next_pins() {
  const std::pair<const Pair, Count>* least = nullptr;
  const auto weight = [](const auto& entry) {
    const Count& count = entry.second;
    const bool alone = entry.first.first == entry.first.second;
    return std::pair((alone ? 0 : 1), count.accepted + 2 * count.tried);
  };
  for (const auto& entry : counts_) {
    const Count& count = entry.second;
    if (count.accepted >= wanted || is_illegal(count)) continue;
    if (!least || weight(entry) < weight(*least)) least = &entry;
  }
  if (!least) return {};
  const Pair pair = least->first;
  ++counts_[pair].tried;
  std::vector<Item> pins{items_[static_cast<std::size_t>(pair.first)]};
  if (pair.first != pair.second) pins.push_back(items_[static_cast<std::size_t>(pair.second)]);
  return pins;
}

std::vector<Item> JobCoverage::likes(const std::vector<Item>& pins, std::size_t number,
                                     Random& random) const {
  std::vector<int> chosen;
  for (const Item& pin : pins) chosen.push_back(place(pin));
  std::vector<Item> likes;
  while (likes.size() < number) {
    std::vector<std::uint64_t> lacks(items_.size(), 0);
    for (std::size_t item = 0; item < items_.size(); ++item)
      lacks[item] = lacking(static_cast<int>(item), chosen);
    std::uint64_t sum = 0;
    for (const std::uint64_t lack : lacks) sum += lack;
    if (sum == 0) break;
    std::uint64_t drawn = random.below(sum);
    std::size_t item = 0;
    while (drawn >= lacks[item]) drawn -= lacks[item++];
    chosen.push_back(static_cast<int>(item));
    likes.push_back(items_[item]);
  }
  return likes;
}

/// Accepted runs that the item and its pairs with others lack; 0 when it cannot be with all others.
std::uint64_t JobCoverage::lacking(int item, const std::vector<int>& others) const {
  const auto lack = [this](const Pair& pair) {
    const Count& count = counts_.at(pair);
    return is_illegal(count) ? 0 : std::max<std::int64_t>(wanted - count.accepted, 0);
  };
  std::int64_t sum = lack({item, item});
  for (const int other : others) {
    const auto found = counts_.find(std::minmax(item, other));
    if (other == item || found == counts_.end() || is_illegal(found->second)) return 0;
    sum += lack(found->first);
  }
  return static_cast<std::uint64_t>(sum);
}

std::int64_t JobCoverage::count(const Item& item) const { return count(item, item); }

std::int64_t JobCoverage::count(const Item& a, const Item& b) const {
  const auto found = counts_.find(pair_of(a, b));
  return found == counts_.end() ? 0 : found->second.accepted;
}

JobCoverage::Pairs JobCoverage::pairs() const {
  Pairs pairs;
  for (const auto& [pair, count] : counts_) {
    if (pair.first == pair.second) continue;
    if (count.accepted >= wanted)
      ++pairs.legal;
    else if (count.accepted > 0)
      ++pairs.rare;
    else if (is_illegal(count))
      ++pairs.illegal;
    else
      ++pairs.open;
  }
  return pairs;
}

bool JobCoverage::enough() const {
  const Pairs all = pairs();
  return all.rare == 0 && all.open == 0 &&
         std::all_of(items_.begin(), items_.end(),
                     [this](const Item& item) { return count(item) >= wanted; });
}

std::string JobCoverage::text_of(const Pair& pair) const {
  const std::string first = items_[static_cast<std::size_t>(pair.first)].text();
  if (pair.first == pair.second) return first;
  return first + " + " + items_[static_cast<std::size_t>(pair.second)].text();
}

std::string JobCoverage::table(bool all) const {
  std::string text;
  for (const Item& item : items_) text += fmt::format("{:<44}{:>8}\n", item.text(), count(item));
  for (const auto& [pair, count] : counts_) {
    if (!all || count.accepted >= wanted) continue;
    if (is_illegal(count))
      text += fmt::format("illegal: {}: {}\n", text_of(pair), count.message);
    else if (pair.first != pair.second)
      text += fmt::format("{}: {}\n", text_of(pair), count.accepted);
  }
  const Pairs sums = pairs();
  return text +
         fmt::format("{} pairs with {} runs or more, {} with fewer, {} not yet found, {} illegal\n",
                     sums.legal, wanted, sums.rare, sums.open, sums.illegal);
}

}  // namespace flitwave::fuzz_jobs
