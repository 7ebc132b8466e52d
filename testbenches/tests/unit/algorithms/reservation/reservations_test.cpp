// testbenches/tests/unit/algorithms/reservation/reservations_test.cpp: worms that reserve channels
// in order.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/reservation/reservations.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "configs/random.hpp"
#include "testbenches/tests/catch.hpp"

namespace reservations_test {

using namespace flitwave;

namespace {

/// A line of channels, numbered from 0; the last one ends worms.
std::vector<ReservedChannel> line(int channels, ReservedChannel of) {
  std::vector<ReservedChannel> all(static_cast<std::size_t>(channels), of);
  all.back().last = true;
  return all;
}

/// Worms with given routes that begin at given cycles.
class Driver final : private WormDriver {
 public:
  struct Journey {
    Cycle begin = 0;
    std::vector<int> route;  // channels; any of their virtual channels
    std::int64_t length = 1;
    Cycle hold = -1;
    std::vector<Cycle> heads;
    std::vector<Cycle> tails;
    Cycle finished = -1;
  };

  Driver(Release release, const std::vector<ReservedChannel>& channels)
      : channels_(channels), reservations_(release, channels, pools(channels), *this) {}

  void add(Cycle begin, std::vector<int> route, std::int64_t length, Cycle hold = -1) {
    journeys_.push_back({begin, std::move(route), length, hold, {}, {}, -1});
    begins_.emplace(begin, static_cast<int>(journeys_.size()) - 1);
  }

  const std::vector<Journey>& run() {
    while (!begins_.empty() || !wakes_.empty()) {
      now_ = INT64_MAX;
      if (!begins_.empty()) now_ = begins_.begin()->first;
      if (!wakes_.empty()) now_ = std::min(now_, *wakes_.begin());
      wakes_.erase(now_);
      reservations_.run(now_);
      for (; !begins_.empty() && begins_.begin()->first == now_; begins_.erase(begins_.begin()))
        begin(begins_.begin()->second);
      reservations_.run(now_);
    }
    return journeys_;
  }
  bool is_blocked() const { return reservations_.is_blocked(); }

 private:
  static std::vector<ChannelPool> pools(const std::vector<ReservedChannel>& channels) {
    std::vector<ChannelPool> pools;
    for (const ReservedChannel& channel : channels)
      pools.push_back({static_cast<int>(pools.size()), {0, channel.vcs}});
    return pools;
  }

  void begin(int number) {
    const Journey& journey = journeys_[static_cast<std::size_t>(number)];
    const int worm = reservations_.add(journey.length, journey.hold);
    number_of_[worm] = number;
    reservations_.begin(worm, now_);
  }

  Journey& of(int worm) { return journeys_[static_cast<std::size_t>(number_of_.at(worm))]; }

  void at(Cycle, const WormEvent&) override { FAIL("worms release channels with their tails"); }
  void wake(Cycle cycle) override { wakes_.insert(cycle); }
  void add_route(int worm, std::vector<int>& pools) override { pools = of(worm).route; }
  void add_choices(int, std::vector<int>&) override { FAIL("each worm has a route"); }
  void crosses(int) override {}
  void departs(int worm) override { CHECK(reservations_.tail(worm, 0) == now_); }
  void finishes(int worm) override {
    Journey& journey = of(worm);
    journey.finished = now_;
    reservations_.for_each_channel(worm, [&](int, Cycle head, Cycle tail) {
      journey.heads.push_back(head);
      journey.tails.push_back(tail);
    });
  }

  std::vector<ReservedChannel> channels_;
  std::vector<Journey> journeys_;
  std::multimap<Cycle, int> begins_;
  std::set<Cycle> wakes_;
  std::map<int, int> number_of_;
  Cycle now_ = 0;
  Reservations reservations_;
};

/// 0, 1, ... channels - 1.
std::vector<int> whole(int channels) {
  std::vector<int> route;
  for (int channel = 0; channel < channels; ++channel) route.push_back(channel);
  return route;
}

ReservedChannel channel(std::int64_t buffer, int vcs = 1) {
  ReservedChannel channel;
  channel.buffer = buffer;
  channel.vcs = vcs;
  return channel;
}

}  // namespace

TEST_CASE("a worm alone takes the time of its stages on each channel, and a cycle for each flit") {
  ReservedChannel of = channel(8);
  of.times = {3, 2, 1, 1, 2};
  Driver driver(Release::with_tail, line(4, of));
  driver.add(10, whole(4), 5);
  const auto& worm = driver.run().front();
  // A head needs crossing, decision and passage from channel to channel.
  CHECK(worm.heads == std::vector<Cycle>{10, 16, 22, 28});
  // Its other flits need no decision, and arrive before the head goes on.
  CHECK(worm.tails == std::vector<Cycle>{14, 20, 26, 32});
  CHECK(worm.finished == 32 + 3);
}

TEST_CASE("a worm that is longer than small buffers waits for their credits") {
  ReservedChannel of = channel(2);
  of.times = {2, 0, 1, 1, 3};  // a slot is used every 6 cycles
  Driver driver(Release::with_tail, line(3, of));
  driver.add(0, whole(3), 9);
  // 8 flits behind the head; after each two of them 4 cycles are missing.
  const Cycle head = 2 * 3 + 2;
  CHECK(driver.run().front().finished == head + 8 + 4 * 4);
}

TEST_CASE("a channel is free again when the last flit has passed, before it arrives") {
  Driver driver(Release::with_tail, line(4, channel(8)));
  driver.add(0, whole(4), 4);
  driver.add(1, whole(4), 4);
  const auto& worms = driver.run();
  CHECK(worms[0].tails.front() == 3);
  CHECK(worms[1].heads.front() == 4);
  CHECK(worms[1].finished == worms[0].finished + 4);
}

TEST_CASE("a blocked worm fills as many buffers as it needs, and holds the channels before them") {
  // Channel 5 leads to the last channel, 6, as channels 0 .. 4 do.
  std::vector<ReservedChannel> channels = line(7, channel(4));
  Driver driver(Release::with_tail, channels);
  driver.add(0, {5, 6}, 100);
  driver.add(2, {0, 1, 2, 3, 4, 6}, 10);
  driver.add(20, {0, 1, 2, 3, 4, 6}, 1);
  const auto& worms = driver.run();
  const Cycle free = worms[0].tails[1] + 1;
  CHECK(worms[1].heads[5] == free);
  // Ten flits fill two buffers and a half: the tail is held up in the third buffer from the last,
  // so that the worm has left channels 0 to 2, and holds 3 and 4.
  CHECK(worms[1].tails[2] == 2 + 2 + 9);
  CHECK(worms[1].tails[3] > free);
  CHECK(worms[1].tails[4] > free);
  CHECK(worms[2].heads[2] < free);
  CHECK(worms[2].heads[3] > worms[1].tails[3]);
}

TEST_CASE("worms that wait for a channel get it first come, first served") {
  std::vector<ReservedChannel> channels = line(5, channel(8));
  Driver driver(Release::with_tail, channels);
  driver.add(0, {0, 4}, 20);
  driver.add(5, {2, 4}, 3);
  driver.add(4, {1, 4}, 3);
  driver.add(6, {3, 4}, 3);
  const auto& worms = driver.run();
  CHECK(worms[2].heads[1] == worms[0].tails[1] + 1);
  CHECK(worms[1].heads[1] == worms[2].tails[1] + 1);
  CHECK(worms[3].heads[1] == worms[1].tails[1] + 1);
}

TEST_CASE("worms on virtual channels of one channel take turns") {
  Driver driver(Release::with_tail, line(4, channel(32, 2)));
  driver.add(0, {0, 2, 3}, 8);
  driver.add(0, {1, 2, 3}, 8);
  const auto& worms = driver.run();
  // 16 flits cross channel 2 one after the other, from cycle 1 on.
  const Cycle last = std::max(worms[0].tails[1], worms[1].tails[1]);
  CHECK(last == 1 + 15);
  // Neither waits for the whole of the other.
  CHECK(std::min(worms[0].tails[1], worms[1].tails[1]) >= 1 + 13);
}

TEST_CASE("worms of any length on virtual channels share the rate of their channel") {
  // Channels 0 and 1 lead to channel 2, which has two virtual channels.
  std::vector<ReservedChannel> channels{channel(4), channel(4), channel(4, 2)};
  channels.back().last = true;
  const std::int64_t first = 200;
  const std::vector<std::int64_t> others =
      GENERATE(as<std::vector<std::int64_t>>{}, std::vector<std::int64_t>{200},
               std::vector<std::int64_t>{300}, std::vector<std::int64_t>{40, 50, 60},
               std::vector<std::int64_t>(60, 3), std::vector<std::int64_t>(170, 1));
  Driver driver(Release::with_tail, channels);
  driver.add(0, {0, 2}, first);
  std::int64_t flits = first;
  for (const std::int64_t length : others) {
    driver.add(0, {1, 2}, length);
    flits += length;
  }

  Cycle begin = INT64_MAX;
  Cycle end = 0;
  for (const Driver::Journey& journey : driver.run()) {
    begin = std::min(begin, journey.heads[1]);
    end = std::max(end, journey.tails[1]);
  }
  CAPTURE(others.size(), others.front());
  CHECK(end - begin + 1 >= flits);
  CHECK(end - begin + 1 <= flits + flits / 20);
}

TEST_CASE("the flits behind the head of a held path depart one stage after the other") {
  const int vcs = GENERATE(1, 2);
  const Cycle gap = GENERATE(1, 3);
  const std::int64_t length = GENERATE(2, 20, 30, 60, 200);
  CAPTURE(vcs, gap, length);
  ReservedChannel of = channel(300, vcs);
  of.times.passage = gap - 1;
  of.times.gap = gap;
  Driver driver(Release::with_tail, line(3, of));
  driver.add(0, whole(3), length, 10);
  const auto& worm = driver.run().front();
  const Cycle arrived = worm.heads.back() + 1;
  // The source sends a flit in each cycle, a router one in each `gap` cycles.
  CHECK(worm.tails[0] == arrived + 1 + 10 + (length - 2));
  CHECK(worm.tails[1] == arrived + 1 + 10 + gap + (length - 2) * gap);
  CHECK(worm.tails[2] == worm.tails[1] + gap);
}

TEST_CASE("the flits behind the heads of held paths share the rate of their channel") {
  // Channels 0 to 3 lead to channel 4, which has four virtual channels.
  std::vector<ReservedChannel> channels(4, channel(4));
  channels.push_back(channel(4, 4));
  channels.back().last = true;
  const std::int64_t length = GENERATE(2, 15, 40, 200);
  const int held = GENERATE(2, 3, 4);
  CAPTURE(length, held);
  constexpr Cycle hold = 10;
  Driver driver(Release::with_tail, channels);
  for (int i = 0; i < 4; ++i) driver.add(0, {i, 4}, length, i < held ? hold : -1);

  Cycle begin = INT64_MAX;
  Cycle end = 0;
  std::set<Cycle> heads;
  for (const Driver::Journey& journey : driver.run()) {
    heads.insert(journey.heads[1]);
    if (journey.hold < 0) continue;
    // The head has arrived, a cycle later the path is held, and the next flit crosses channel 0.
    begin = std::min(begin, journey.heads[1] + 1 + 1 + hold + 1);
    end = std::max(end, journey.tails[1]);
  }
  CHECK(heads.size() == 4);  // no two in one cycle
  const std::int64_t flits = held * (length - 1);
  CHECK(end - begin + 1 >= flits);
  const std::int64_t others = (4 - held) * length;
  CHECK(end - begin + 1 <= flits + others + (flits + others) / 10 + 4);
}

TEST_CASE("two worms take turns once, and not again on the channels that follow") {
  std::vector<ReservedChannel> channels = line(7, channel(8, 2));
  Driver driver(Release::with_tail, channels);
  driver.add(0, {0, 2, 3, 4, 5, 6}, 4);
  driver.add(0, {1, 2, 3, 4, 5, 6}, 4);
  const auto& worms = driver.run();
  const Cycle last = std::max(worms[0].tails[1], worms[1].tails[1]);
  CHECK(std::max(worms[0].finished, worms[1].finished) == last + 4 + 1);
}

TEST_CASE("two worms that are longer than the buffers share a channel until all have passed") {
  // Channels 0 and 1 lead to channel 2.
  const std::int64_t length = GENERATE(8, 16, 32);
  const Cycle later = GENERATE(0, 1, 3);
  CAPTURE(length, later);
  Driver driver(Release::with_tail, line(4, channel(4, 2)));
  driver.add(0, {0, 2, 3}, length);
  driver.add(later, {1, 2, 3}, length);
  const auto& worms = driver.run();
  const Cycle begin = std::min(worms[0].heads[1], worms[1].heads[1]);
  const Cycle end = std::max(worms[0].tails[1], worms[1].tails[1]);
  CHECK(end - begin + 1 == 2 * length);
}

TEST_CASE("a short worm does not wait for all of a long one with the same input and output") {
  // Channels 0 and 1 lead to channel 2, and that to channel 3.
  Driver driver(Release::with_tail, line(5, channel(4, 2)));
  driver.add(0, {0, 2, 3, 4}, 4);
  driver.add(0, {1, 2, 3, 4}, 40);
  const auto& worms = driver.run();
  CHECK(worms[0].tails[2] - worms[0].heads[2] <= 8);
  CHECK(worms[1].tails[2] - worms[1].heads[2] + 1 >= 40);
}

TEST_CASE("a held path is kept until the head has arrived, and for its time") {
  Driver driver(Release::with_tail, line(3, channel(8)));
  driver.add(0, whole(3), 4, 10);
  const auto& worm = driver.run().front();
  const Cycle arrived = worm.heads.back() + 1;
  CHECK(worm.tails.front() == arrived + 1 + 10 + 2);
  CHECK(worm.finished == worm.tails.front() + 3);
}

TEST_CASE("worms that wait for each other in a cycle are blocked") {
  std::vector<ReservedChannel> channels = line(3, channel(1));
  Driver driver(Release::with_tail, channels);
  driver.add(0, {0, 1, 2}, 10);
  driver.add(0, {1, 0, 2}, 10);
  driver.run();
  CHECK(driver.is_blocked());
}

TEST_CASE("no channel carries two flits in a cycle, and no virtual channel two worms",
          "[reservation]") {
  Random random(7, "reservations");
  const auto draw = [&random](int least, int greatest) {
    return least + static_cast<int>(random.below(static_cast<std::uint64_t>(greatest - least + 1)));
  };
  for (int round = 0; round < 200; ++round) {
    const int channels = draw(4, 10);
    ReservedChannel of = channel(draw(1, 6), 1);
    of.times = {draw(1, 3), draw(0, 2), draw(0, 2), 1, draw(1, 3)};
    Driver driver(Release::with_tail, line(channels, of));
    for (int worm = draw(2, 20); worm > 0; --worm) {
      std::vector<int> route;  // ascending, so that no worms wait in a cycle
      for (int i = 0; i + 1 < channels; ++i)
        if (draw(0, 1) == 1) route.push_back(i);
      route.push_back(channels - 1);
      driver.add(draw(0, 60), route, draw(1, 12));
    }
    const auto& worms = driver.run();
    std::map<int, std::vector<std::pair<Cycle, Cycle>>> uses;
    for (const auto& worm : worms) {
      REQUIRE(worm.finished > 0);
      for (std::size_t hop = 0; hop < worm.route.size(); ++hop) {
        CHECK(worm.tails[hop] - worm.heads[hop] >= worm.length - 1);
        uses[worm.route[hop]].emplace_back(worm.heads[hop], worm.tails[hop]);
      }
    }
    for (auto& [number, times] : uses) {
      std::sort(times.begin(), times.end());
      for (std::size_t i = 1; i < times.size(); ++i) CHECK(times[i].first > times[i - 1].second);
    }
  }
}

}  // namespace reservations_test
