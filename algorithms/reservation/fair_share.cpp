// algorithms/reservation/fair_share.cpp: see fair_share.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/reservation/fair_share.hpp"

#include <algorithm>

namespace flitwave {

namespace {

constexpr std::int64_t whole = 720720;  // a flit, and the rate of a channel; divisible by 1 to 16

/// A stream that has not ended.
struct Active {
  FlitStream* stream;
  std::int64_t left;  // of its flits
  std::int64_t rate;  // that it can have
  std::int64_t part;  // that it has
};

/// Those that need less than an equal part have what they need; the others share what is left.
void divide(std::vector<Active>& active) {
  std::int64_t room = whole;
  auto sharing = static_cast<std::int64_t>(active.size());
  for (Active& one : active) one.part = 0;
  for (bool again = true; again;) {
    again = false;
    for (Active& one : active) {
      if (one.part > 0 || one.rate * sharing > room) continue;
      one.part = one.rate;
      room -= one.rate;
      --sharing;
      again = true;
    }
  }
  for (Active& one : active)
    if (one.part == 0) one.part = room / sharing;
}

}  // namespace

void share_channel(std::vector<FlitStream>& streams) {
  std::vector<Active> active;
  std::int64_t needed = 0;
  for (FlitStream& stream : streams) {
    stream.done = stream.time;
    if (stream.flits == 0) continue;
    active.push_back({&stream, stream.flits * whole, stream.flits * whole / stream.time, 0});
    needed += active.back().rate;
  }
  if (needed <= whole) return;
  for (Cycle time = 0; !active.empty();) {
    divide(active);
    Cycle next = INT64_MAX;  // until one of them ends
    for (const Active& one : active) next = std::min(next, (one.left + one.part - 1) / one.part);
    time += next;
    for (Active& one : active) {
      one.left -= one.part * next;
      if (one.left <= 0) one.stream->done = std::max(one.stream->time, time);
    }
    active.erase(std::remove_if(active.begin(), active.end(),
                                [](const Active& one) { return one.left <= 0; }),
                 active.end());
  }
}

}  // namespace flitwave
