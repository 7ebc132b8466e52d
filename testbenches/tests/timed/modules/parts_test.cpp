// testbenches/tests/timed/modules/parts_test.cpp: the small parts of which modules and routers
// consist.
// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>
#include <vector>

#include "modules/channel/delay_line.hpp"
#include "modules/channel/ready_sender.hpp"
#include "modules/clock/wheel.hpp"
#include "modules/interface/message_port.hpp"
#include "modules/packet/packet_pool.hpp"
#include "modules/signals/active_set.hpp"
#include "modules/signals/flit.hpp"
#include "routers/parts/arbiter.hpp"
#include "testbenches/tests/catch.hpp"

namespace parts_test {

using namespace flitwave;

TEST_CASE("a flit keeps every field up to its greatest value", "[timed]") {
  const Flit flit(NodeId(Flit::max_nodes - 1), Flit::max_slots - 1, Flit::max_length - 1, true,
                  false, Flit::max_vcs - 1);

  REQUIRE(flit.source() == NodeId(Flit::max_nodes - 1));
  REQUIRE(flit.slot() == Flit::max_slots - 1);
  REQUIRE(flit.sequence() == Flit::max_length - 1);
  REQUIRE(flit.vc() == Flit::max_vcs - 1);
  REQUIRE(flit.head());
  REQUIRE_FALSE(flit.tail());
  REQUIRE(flit.on_vc(3).vc() == 3);
  REQUIRE(flit.on_vc(3).on_vc(flit.vc()) == flit);
  REQUIRE(Flit::from_bits(flit.bits()) == flit);
}

TEST_CASE("an active set visits its members in ascending order and keeps the active ones",
          "[timed]") {
  Random random(3, "active set");
  ActiveSet set;
  set.resize(10'000);
  std::set<int> expected;
  for (int round = 0; round < 200; ++round) {
    for (int i = 0; i < 20; ++i) {
      const int index = static_cast<int>(random.below(10'000));
      set.insert(index);
      expected.insert(index);
    }
    std::vector<int> visited;
    set.visit([&](int index) {
      visited.push_back(index);
      return index % 3 == 0;
    });
    REQUIRE(visited == std::vector<int>(expected.begin(), expected.end()));
    for (int index : visited)
      if (index % 3 != 0) expected.erase(index);
    REQUIRE(set.empty() == expected.empty());
  }
}

TEST_CASE("an active set announces a member before the preceding one is visited", "[timed]") {
  ActiveSet set;
  set.resize(200);
  for (int index : {3, 5, 63, 64, 70, 130}) set.insert(index);
  std::vector<std::string> log;

  set.visit(
      [&](int index) {
        log.push_back("visit " + std::to_string(index));
        set.insert(index + 1);  // a member from now on, but not visited in this round
        return false;
      },
      [&](int index) { log.push_back("announce " + std::to_string(index)); });

  REQUIRE(log == std::vector<std::string>{"announce 5", "visit 3", "announce 63", "visit 5",
                                          "visit 63", "announce 70", "visit 64", "visit 70",
                                          "visit 130"});
  std::vector<int> later;
  set.visit([&](int index) {
    later.push_back(index);
    return false;
  });
  REQUIRE(later == std::vector<int>{4, 6, 64, 65, 71, 131});
}

namespace {

struct LoggedSleeper final : Sleeper {
  explicit LoggedSleeper(std::vector<int>& log, int number) : log_(log), number_(number) {}
  void due() override { log_.push_back(number_); }
  std::vector<int>& log_;
  int number_;
};

}  // namespace

TEST_CASE("a wheel wakes each sleeper in the cycle that it registered, near or far", "[timed]") {
  Random random(5, "wheel");
  std::vector<int> log;
  std::vector<LoggedSleeper> sleepers;
  sleepers.reserve(2000);
  std::multimap<Cycle, int> expected;
  Wheel wheel;
  for (int i = 0; i < 2000; ++i) {
    sleepers.emplace_back(log, i);
    const Cycle cycle = 1 + static_cast<Cycle>(random.below(i % 2 == 0 ? 900 : 100'000));
    wheel.add(cycle, sleepers.back());
    expected.emplace(cycle, i);
  }
  while (!expected.empty()) {
    REQUIRE(wheel.next() == expected.begin()->first);
    const Cycle cycle = wheel.next();
    log.clear();
    wheel.advance(cycle);
    const auto [first, last] = expected.equal_range(cycle);
    std::multiset<int> due;
    for (auto entry = first; entry != last; ++entry) due.insert(entry->second);
    REQUIRE(std::multiset<int>(log.begin(), log.end()) == due);
    expected.erase(first, last);
  }
  REQUIRE(wheel.next() == Wheel::never);
}

TEST_CASE("an entry of a delay line leaves it when it is due, in order", "[timed]") {
  DelayLine<int> line;
  std::vector<int> out;
  for (Cycle now = 0; now < 100; ++now) {
    if (now % 3 != 2) line.push(static_cast<int>(now), now + 4);
    if (line.due(now)) {
      REQUIRE(line.front() == now - 4);
      out.push_back(line.front());
      line.pop();
    }
  }
  REQUIRE(out.size() == 64);
}

TEST_CASE("each arbitration rule grants the request that it specifies", "[timed]") {
  const std::vector<Request> requests = {{1, 50, 9}, {2, 40, 20}, {3, 60, 7}};
  const Random stream(1, "test");
  Arbiter fixed(Arbitration::fixed, 4, stream);
  Arbiter first_come(Arbitration::first_come, 4, stream);
  Arbiter oldest(Arbitration::oldest_packet, 4, stream);
  Arbiter robin(Arbitration::round_robin, 4, stream);
  Arbiter dice(Arbitration::random, 4, stream);

  REQUIRE(requests[fixed.pick(requests)].index == 1);
  REQUIRE(requests[first_come.pick(requests)].index == 2);
  REQUIRE(requests[oldest.pick(requests)].index == 3);
  std::vector<int> turns;
  for (int i = 0; i < 6; ++i) {
    turns.push_back(requests[robin.pick(requests)].index);
    robin.served(turns.back());
  }
  REQUIRE(turns == std::vector<int>{1, 2, 3, 1, 2, 3});
  std::set<int> granted;
  for (int i = 0; i < 100; ++i) granted.insert(requests[dice.pick(requests)].index);
  REQUIRE(granted == std::set<int>{1, 2, 3});
}

TEST_CASE("an unused grant does not advance the round robin", "[timed]") {
  Arbiter robin(Arbitration::round_robin, 3, Random(1, "test"));
  const std::vector<Request> requests = {{0, 0, 0}, {1, 0, 0}};

  const auto first = requests[robin.pick(requests)].index;
  const auto again = requests[robin.pick(requests)].index;
  robin.served(again);
  const auto next = requests[robin.pick(requests)].index;

  REQUIRE(first == again);
  REQUIRE(next != again);
}

TEST_CASE("a released slot is reused only in a later cycle, lowest first", "[timed]") {
  PacketPool pool(2);
  Packet packet;
  packet.header.source = NodeId(1);
  const auto flit = [](int slot) { return Flit(NodeId(1), slot, 0, true, true, 0); };

  for (int slot = 0; slot < 4; ++slot) REQUIRE(pool.add(packet, 1) == slot);
  pool.release(flit(2), 5);
  pool.release(flit(0), 5);

  REQUIRE(pool.add(packet, 5) == 4);
  REQUIRE(pool.add(packet, 6) == 0);
  REQUIRE(pool.add(packet, 6) == 2);
  REQUIRE(pool.add(packet, 6) == 5);
  REQUIRE(pool.packet(flit(5)).number == 7);
  REQUIRE(pool.in_network() == 6);
}

TEST_CASE("a full virtual channel does not block the offers of another one", "[timed]") {
  ReadySender sender(2, 1);
  sender.push(Flit(NodeId(0), 0, 0, true, true, 0), 0);
  sender.push(Flit(NodeId(0), 1, 0, true, true, 1), 0);

  // Virtual channel 0 is not ready; 1 is ready, so its flit is offered and taken.
  sender.complete(0b10, 1);
  REQUIRE(sender.choose(0b10, 1));
  REQUIRE(sender.offer().vc() == 1);
  REQUIRE(sender.complete(0b10, 2));
  REQUIRE(sender.has_room(1));
  // Only the flit of virtual channel 0 is left; it waits on the wires.
  REQUIRE(sender.choose(0b10, 2));
  REQUIRE(sender.offer().vc() == 0);
  REQUIRE_FALSE(sender.complete(0b10, 3));
  REQUIRE(sender.choose(0b11, 3));
  REQUIRE(sender.complete(0b11, 4));
  REQUIRE(sender.empty());
}

TEST_CASE("a message consists of at least one packet", "[timed]") {
  REQUIRE(PacketLengths().size() == 1);
  REQUIRE(PacketLengths().sum() == 1);
  REQUIRE(PacketLengths(std::vector<std::int64_t>{4, 3}).sum() == 7);
  REQUIRE_THROWS_AS(PacketLengths(std::vector<std::int64_t>{}), ModelError);
}

}  // namespace parts_test
