// testbenches/tests/unit/algorithms/reservation/fair_share_test.cpp: streams of flits on one
// channel.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/reservation/fair_share.hpp"

#include <algorithm>
#include <vector>

#include "configs/random.hpp"
#include "testbenches/tests/catch.hpp"

namespace fair_share_test {

using namespace flitwave;

namespace {

std::vector<Cycle> times(std::vector<FlitStream> streams) {
  share_channel(streams);
  std::vector<Cycle> done;
  for (const FlitStream& stream : streams) done.push_back(stream.done);
  return done;
}

/// The same with whole flits: an arbiter serves the streams in turn, one flit in a cycle. Those of
/// a stream arrive one after the other, and no faster while the four in its buffer wait.
std::vector<Cycle> served_in_turn(const std::vector<FlitStream>& streams) {
  std::vector<std::int64_t> left;
  std::vector<Cycle>
      ready;  // when the next flit may depart, in parts of a cycle: one for each flit
  for (const FlitStream& stream : streams) {
    left.push_back(stream.flits);
    ready.push_back(stream.time);
  }
  std::vector<Cycle> done(streams.size(), 0);
  std::size_t turn = 0;
  for (Cycle now = 1; *std::max_element(left.begin(), left.end()) > 0; ++now)
    for (std::size_t i = 0; i < streams.size(); ++i) {
      const std::size_t next = (turn + i) % streams.size();
      const FlitStream& stream = streams[next];
      if (left[next] == 0 || now * stream.flits < ready[next]) continue;
      ready[next] = std::max(ready[next], now * stream.flits - 4 * stream.time) + stream.time;
      --left[next];
      done[next] = now;
      turn = next + 1;
      break;
    }
  return done;
}

}  // namespace

TEST_CASE("streams that need less than the channel has take their time") {
  CHECK(times({{5, 20}, {10, 20}, {5, 20}}) == std::vector<Cycle>{20, 20, 20});
  CHECK(times({{7, 7}}) == std::vector<Cycle>{7});
  CHECK(times({{7, 7}, {0, 0}}) == std::vector<Cycle>{7, 0});
}

TEST_CASE("streams without gaps share the channel until the shorter one ends") {
  CHECK(times({{10, 10}, {10, 10}}) == std::vector<Cycle>{20, 20});
  CHECK(times({{5, 5}, {20, 20}}) == std::vector<Cycle>{10, 25});
  // Three have a third each for 12 cycles, two have half each for 8 more, and one is alone for 10.
  CHECK(times({{4, 4}, {8, 8}, {18, 18}}) == std::vector<Cycle>{12, 20, 30});
}

TEST_CASE("a stream that needs less than its part is not delayed by others") {
  // Three quarters are left for the other one for 20 cycles: 15 of its flits.
  CHECK(times({{5, 20}, {20, 20}}) == std::vector<Cycle>{20, 25});
  CHECK(times({{5, 20}, {16, 32}, {40, 40}})[0] == 20);
}

TEST_CASE("streams end when an arbiter that serves them in turn has sent their last flits") {
  Random random(7, "fair_share");
  for (int run = 0; run < 500; ++run) {
    std::vector<FlitStream> streams(1 + random.below(6));
    for (FlitStream& stream : streams) {
      stream.flits = 1 + static_cast<std::int64_t>(random.below(60));
      stream.time = stream.flits * (1 + static_cast<Cycle>(random.below(4)));
    }
    const std::vector<Cycle> expected = served_in_turn(streams);
    const std::vector<Cycle> found = times(streams);
    // Whole flits take turns in another order than parts of them, by up to two flits of each.
    const auto most = 2 * static_cast<Cycle>(streams.size());
    for (std::size_t i = 0; i < streams.size(); ++i) {
      CAPTURE(run, i, expected[i], found[i]);
      CHECK(found[i] <= expected[i] + most + expected[i] / 10);
      CHECK(found[i] >= expected[i] - most - expected[i] / 10);
    }
  }
}

}  // namespace fair_share_test
