// testbenches/tests/timed/modules/link_test.cpp: a link has one writer and one reader.
// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <type_traits>

#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/small_network.hpp"

namespace link_test {

using namespace flitwave;

namespace {

/// The error when a second end of a channel's link is requested; its ports have both ends.
std::string second(Handshake handshake, Cycles latency, const std::function<void(Channel&)>& end) {
  return in_child([&] {
    SmallNetworkParams params;
    params.channel.handshake = handshake;
    params.channel.latency = latency;
    SmallNetwork network(params);
    end(*network.netlist().channels().front().channel);
  });
}

}  // namespace

TEST_CASE("the ends of a link are moved, and not copied", "[timed]") {
  STATIC_REQUIRE(std::is_move_assignable_v<Link<Flit>::Writer>);
  STATIC_REQUIRE(std::is_move_assignable_v<Link<VcIndex>::Reader>);
  STATIC_REQUIRE(!std::is_copy_constructible_v<Link<Flit>::Writer>);
  STATIC_REQUIRE(!std::is_copy_constructible_v<Link<Flit>::Reader>);
  STATIC_REQUIRE(!std::is_copy_assignable_v<ReadyWires::Writer>);
  STATIC_REQUIRE(!std::is_copy_assignable_v<ReadyWires::Reader>);
}

TEST_CASE("a link rejects a second writer and a second reader", "[timed]") {
  const Cycles latency = GENERATE(Cycles{1}, Cycles{3});
  const std::string writer = "a link has one writer, and has it already";
  const std::string reader = "a link has one reader, and has it already";
  const auto credit = [&](const auto& end) { return second(Handshake::credit, latency, end); };
  const auto ready = [&](const auto& end) { return second(Handshake::ready_valid, latency, end); };

  CHECK(credit([](Channel& channel) { channel.upstream().forward.writer(); }) == writer);
  CHECK(credit([](Channel& channel) { channel.upstream().forward.reader(); }) == reader);
  CHECK(credit([](Channel& channel) { channel.downstream().forward.writer(); }) == writer);
  CHECK(credit([](Channel& channel) { channel.downstream().forward.reader(); }) == reader);
  CHECK(credit([](Channel& channel) { channel.downstream().back->writer(); }) == writer);
  CHECK(credit([](Channel& channel) { channel.upstream().back->reader(); }) == reader);
  CHECK(ready([](Channel& channel) { channel.downstream().ready->writer(); }) == writer);
  CHECK(ready([](Channel& channel) { channel.upstream().ready->reader(); }) == reader);
}

}  // namespace link_test
