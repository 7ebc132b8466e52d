// testbenches/fuzz/shrink.cpp: see shrink.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/fuzz/shrink.hpp"

#include <algorithm>

#include "testbenches/fuzz/legal.hpp"

namespace flitwave::fuzz {

namespace {

/// Collects variations of a case.
class Variations {
 public:
  explicit Variations(const Case& input) : input_(input) {}

  template <class Change>
  void add(Change change) {
    Case varied = input_;
    change(varied);
    varied_.push_back(std::move(varied));
  }
  /// Halves the distance of a number to the least value, and decrements it.
  template <class Member>
  void lower(Member member, int least) {
    const int value = member(input_);
    if (value - least >= 2)
      add([&](Case& varied) { member(varied) = least + (value - least) / 2; });
    if (value > least) add([&](Case& varied) { member(varied) = value - 1; });
  }
  /// A setting at its simplest value.
  template <class T>
  void settle(T Case::*member, const T& simplest) {
    if (input_.*member != simplest) add([&](Case& varied) { varied.*member = simplest; });
  }
  std::vector<Case> take() { return std::move(varied_); }

 private:
  const Case& input_;
  std::vector<Case> varied_;
};

void vary_topology(const Case& input, Variations& variations) {
  if (input.topology == "custom") {
    const int last = input.nodes() - 1;
    if (last >= 2)
      variations.add([last](Case& varied) {
        auto& joined = varied.joined;
        joined.erase(std::remove_if(joined.begin(), joined.end(),
                                    [last](const auto& pair) { return pair.second == last; }),
                     joined.end());
      });
    for (std::size_t i = 0; i < input.joined.size(); ++i)
      variations.add([i](Case& varied) {
        varied.joined.erase(varied.joined.begin() + static_cast<std::ptrdiff_t>(i));
      });
    return;
  }
  if (input.shape.size() > 1 && !input.reversed_order)
    for (std::size_t i = 0; i < input.shape.size(); ++i)
      variations.add([i](Case& varied) {
        const auto at = static_cast<std::ptrdiff_t>(i);
        varied.shape.erase(varied.shape.begin() + at);
        if (!varied.wraps.empty()) varied.wraps.erase(varied.wraps.begin() + at);
      });
  for (std::size_t i = 0; i < input.shape.size(); ++i)
    variations.lower(
        [i](auto& varied) -> auto& { return varied.shape[i]; }, 1);
}

/// Fewer packets of a trace, or shorter ones.
void vary_shots(const Case& input, Variations& variations) {
  const auto count = static_cast<std::ptrdiff_t>(input.shots.size());
  for (std::ptrdiff_t part = count; part >= 1; part /= 2)
    for (std::ptrdiff_t from = 0; from + part <= count && part < count; from += part)
      variations.add([from, part](Case& varied) {
        varied.shots.erase(varied.shots.begin() + from, varied.shots.begin() + from + part);
      });
  for (std::size_t i = 0; i < input.shots.size(); ++i) {
    variations.lower(
        [i](auto& varied) -> auto& { return varied.shots[i].flits; }, 1);
    variations.lower(
        [i](auto& varied) -> auto& { return varied.shots[i].at; }, 0);
  }
}

/// The printed text of a case, with its shots.
std::string text_of(const Case& input) {
  std::string text = scenario_of(input).tree().to_yaml();
  for (const Shot& shot : input.shots)
    for (const int number : {shot.at, shot.from, shot.to, shot.flits})
      text += std::to_string(number) + " ";
  return text;
}

/// Whether the case is a valid job: two or more nodes, all of them connected.
bool possible(const Case& input) {
  if (input.topology != "custom") return input.nodes() >= 2;
  std::vector<bool> reached(static_cast<std::size_t>(input.nodes()), false);
  reached[0] = true;
  for (std::size_t round = 0; round < reached.size(); ++round)
    for (const auto& [from, to] : input.joined) {
      const auto a = static_cast<std::size_t>(from);
      const auto b = static_cast<std::size_t>(to);
      reached[a] = reached[b] = reached[a] || reached[b];
    }
  return input.nodes() >= 2 && std::find(reached.begin(), reached.end(), false) == reached.end();
}

}  // namespace

std::vector<Case> simpler(const Case& input) {
  Variations variations(input);
  variations.lower(
      [](auto& varied) -> auto& { return varied.measure; }, 1);
  variations.settle(&Case::reversed_order, false);
  vary_topology(input, variations);
  vary_shots(input, variations);
  if (!input.circuits()) variations.settle(&Case::switching, std::string("wormhole"));
  variations.settle(&Case::routing, std::string("dimension_order"));
  variations.lower(
      [](auto& varied) -> auto& { return varied.vcs; }, 1);
  variations.lower(
      [](auto& varied) -> auto& { return varied.length; }, 1);
  variations.lower(
      [](auto& varied) -> auto& { return varied.drain; }, 0);
  variations.lower(
      [](auto& varied) -> auto& { return varied.rate; }, 1);
  variations.lower(
      [](auto& varied) -> auto& { return varied.latency; }, 1);
  for (std::size_t i = 0; i < input.delays.size(); ++i)
    variations.lower(
        [i](auto& varied) -> auto& { return varied.delays[i]; }, 0);
  variations.settle(&Case::ports, 1);
  variations.settle(&Case::window, 0);
  variations.lower(
      [](auto& varied) -> auto& { return varied.window; }, input.window > 0 ? 1 : 0);
  variations.settle(&Case::request, 1);
  variations.settle(&Case::service, 0);
  variations.settle(&Case::reply_queue, 0);
  variations.settle(&Case::classes, false);
  variations.settle(&Case::held, false);
  variations.settle(&Case::receive_overhead, 0);
  variations.settle(&Case::overlapped, false);
  variations.settle(&Case::credit_delay, 0);
  variations.settle(&Case::interface_delay, 0);
  variations.settle(&Case::injects_with_room, false);
  variations.settle(&Case::pattern, std::string("uniform"));
  variations.settle(&Case::injection, std::string("bernoulli"));
  variations.settle(&Case::to_self, false);
  variations.settle(&Case::atomic, false);
  variations.settle(&Case::stored, false);
  variations.settle(&Case::stages, std::string("merged"));
  variations.settle(&Case::allocator, std::string("separable_input_first"));
  variations.lower(
      [](auto& varied) -> auto& { return varied.iterations; }, 1);
  variations.settle(&Case::speculative, false);
  variations.settle(&Case::arbitration, std::string("round_robin"));
  variations.settle(&Case::directions, std::string("both"));
  variations.settle(&Case::ties, std::string("positive"));
  variations.settle(&Case::random_ties, false);
  variations.settle(&Case::vc_rule, std::string("remaining_wrap"));
  if (!input.circuits()) variations.settle(&Case::handshake, std::string("credit"));
  variations.lower(
      [](auto& varied) -> auto& { return varied.depth; }, 1);
  variations.lower(
      [](auto& varied) -> auto& { return varied.backoff; }, 1);
  variations.lower(
      [](auto& varied) -> auto& { return varied.longest_backoff; }, input.backoff);
  std::vector<Case> all;
  const std::string before = text_of(input);
  for (Case& varied : variations.take()) {
    if (!possible(varied)) continue;
    mend(varied);
    if (varied.shots.empty() == input.shots.empty() && text_of(varied) != before)
      all.push_back(std::move(varied));
  }
  return all;
}

Case shrink(Case failing, int tries, const std::function<bool(const Case&)>& fails) {
  for (bool found = true; found && tries > 0;) {
    found = false;
    for (Case& candidate : simpler(failing)) {
      if (tries-- == 0) return failing;
      if (!fails(candidate)) continue;
      failing = std::move(candidate);
      found = true;
      break;
    }
  }
  return failing;
}

}  // namespace flitwave::fuzz
