// testbenches/tests/timed/routers/closed_form_test.cpp: latency and rate against the closed forms.
// SPDX-License-Identifier: Apache-2.0
#include "routers/input_queued/closed_form.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "configs/random.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace closed_form_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

constexpr int depth_step = instrumented ? 4 : 1;  // of buffers

struct Setting {
  PipelineTiming timing;
  ChannelParams channel;

  std::string channel_text() const {
    return fmt::format("{{latency: {} cycle, vcs: {}, buffer: {} flit, handshake: {}}}",
                       channel.latency.count, channel.vcs, channel.buffer.count,
                       names_of(Handshake{})[static_cast<std::size_t>(channel.handshake)]);
  }
  std::string router_text() const {
    return fmt::format(
        "{{kind: wormhole, route_delay: {} cycle, vc_delay: {} cycle, switch_delay: {} cycle, "
        "traversal_delay: {} cycle}}",
        timing.route, timing.vc, timing.passage, timing.traversal);
  }
  Scenario on(const std::string& shape) const {
    return uniform_traffic(
        {{"topology.shape", shape}, {"channel", channel_text()}, {"router", router_text()}});
  }
};

Setting random_setting(Random& random) {
  const auto draw = [&random](int least, int greatest) {
    return least + static_cast<int>(random.below(static_cast<std::uint64_t>(greatest - least + 1)));
  };
  Setting setting;
  setting.timing = {draw(0, 2), draw(0, 2), draw(0, 2), draw(0, 2)};
  setting.channel.latency = Cycles{draw(1, 3)};
  setting.channel.vcs = draw(1, 4);
  setting.channel.buffer = Flits{draw(1, 8)};
  setting.channel.handshake = draw(0, 1) == 0 ? Handshake::credit : Handshake::ready_valid;
  return setting;
}

}  // namespace

TEST_CASE(
    "every packet alone in an 8x8 mesh takes the closed form's time, between every pair of nodes",
    "[timed]") {
  Random random(11, "closed form");
  const int number = GENERATE(range(0, instrumented ? 2 : 10));
  Setting setting = random_setting(random);
  for (int i = 0; i < number; ++i) setting = random_setting(random);
  const std::int64_t flits = 1 + static_cast<std::int64_t>(random.below(20));
  const Grid grid({8, 8}, {false, false});
  const ClosedForm form(setting.timing, setting.channel);
  std::vector<Shot> shots;
  Cycle at = 1;
  for (int from = 0; from < 64; ++from)
    for (int to = 0; to < 64; ++to) {
      if (from == to) continue;
      shots.push_back({at, NodeId(from), NodeId(to), flits});
      at += form.packet_latency(14, flits) + 20;
    }

  const Results results = shoot(setting.on("[8, 8]"), shots);

  INFO(setting.channel_text() << " " << setting.router_text() << " flits " << flits);
  REQUIRE(results.outcome == Outcome::complete);
  const Table& table = results.table("packets");
  REQUIRE(table.rows.size() == shots.size());
  const int wrong = packets_off(results, shots, [&](const Shot& shot) {
    return form.packet_latency(grid.distance(shot.from, shot.to), flits);
  });
  REQUIRE(wrong == 0);
}

TEST_CASE("a long packet reaches the peak rate of a virtual channel at every buffer depth",
          "[timed]") {
  const auto handshake = GENERATE(Handshake::credit, Handshake::ready_valid);
  const int latency = GENERATE(1, 2, 3);
  const int delay = GENERATE(0, 1);
  Setting setting;
  setting.timing = {delay, delay, delay, delay};
  setting.channel.handshake = handshake;
  setting.channel.latency = Cycles{latency};
  const Cycle round_trip = ClosedForm(setting.timing, setting.channel).round_trip();
  for (int depth = 1; depth <= round_trip + 2; depth += depth_step) {
    setting.channel.buffer = Flits{depth};
    const ClosedForm form(setting.timing, setting.channel);
    constexpr std::int64_t flits = 3000;

    const Results results = shoot(setting.on("[3, 1]"), {{1, NodeId(0), NodeId(2), flits}});

    INFO(setting.channel_text() << " round trip " << round_trip);
    REQUIRE(results.outcome == Outcome::complete);
    const double took = results.value("latency.max") - results.value("latency.head.max");
    const double rate = static_cast<double>(flits - 1) / took;
    REQUIRE(rate == Approx(form.vc_rate()).epsilon(0.002));
  }
}

TEST_CASE("several long packets share a channel up to its peak rate", "[timed]") {
  const auto handshake = GENERATE(Handshake::credit, Handshake::ready_valid);
  const int latency = GENERATE(1, 2, 3);
  const int vcs = GENERATE(2, 3, 4);
  const PipelineTiming timing = GENERATE(PipelineTiming{}, PipelineTiming{1, 1, 2, 1});
  Setting setting;
  setting.timing = timing;
  setting.channel.handshake = handshake;
  setting.channel.latency = Cycles{latency};
  setting.channel.vcs = vcs;
  const Cycle round_trip = ClosedForm(setting.timing, setting.channel).round_trip();
  for (int depth = 1; depth <= round_trip + 2; depth += depth_step) {
    setting.channel.buffer = Flits{depth};
    const ClosedForm form(setting.timing, setting.channel);
    constexpr int flits = 1200;
    // One packet per virtual channel, each on its own injection channel.
    std::vector<Shot> shots;
    for (int i = 0; i < vcs; ++i) shots.push_back({1, NodeId(0), NodeId(1), flits});

    const Results results =
        shoot(setting.on("[2, 1]").with("node.ports", std::to_string(vcs)), shots);

    INFO(setting.channel_text() << " round trip " << round_trip);
    REQUIRE(results.outcome == Outcome::complete);
    const auto ejected = column(results.table("packets"), "ejected");
    const double last = *std::max_element(ejected.begin(), ejected.end());
    const double rate = vcs * flits / last;
    REQUIRE(rate == Approx(form.channel_rate()).epsilon(0.02));
  }
}

TEST_CASE("a message alone takes send overhead, closed form and receive overhead, to the cycle",
          "[timed]") {
  const auto [send, receive] = GENERATE(table<int, int>({{0, 0}, {7, 0}, {0, 5}, {13, 40}}));
  const auto overhead = GENERATE(as<std::string>{}, "serialized", "overlapped");
  Setting setting;
  setting.timing = {1, 1, 1, 1};
  const ClosedForm form(setting.timing, setting.channel);
  const Scenario scenario =
      setting.on("[5, 4]")
          .without("traffic")
          .with("node", fmt::format("{{send_overhead: {} cycle, receive_overhead: {} cycle, "
                                    "overhead: {}}}",
                                    send, receive, overhead))
          .with("operation", "{kind: unicast, source: [0, 0], destination: [4, 3], message: 37 B}");

  const Results results = simulate(scenario);

  REQUIRE(results.outcome == Outcome::complete);
  const Cycle expected = send + form.packet_latency(7, 37) + receive;
  REQUIRE(results.value("collective.max") == static_cast<double>(expected));
}

}  // namespace closed_form_test
