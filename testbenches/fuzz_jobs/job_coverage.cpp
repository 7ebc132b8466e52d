// testbenches/fuzz_jobs/job_coverage.cpp: see job_coverage.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/fuzz_jobs/job_coverage.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace flitwave::fuzz_jobs {

namespace {

constexpr std::int64_t enough_misses = 2;  // of a pair without an accepted job

/// A position chosen at random by its weight; none when all weights are 0.
std::optional<std::size_t> random_position(const std::vector<std::int64_t>& weights,
                                           Random& random) {
  std::uint64_t sum = 0;
  for (const std::int64_t weight : weights) sum += static_cast<std::uint64_t>(weight);
  if (sum == 0) return {};
  auto rest = static_cast<std::int64_t>(random.below(sum));
  std::size_t position = 0;
  while (rest >= weights[position]) rest -= weights[position++];
  return position;
}

}  // namespace

/// The misses that make a pair illegal, of the pair itself or of what it includes; null if it is
/// legal. An item that never occurs without its section includes the section.
const JobCoverage::Count* JobCoverage::proof(int a, int b) const {
  if (at(a, b).accepted > 0) return nullptr;
  for (const int with_a : {a, section_of(a)})
    for (const int with_b : {b, section_of(b)})
      for (const auto& [first, second] : {Pair(with_a, with_b), Pair(a, a), Pair(b, b)}) {
        const Count& count = at(first, second);
        const std::int64_t enough = first == second ? misses_of_item : enough_misses;
        if (count.may_meet && count.accepted == 0 && count.misses >= enough) return &count;
      }
  return nullptr;
}

bool JobCoverage::is_illegal(int a, int b) const { return proof(a, b) != nullptr; }

/// The section of the item if all accepted jobs with the item have it; otherwise the item itself.
int JobCoverage::section_of(int item) const {
  const int section = sections_[static_cast<std::size_t>(item)];
  const std::int64_t runs = at(item, item).accepted;
  return runs >= wanted && runs == at(item, section).accepted ? section : item;
}

/// Missing runs, whether they are possible or not.
std::int64_t JobCoverage::lack_of(const Count& count) {
  return std::max<std::int64_t>(wanted - count.accepted, 0);
}

JobCoverage::JobCoverage(const JobKinds& kinds)
    : items_(kinds.items()), counts_(items_.size(), std::vector<Count>(items_.size())) {
  for (std::size_t a = 0; a < items_.size(); ++a) {
    places_[items_[a]] = static_cast<int>(a);
    for (std::size_t b = a; b < items_.size(); ++b)
      counts_[a][b].may_meet = a == b || kinds.may_meet(items_[a], items_[b]);
  }
  for (const Item& item : items_) {
    const auto section = places_.find({item.path.substr(0, item.path.find('.')), ""});
    sections_.push_back(section == places_.end() ? place(item) : section->second);
  }
}

int JobCoverage::place(const Item& item) const { return places_.at(item); }

std::vector<int> JobCoverage::places(const std::vector<Item>& items) const {
  std::vector<int> places;
  places.reserve(items.size());
  for (const Item& item : items) places.push_back(place(item));
  std::sort(places.begin(), places.end());
  return places;
}

const JobCoverage::Count& JobCoverage::at(int a, int b) const {
  return counts_[static_cast<std::size_t>(std::min(a, b))]
                [static_cast<std::size_t>(std::max(a, b))];
}

JobCoverage::Count& JobCoverage::at(int a, int b) {
  return counts_[static_cast<std::size_t>(std::min(a, b))]
                [static_cast<std::size_t>(std::max(a, b))];
}

/// Calls `function(pair, count)` for each item, as a pair with itself, and each pair that may occur
/// together.
template <class Function>
void JobCoverage::for_each_pair(Function function) const {
  const int items = static_cast<int>(items_.size());
  for (int a = 0; a < items; ++a)
    for (int b = a; b < items; ++b)
      if (at(a, b).may_meet) function(Pair(a, b), at(a, b));
}

void JobCoverage::add(const std::vector<Item>& items) {
  const std::vector<int> its_places = places(items);
  for (std::size_t a = 0; a < its_places.size(); ++a)
    for (std::size_t b = a; b < its_places.size(); ++b) ++at(its_places[a], its_places[b]).accepted;
}

void JobCoverage::add_miss(const std::vector<Item>& pins, const std::string& reason,
                           bool is_proof) {
  if (pins.empty()) return;
  Count& count = at(place(pins.front()), place(pins.back()));
  count.message = reason;
  count.misses += is_proof && pins.size() > 1 ? enough_misses : 1;
}

void JobCoverage::add_untried(const std::vector<Item>& pins) {
  if (!pins.empty()) --at(place(pins.front()), place(pins.back())).tried;
}

std::vector<Item> JobCoverage::next_pins() {
  std::optional<Pair> least;
  std::pair<int, std::int64_t> least_weight;
  for_each_pair([&](const Pair& pair, const Count& count) {
    if (count.accepted >= wanted || is_illegal(pair.first, pair.second)) return;
    const std::pair weight((pair.first == pair.second ? 0 : 1), count.accepted + 2 * count.tried);
    if (least && weight >= least_weight) return;
    least = pair;
    least_weight = weight;
  });
  if (!least) return {};
  ++at(least->first, least->second).tried;
  std::vector<Item> pins{items_[static_cast<std::size_t>(least->first)]};
  if (least->first != least->second)
    pins.push_back(items_[static_cast<std::size_t>(least->second)]);
  return pins;
}

std::vector<Item> JobCoverage::likes(const std::vector<Item>& pins, std::size_t number,
                                     Random& random) const {
  std::vector<int> chosen = places(pins);
  std::vector<Item> likes;
  while (likes.size() < number) {
    std::vector<std::int64_t> lacks(items_.size(), 0);
    for (std::size_t item = 0; item < items_.size(); ++item)
      lacks[item] = lacking(static_cast<int>(item), chosen);
    const std::optional<std::size_t> item = random_position(lacks, random);
    if (!item) break;
    chosen.push_back(static_cast<int>(*item));
    likes.push_back(items_[*item]);
  }
  return likes;
}

/// Missing accepted runs of the item and of its pairs with others; 0 if it is incompatible with one
/// of them.
std::int64_t JobCoverage::lacking(int item, const std::vector<int>& others) const {
  std::int64_t sum = is_illegal(item, item) ? 0 : lack_of(at(item, item));
  for (const int other : others) {
    const Count& count = at(item, other);
    if (other == item || !count.may_meet || is_illegal(item, other)) return 0;
    sum += lack_of(count);
  }
  return sum;
}

std::int64_t JobCoverage::gain(const std::vector<Item>& items) const {
  const std::vector<int> its_places = places(items);
  std::int64_t sum = 0;
  for (std::size_t a = 0; a < its_places.size(); ++a)
    for (std::size_t b = a; b < its_places.size(); ++b)
      sum += lack_of(at(its_places[a], its_places[b]));
  return sum;
}

std::optional<Item> JobCoverage::missing(const std::vector<Item>& items,
                                         const std::vector<Item>& pins, Random& random) const {
  const std::vector<int> present = places(items);
  const std::vector<int> pinned = places(pins);
  std::vector<std::int64_t> weights(items_.size(), 0);
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const int item = static_cast<int>(i);
    const bool fits = std::all_of(pinned.begin(), pinned.end(), [&](int pin) {
      return pin != item && at(item, pin).may_meet && !is_illegal(item, pin);
    });
    if (!fits || std::binary_search(present.begin(), present.end(), item)) continue;
    for (const int other : present) {
      const Count& count = at(item, other);
      if (count.may_meet) weights[i] += is_illegal(item, other) ? -wanted : lack_of(count);
    }
    weights[i] = std::max<std::int64_t>(weights[i], 0);
  }
  const std::optional<std::size_t> item = random_position(weights, random);
  if (!item) return {};
  return items_[*item];
}

std::int64_t JobCoverage::count(const Item& item) const { return count(item, item); }

std::int64_t JobCoverage::count(const Item& a, const Item& b) const {
  return at(place(a), place(b)).accepted;
}

JobCoverage::Pairs JobCoverage::pairs() const {
  Pairs pairs;
  for_each_pair([&pairs, this](const Pair& pair, const Count& count) {
    if (pair.first == pair.second) return;
    if (count.accepted >= wanted)
      ++pairs.legal;
    else if (count.accepted > 0)
      ++pairs.rare;
    else if (is_illegal(pair.first, pair.second))
      ++pairs.illegal;
    else
      ++pairs.open;
  });
  return pairs;
}

/// Whether the item has enough runs, or is illegal and has the same kind in another setting: not
/// every router may be used for single nodes.
bool JobCoverage::is_covered(const Item& item) const {
  if (count(item) >= wanted) return true;
  return is_illegal(place(item), place(item)) &&
         std::any_of(items_.begin(), items_.end(), [&](const Item& other) {
           return other.value == item.value && count(other) >= wanted;
         });
}

bool JobCoverage::enough() const {
  const Pairs all = pairs();
  return all.rare == 0 && all.open == 0 &&
         std::all_of(items_.begin(), items_.end(),
                     [this](const Item& item) { return is_covered(item); });
}

std::string JobCoverage::text_of(const Pair& pair) const {
  const std::string first = items_[static_cast<std::size_t>(pair.first)].text();
  if (pair.first == pair.second) return first;
  return first + " + " + items_[static_cast<std::size_t>(pair.second)].text();
}

std::string JobCoverage::table(bool all) const {
  std::string text;
  for (const Item& item : items_) text += fmt::format("{:<44}{:>8}\n", item.text(), count(item));
  for_each_pair([&](const Pair& pair, const Count& count) {
    if (!all || count.accepted >= wanted) return;
    if (const Count* its_proof = proof(pair.first, pair.second))
      text += fmt::format("illegal: {}: {}\n", text_of(pair), its_proof->message);
    else if (pair.first != pair.second)
      text += fmt::format("{}: {}\n", text_of(pair), count.accepted);
  });
  for (const Item& item : items_)
    if (count(item) < wanted)
      text += fmt::format("{} accepted runs of {}\n", count(item), item.text());
  const Pairs sums = pairs();
  return text +
         fmt::format("{} pairs with {} runs or more, {} with fewer, {} not yet found, {} illegal\n",
                     sums.legal, wanted, sums.rare, sums.open, sums.illegal);
}

}  // namespace flitwave::fuzz_jobs
