// testbenches/tests/timed/routers/stages_test.cpp: clocked stages, allocators and delayed credits.
// SPDX-License-Identifier: Apache-2.0
#include "routers/parts/stages.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "configs/random.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace stages_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

Allocator square(AllocatorKind kind, int size, int iterations = 1) {
  return {{kind, iterations, Arbitration::round_robin}, size, size, 1, "test", 0};
}

using Pairs = std::vector<std::pair<int, int>>;

/// The matching of all these requests; those in `urgent` have priority 1, the others 0.
Pairs matched(Allocator& allocator, int size, const Pairs& requests, const Pairs& urgent = {}) {
  allocator.clear();
  for (const auto& [input, output] : requests) allocator.request(input, output, 0, {});
  for (const auto& [input, output] : urgent) allocator.request(input, output, 1, {});
  allocator.allocate();
  Pairs pairs;
  for (int input = 0; input < size; ++input)
    if (allocator.output_of(input) >= 0) pairs.emplace_back(input, allocator.output_of(input));
  return pairs;
}

}  // namespace

TEST_CASE("an input-first allocator matches one input when all inputs select the same output",
          "[timed]") {
  Allocator allocator = square(AllocatorKind::separable_input_first, 3);
  const Pairs all{{0, 0}, {0, 1}, {1, 0}, {1, 1}};

  // Both inputs select output 0, which grants input 0; only the arbiters of the match advance.
  REQUIRE(matched(allocator, 3, all) == Pairs{{0, 0}});
  REQUIRE(matched(allocator, 3, all) == Pairs{{0, 1}, {1, 0}});
}

TEST_CASE("an output-first allocator matches one output when all outputs grant the same input",
          "[timed]") {
  const auto kind = GENERATE(AllocatorKind::separable_output_first, AllocatorKind::islip);
  Allocator allocator = square(kind, 3);
  const Pairs some{{0, 0}, {0, 1}, {1, 1}};

  // Both outputs grant input 0, which accepts output 0; output 1 still prefers input 0.
  REQUIRE(matched(allocator, 3, some) == Pairs{{0, 0}});
  REQUIRE(matched(allocator, 3, some) == Pairs{{0, 1}});
}

TEST_CASE("a second iteration matches what the first left unmatched", "[timed]") {
  const auto kind = GENERATE(AllocatorKind::separable_input_first,
                             AllocatorKind::separable_output_first, AllocatorKind::islip);
  Allocator once = square(kind, 3, 1);
  Allocator twice = square(kind, 3, 2);
  const Pairs all{{0, 0}, {0, 1}, {1, 0}, {1, 1}};

  REQUIRE(matched(once, 3, all).size() == 1);
  REQUIRE(matched(twice, 3, all) == Pairs{{0, 0}, {1, 1}});
}

TEST_CASE("requests of higher priority are granted first, except by islip", "[timed]") {
  const auto kind = GENERATE(AllocatorKind::separable_input_first,
                             AllocatorKind::separable_output_first, AllocatorKind::islip);
  Allocator allocator = square(kind, 2);

  const Pairs pairs = matched(allocator, 2, {{0, 0}}, {{1, 0}});

  REQUIRE(pairs == (kind == AllocatorKind::islip ? Pairs{{0, 0}} : Pairs{{1, 0}}));
}

namespace {

/// A router with clocked stages, or none, in all its settings.
struct Setting {
  StageRule stages;
  bool clocked = true;
  int traversal = 0;
  ChannelParams channel;

  PipelineTiming timing() const {
    if (clocked) return stages.timing(traversal);
    return {stages.route, stages.vc, stages.passage, traversal};
  }
  ClosedForm form() const { return {timing(), channel}; }
  std::string text() const {
    return fmt::format(
        "{{kind: wormhole, stages: {}, allocator: {}, iterations: {}, speculative: {}, "
        "route_delay: {} cycle, vc_delay: {} cycle, switch_delay: {} cycle, "
        "traversal_delay: {} cycle}}",
        clocked ? "clocked" : "merged",
        names_of(AllocatorKind{})[static_cast<std::size_t>(stages.allocator.kind)],
        stages.allocator.iterations, stages.speculative, stages.route, stages.vc, stages.passage,
        traversal);
  }
  Scenario on(const std::string& shape) const {
    return uniform_traffic(
        {{"topology.shape", shape},
         {"router", text()},
         {"channel", fmt::format("{{latency: {} cycle, vcs: {}, buffer: {} flit, "
                                 "credit_delay: {} cycle}}",
                                 channel.latency.count, channel.vcs, channel.buffer.count,
                                 channel.credit_delay.count)}});
  }
};

Setting random_setting(Random& random) {
  const auto draw = [&random](int least, int greatest) {
    return least + static_cast<int>(random.below(static_cast<std::uint64_t>(greatest - least + 1)));
  };
  Setting setting;
  setting.clocked = draw(0, 3) > 0;
  const int least = setting.clocked ? 1 : 0;
  setting.stages.route = draw(0, 2);
  setting.stages.vc = draw(least, 2);
  setting.stages.passage = draw(least, 2);
  if (setting.clocked) {
    setting.stages.speculative = draw(0, 1) == 1;
    setting.stages.allocator.kind = static_cast<AllocatorKind>(draw(0, 2));
    setting.stages.allocator.iterations = draw(1, 2);
  }
  setting.traversal = draw(0, 2);
  setting.channel.latency = Cycles{draw(1, 2)};
  setting.channel.vcs = draw(1, 4);
  setting.channel.buffer = Flits{draw(1, 6)};
  setting.channel.credit_delay = Cycles{draw(0, 3)};
  return setting;
}

Setting numbered_setting(int number) {
  Random random(31, "stages", static_cast<std::uint64_t>(number));
  return random_setting(random);
}

}  // namespace

TEST_CASE("packets alone in the network pass clocked stages in the closed form's time", "[timed]") {
  const Setting setting = numbered_setting(GENERATE(range(0, 16)));
  const Grid grid({5, 3}, {false, false});
  const bool single = setting.timing().clocked && setting.stages.passage > 1;
  const std::int64_t flits = single ? 1 : 7;
  const ClosedForm form = setting.form();
  std::vector<Shot> shots;
  Cycle at = 1;
  for (int from = 0; from < 15; ++from)
    for (int to = 0; to < 15; ++to) {
      if (from == to) continue;
      shots.push_back({at, NodeId(from), NodeId(to), flits});
      at += form.packet_latency(6, flits) + 20;
    }

  const Results results = shoot(setting.on("[5, 3]"), shots);

  INFO(setting.text() << " buffer " << setting.channel.buffer.count);
  REQUIRE(results.outcome == Outcome::complete);
  const auto created = column(results.table("packets"), "created");
  const auto ejected = column(results.table("packets"), "ejected");
  REQUIRE(created.size() == shots.size());
  for (std::size_t i = 0; i < shots.size(); ++i)
    REQUIRE(ejected[i] - created[i] == static_cast<double>(form.packet_latency(
                                           grid.distance(shots[i].from, shots[i].to), flits)));
}

TEST_CASE("consecutive packets on one virtual channel leave at the closed form's rate", "[timed]") {
  const int number = GENERATE(range(100, 140));
  if (left_out(number, 4)) return;
  Setting setting = numbered_setting(number);
  const auto flits = GENERATE(as<std::int64_t>{}, 1, 2, 3);
  setting.channel.vcs = 1;
  setting.channel.buffer.count *= flits;
  constexpr int packets = 400;
  const std::vector<Shot> shots(packets, Shot{1, NodeId(0), NodeId(3), flits});

  const Results results = shoot(setting.on("[4, 1]"), shots, 20000);

  INFO(setting.text() << " channel of latency " << setting.channel.latency.count << ", buffer "
                      << setting.channel.buffer.count << ", credit delay "
                      << setting.channel.credit_delay.count << ", packets of " << flits);
  REQUIRE(results.outcome == Outcome::complete);
  const auto ejected = column(results.table("packets"), "ejected");
  // The first packets find empty buffers.
  const double took = ejected.back() - ejected[100];
  const double rate = (packets - 101) * static_cast<double>(flits) / took;
  const double formula = setting.form().vc_packet_rate(flits);
  // Speculative requests that cannot succeed keep a stage of several cycles busy, so flits may just
  // miss it.
  const bool may_miss = setting.stages.speculative && setting.stages.passage > 1;
  REQUIRE(rate <= formula * 1.01);
  REQUIRE(rate >= formula * (may_miss ? 0.7 : 0.99));
}

TEST_CASE("clocked stages drive the same wires whatever the scheduling and build order",
          "[timed]") {
  const int number = GENERATE(range(200, 210));
  if (left_out(number, 4)) return;
  Setting setting = numbered_setting(number);
  setting.clocked = true;
  setting.stages.vc = std::max(1, setting.stages.vc);
  setting.stages.passage = std::max(1, setting.stages.passage);
  const auto arbitration = GENERATE(as<std::string>{}, "round_robin", "oldest_packet", "random");
  const Scenario scenario = setting.on("[4, 3]")
                                .with("traffic.rate", "0.5 flit/node/cycle")
                                .with("traffic.drain", "0 cycle")
                                .with("router.arbitration", arbitration);

  const Results batched = simulate(scenario);
  const Results per_module = simulate(scenario.with("clock.scheduling", "per_module"));
  const Results reversed = simulate(scenario.with("build_order", "reversed"));

  INFO(setting.text() << " " << batched.message);
  REQUIRE(batched.outcome == Outcome::complete);
  REQUIRE(batched.value("transits") > 1000);
  REQUIRE(per_module.fingerprint == batched.fingerprint);
  REQUIRE(reversed.fingerprint == batched.fingerprint);
}

TEST_CASE("clocked stages support whole packets, bubbles, escapes and both handshakes", "[timed]") {
  const auto& [key, value] =
      GENERATE(table<std::string, std::string>({{"router.kind", "virtual_cut_through"},
                                                {"router.kind", "store_and_forward"},
                                                {"channel.handshake", "ready_valid"},
                                                {"routing", "{kind: duato}"},
                                                {"routing", "{kind: west_first}"},
                                                {"router.speculative", "false"}}));
  const Scenario scenario =
      uniform_traffic({{"channel", "{vcs: 2, buffer: 8 flit}"},
                       {"router",
                        "{kind: wormhole, stages: clocked, speculative: true, "
                        "vc_reallocation: atomic}"},
                       {"traffic.rate", "0.3 flit/node/cycle"},
                       {"node.ports", "2"}});

  const Scenario changed =
      key == "channel.handshake" ? scenario.with("router.vc_reallocation", "non_atomic") : scenario;
  const Results results = simulate(changed.with(key, value));

  INFO(key << " " << value << " " << results.message);
  REQUIRE(results.outcome == Outcome::complete);
  REQUIRE(results.value("packets") > 500);
}

TEST_CASE("a bubble keeps a ring of clocked routers from deadlock", "[timed]") {
  const Results results = simulate(
      uniform_traffic({{"topology", "{kind: torus, shape: [4, 4]}"},
                       {"routing", "{kind: dimension_order, vc_rule: none}"},
                       {"channel", "{vcs: 1, buffer: 8 flit}"},
                       {"router", "{kind: virtual_cut_through, stages: clocked, torus: bubble}"},
                       {"traffic.rate", "1 flit/node/cycle"},
                       {"traffic.drain", "0 cycle"}}));

  INFO(results.message);
  REQUIRE(results.outcome == Outcome::complete);
}

TEST_CASE("speculation saves heads a cycle and assigns no channel twice", "[timed]") {
  const auto latency = [](const char* speculative, const char* rate) {
    const Results results =
        simulate(uniform_traffic({{"topology.shape", "[6, 6]"},
                                  {"channel", "{vcs: 2, buffer: 8 flit}"},
                                  {"router", "{kind: wormhole, stages: clocked, speculative: " +
                                                 std::string(speculative) + "}"},
                                  {"traffic.rate", std::string(rate) + " flit/node/cycle"},
                                  {"traffic.measure", "4000 cycle"}}));
    REQUIRE(results.outcome == Outcome::complete);
    return results.value("latency.mean");
  };

  // One cycle per router: 5 on average, and fewer when other packets contend.
  const double saved_idle = latency("false", "0.01") - latency("true", "0.01");
  const double saved_busy = latency("false", "0.3") - latency("true", "0.3");
  REQUIRE(saved_idle == Approx(5).margin(0.3));
  REQUIRE(saved_busy > 2);
}

}  // namespace stages_test
