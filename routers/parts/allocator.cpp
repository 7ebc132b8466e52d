// routers/parts/allocator.cpp: see allocator.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/parts/allocator.hpp"

#include <algorithm>

#include "modules/signals/bits.hpp"

namespace flitwave {

std::vector<std::string> names_of(AllocatorKind) {
  return {"separable_input_first", "separable_output_first", "islip"};
}

Allocator::Allocator(const AllocatorRule& rule, int inputs, int outputs, std::uint64_t seed,
                     std::string_view purpose, std::uint64_t place)
    : rule_(rule) {
  const auto fill = [&](Side& side, const char* end, int count, int others) {
    const std::string stream = std::string(purpose) + end;
    for (int i = 0; i < count; ++i)
      side.arbiters.emplace_back(
          rule.arbitration, others,
          Random(seed, stream, place * 4096 + static_cast<std::uint64_t>(i)));
    side.match.assign(index(count), -1);
    side.wishes.resize(index(count));
    side.offers.resize(index(count));
  };
  fill(inputs_, " input", inputs, outputs);
  fill(outputs_, " output", outputs, inputs);
}

void Allocator::clear() {
  wishes_.clear();
  for (Side* side : {&inputs_, &outputs_}) {
    for (const int number : side->active) {
      side->wishes[index(number)].clear();
      side->match[index(number)] = -1;
    }
    side->active.clear();
  }
}

void Allocator::request(int input, int output, int priority, const RequestAge& age) {
  const int wish = static_cast<int>(wishes_.size());
  wishes_.push_back({input, output, priority, age});
  const auto enter = [wish](Side& side, int number) {
    std::vector<int>& wishes = side.wishes[index(number)];
    if (wishes.empty()) side.active.push_back(number);
    wishes.push_back(wish);
  };
  enter(inputs_, input);
  enter(outputs_, output);
}

void Allocator::allocate() {
  const bool input_first = rule_.kind == AllocatorKind::separable_input_first;
  for (int iteration = 0; iteration < rule_.iterations; ++iteration)
    match(input_first ? inputs_ : outputs_, input_first ? outputs_ : inputs_, input_first,
          iteration == 0);
}

void Allocator::match(Side& first, Side& second, bool input_first, bool moves) {
  std::vector<int> open;
  for (const int chooser : first.active) {
    if (first.match[index(chooser)] >= 0) continue;
    open.clear();
    for (const int wish : first.wishes[index(chooser)])
      if (second.match[index(number(wishes_[index(wish)], !input_first))] < 0) open.push_back(wish);
    if (open.empty()) continue;
    const int wish = choose(first, chooser, input_first, open);
    second.offers[index(number(wishes_[index(wish)], !input_first))].push_back(wish);
  }
  for (const int chooser : second.active) {
    std::vector<int>& offers = second.offers[index(chooser)];
    if (offers.empty()) continue;
    const int chosen =
        number(wishes_[index(choose(second, chooser, !input_first, offers))], input_first);
    offers.clear();
    first.match[index(chosen)] = chooser;
    second.match[index(chooser)] = chosen;
    if (!moves) continue;
    first.arbiters[index(chosen)].served(chooser);
    second.arbiters[index(chooser)].served(chosen);
  }
}

/// Returns: the wish that the arbiter of `chooser` prefers.
int Allocator::choose(Side& side, int chooser, bool input, const std::vector<int>& wishes) {
  if (wishes.size() == 1) return wishes.front();
  best_.clear();
  for (const int wish : wishes) {
    if (!best_.empty() && rule_.kind != AllocatorKind::islip) {
      const int least = wishes_[index(best_.front())].priority;
      const int priority = wishes_[index(wish)].priority;
      if (priority < least) continue;
      if (priority > least) best_.clear();
    }
    best_.push_back(wish);
  }
  if (rule_.arbitration == Arbitration::random)  // picks among requests in order of number
    std::sort(best_.begin(), best_.end(), [this, input](int a, int b) {
      return number(wishes_[index(a)], !input) < number(wishes_[index(b)], !input);
    });
  requests_.clear();
  for (const int wish : best_) {
    const Wish& entry = wishes_[index(wish)];
    requests_.push_back({number(entry, !input), entry.age.since, entry.age.created});
  }
  return best_[side.arbiters[index(chooser)].pick(requests_)];
}

}  // namespace flitwave
