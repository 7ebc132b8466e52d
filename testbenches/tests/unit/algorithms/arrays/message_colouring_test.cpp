// testbenches/tests/unit/algorithms/arrays/message_colouring_test.cpp: colouring assigns slots to
// any messages.
// SPDX-License-Identifier: Apache-2.0
// Links no SystemC.
#include "algorithms/arrays/message_colouring.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "algorithms/arrays/cyclic_messages.hpp"
#include "algorithms/arrays/sections/schedule_time.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/unit/algorithms/arrays/array_checks.hpp"
#include "testbenches/tests/unit/algorithms/arrays/array_draws.hpp"
#include "testbenches/tests/unit/algorithms/arrays/array_text.hpp"

namespace message_colouring_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

/// The largest number of messages of one channel, sender or receiver.
int brute_heaviest(const std::vector<MeshMessage>& messages, RouteOrder order) {
  std::map<BruteChannel, int> channels;
  std::map<MeshPlace, int> senders;
  std::map<MeshPlace, int> receivers;
  int most = 0;
  for (const MeshMessage& message : messages) {
    if (message.from == message.to) continue;
    most = std::max({most, ++senders[message.from], ++receivers[message.to]});
    for (const BruteChannel& channel : brute_route(message.from, message.to, order))
      most = std::max(most, ++channels[channel]);
  }
  return most;
}

/// Two messages of a slot that share a channel, sender or receiver; a message without a slot. "" if
/// there are none.
std::string fault_of_colouring(const std::vector<MeshMessage>& messages,
                               const MessageColouring& colouring, RouteOrder order) {
  std::set<std::pair<int, BruteChannel>> channels;
  std::set<std::pair<int, MeshPlace>> senders;
  std::set<std::pair<int, MeshPlace>> receivers;
  std::set<int> used;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const MeshMessage& message = messages[i];
    const int slot = colouring.slots.at(i);
    if ((slot < 0) != (message.from == message.to)) return "a message has no slot, or needs none";
    if (slot < 0) continue;
    used.insert(slot);
    if (!senders.emplace(slot, message.from).second) return "a sender sends twice";
    if (!receivers.emplace(slot, message.to).second) return "a receiver receives twice";
    for (const BruteChannel& channel : brute_route(message.from, message.to, order))
      if (!channels.emplace(slot, channel).second) return "a channel is used twice";
  }
  if (static_cast<int>(used.size()) != colouring.count) return "a slot is empty";
  return "";
}

std::vector<MeshMessage> random_messages(CaseDraw& draw) {
  const int rows = draw.between(1, 6);
  const int columns = draw.between(1, 6);
  std::vector<MeshMessage> messages;
  for (int i = draw.below(80); i > 0; --i)
    messages.push_back({{draw.below(rows), draw.below(columns)},
                        {draw.below(rows), draw.below(columns)},
                        draw.between(1, 9)});
  return messages;
}

RouteOrder order_of(int i) { return i % 2 == 0 ? RouteOrder::row_first : RouteOrder::column_first; }

}  // namespace

TEST_CASE("messages of one colour share no channel, sender or receiver", "[arrays]") {
  CaseDraw draw(31);
  int at_bound = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::vector<MeshMessage> messages = random_messages(draw);
    const MessageColouring colouring = colour_messages(messages, order_of(i));
    REQUIRE(fault_of_colouring(messages, colouring, order_of(i)) == "");
    REQUIRE(colouring.bound == brute_heaviest(messages, order_of(i)));
    REQUIRE(colouring.count >= colouring.bound);
    at_bound += colouring.count == colouring.bound;
  }
  REQUIRE(at_bound > 500);
}

TEST_CASE("further rounds of colouring never increase the number of slots", "[arrays]") {
  CaseDraw draw(32);
  int fewer = 0;
  for (int i = 0; i < 300; ++i) {
    const std::vector<MeshMessage> messages = random_messages(draw);
    const int once = colour_messages(messages, RouteOrder::row_first, 0).count;
    const int often = colour_messages(messages, RouteOrder::row_first, 20).count;
    REQUIRE(often <= once);
    fewer += often < once;
  }
  REQUIRE(fewer > 0);
}

TEST_CASE(
    "a chain of three messages needs two slots, and a message that crosses it fits in one of them",
    "[arrays]") {
  const std::vector<MeshMessage> messages{{{1, 0}, {1, 2}, 4},
                                          {{1, 1}, {1, 3}, 2},
                                          {{1, 2}, {1, 4}, 1},
                                          {{0, 2}, {2, 2}, 3},
                                          {{0, 0}, {0, 0}, 9}};
  const MessageColouring colouring = colour_messages(messages, RouteOrder::row_first);
  REQUIRE(colouring.count == 2);
  REQUIRE(colouring.slots[0] == colouring.slots[2]);
  REQUIRE(colouring.slots[0] != colouring.slots[1]);
  REQUIRE(colouring.slots[4] == -1);
  // One slot contains the message of 4 elements; the other one that of 2 and possibly that of 3.
  const std::int64_t with_three = colouring.slots[3] == colouring.slots[1] ? 3 : 2;
  REQUIRE(coloured_time(messages, colouring, 10, 1) == 20 + 4 + with_three);
}

TEST_CASE("an empty set of messages takes no slot", "[arrays]") {
  REQUIRE(colour_messages({}, RouteOrder::row_first).count == 0);
  REQUIRE(colour_messages({{{2, 2}, {2, 2}, 1}}, RouteOrder::row_first).count == 0);
}

TEST_CASE("coloured schedules deliver every element in any alignment", "[arrays]") {
  CaseDraw draw(33);
  for (int i = 0; i < 300; ++i) {
    const ArrayAssignment of{draw.any_axis(14, 9), draw.any_axis(14, 9),
                             static_cast<Alignment>(i % 5), order_of(i)};
    INFO("case " << i << ": " << text_of(of));
    const auto schedule = coloured_schedule(of);
    REQUIRE(fault_of(*schedule) == "");
    REQUIRE(schedule->steps() >= brute_bound(of));
    REQUIRE(slots_of(*schedule).busy.size() == static_cast<std::size_t>(schedule->steps()));
  }
}

TEST_CASE("messages between cyclic distributions are coloured as well", "[arrays]") {
  const CyclicAxis rows{{0, 1, 1, 4}, {15, -1, 3, 3}, 16};
  const CyclicAxis columns{{0, 2, 2, 3}, {1, 1, 4, 4}, 12};
  std::vector<MeshMessage> messages;
  for (const CyclicMessage& message : cyclic_messages(rows, columns))
    messages.push_back({message.from, message.to, message.elements});
  const MessageColouring colouring = colour_messages(messages, RouteOrder::row_first);
  REQUIRE(fault_of_colouring(messages, colouring, RouteOrder::row_first) == "");
  REQUIRE(colouring.count >= colouring.bound);
  REQUIRE(colouring.bound > 8);
}

}  // namespace message_colouring_test
