// algorithms/reservation/fair_share.cpp: see fair_share.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/reservation/fair_share.hpp"

#include <algorithm>

namespace flitwave {

namespace {

constexpr std::int64_t whole = 720720;  // a flit, and the rate of a channel; divisible by 1 to 16

/// Of the streams that have flits left, those that need less than an equal part have what they
/// need; the others share what is left.
void divide(std::vector<FlitStream>& streams, int active) {
  std::int64_t room = whole;
  std::int64_t sharing = active;
  for (FlitStream& stream : streams) stream.part = 0;
  for (bool again = true; again;) {
    again = false;
    for (FlitStream& stream : streams) {
      if (stream.left <= 0 || stream.part > 0 || stream.rate * sharing > room) continue;
      stream.part = stream.rate;
      room -= stream.rate;
      --sharing;
      again = true;
    }
  }
  for (FlitStream& stream : streams)
    if (stream.left > 0 && stream.part == 0) stream.part = room / sharing;
}

}  // namespace

void share_channel(std::vector<FlitStream>& streams) {
  std::int64_t needed = 0;
  int active = 0;
  for (FlitStream& stream : streams) {
    stream.done = stream.time;
    stream.left = stream.flits * whole;
    stream.rate = stream.flits == 0 ? 0 : stream.left / stream.time;
    needed += stream.rate;
    active += stream.flits > 0 ? 1 : 0;
  }
  if (needed <= whole) return;
  for (Cycle time = 0; active > 0;) {
    divide(streams, active);
    Cycle next = INT64_MAX;  // until one of them ends
    for (const FlitStream& stream : streams)
      if (stream.left > 0) next = std::min(next, (stream.left + stream.part - 1) / stream.part);
    time += next;
    for (FlitStream& stream : streams) {
      if (stream.left <= 0) continue;
      stream.left -= stream.part * next;
      if (stream.left > 0) continue;
      stream.done = std::max(stream.time, time);
      --active;
    }
  }
}

}  // namespace flitwave
