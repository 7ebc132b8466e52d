// testbenches/reference/matching.cpp: see matching.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/matching.hpp"

#include <algorithm>
#include <map>

namespace flitwave::reference {

namespace {

std::vector<std::uint64_t> streams_of_choosers(Index routers, Index choosers) {
  constexpr Index most_choosers = 4096;
  std::vector<std::uint64_t> streams;
  for (Index router = 0; router < routers; ++router)
    for (Index chooser = 0; chooser < choosers; ++chooser)
      streams.push_back(static_cast<std::uint64_t>(router * most_choosers + chooser));
  return streams;
}

}  // namespace

Matchings::Matchings(const Params& params, const std::string& purpose, Index routers, Index inputs,
                     Index outputs)
    : kind_(params.allocation),
      iterations_(params.iterations),
      inputs_(inputs),
      outputs_(outputs),
      input_arbiters_(params, purpose + " input", streams_of_choosers(routers, inputs), outputs),
      output_arbiters_(params, purpose + " output", streams_of_choosers(routers, outputs), inputs) {
}

std::vector<bool> Matchings::match(Index router, const std::vector<Wish>& wishes) {
  std::vector<bool> granted(wishes.size(), false);
  Chosen open;
  for (std::size_t i = 0; i < wishes.size(); ++i) open.push_back(i);
  const bool inputs_first = kind_ == Allocation::input_first;
  for (Index iteration = 0; iteration < iterations_ && !open.empty(); ++iteration) {
    const Chosen offers = choose_each(router, wishes, open, inputs_first);
    for (const std::size_t agreed : choose_each(router, wishes, offers, !inputs_first)) {
      const Wish& wish = wishes[agreed];
      granted[agreed] = true;
      if (iteration == 0) {
        input_arbiters_.served(router * inputs_ + wish.input, wish.output);
        output_arbiters_.served(router * outputs_ + wish.output, wish.input);
      }
      open.erase(std::remove_if(open.begin(), open.end(),
                                [&](std::size_t other) {
                                  return wishes[other].input == wish.input ||
                                         wishes[other].output == wish.output;
                                }),
                 open.end());
    }
  }
  return granted;
}

/// Every input, or every output, of the open requests chooses one of them.
Matchings::Chosen Matchings::choose_each(Index router, const std::vector<Wish>& wishes,
                                         const Chosen& open, bool inputs) {
  std::map<Index, Chosen> by_number;
  for (const std::size_t i : open) by_number[number(wishes[i], inputs)].push_back(i);
  Chosen chosen;
  for (auto& [own, among] : by_number) chosen.push_back(choose(router, wishes, among, inputs));
  return chosen;
}

std::size_t Matchings::choose(Index router, const std::vector<Wish>& wishes, Chosen own,
                              bool input) {
  if (kind_ != Allocation::islip) {
    Index first = wishes[own.front()].rank;
    for (const std::size_t i : own) first = std::min(first, wishes[i].rank);
    own.erase(std::remove_if(own.begin(), own.end(),
                             [&](std::size_t i) { return wishes[i].rank > first; }),
              own.end());
  }
  if (own.size() == 1) return own.front();
  std::sort(own.begin(), own.end(), [&](std::size_t a, std::size_t b) {
    return number(wishes[a], !input) < number(wishes[b], !input);
  });
  std::vector<Request> requests;
  for (const std::size_t i : own)
    requests.push_back({number(wishes[i], !input), wishes[i].since, wishes[i].created});
  const Index chooser = number(wishes[own.front()], input);
  return own[input ? input_arbiters_.pick(router * inputs_ + chooser, requests)
                   : output_arbiters_.pick(router * outputs_ + chooser, requests)];
}

}  // namespace flitwave::reference
