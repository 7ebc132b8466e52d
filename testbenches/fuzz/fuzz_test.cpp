// testbenches/fuzz/fuzz_test.cpp: random networks move every flit as the reference does.
// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>

#include "testbenches/fuzz/campaign.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"

namespace fuzz_test {

using namespace flitwave;
using namespace flitwave::fuzz;

namespace {

CampaignParams params_for(std::int64_t count) {
  CampaignParams params;
  params.count = count;
  params.tries = 0;
  return params;
}

std::string text_of(const std::vector<Failure>& failures) {
  std::string text;
  for (const Failure& failure : failures)
    text += scenario_of(draw_case(1, failure.number)).tree().to_yaml() + failure.difference + "\n";
  return text;
}

}  // namespace

TEST_CASE("every packet of every scenario takes the same cycles in network and reference",
          "[fuzz]") {
  const int times = test::instrumented ? 1 : 5;
  CampaignParams params = params_for(cases_for(times));
  params.jobs = 2;

  const CampaignResult result = run_campaign(params, {});

  INFO(text_of(result.failures));
  CHECK(result.failures.empty());
  CHECK(result.coverage.cases() >= 60 * times);
  INFO(result.coverage.table() << result.coverage.summary());
  CHECK(result.coverage.least() >= times);
  CHECK(result.coverage.blocked() >= 0.5);
}

TEST_CASE("a seed repeats its scenarios, and another seed gives others", "[fuzz]") {
  const auto text = [](std::uint64_t seed) {
    return scenario_of(draw_case(seed, 17)).tree().to_yaml();
  };

  CHECK(text(3) == text(3));
  CHECK(text(3) != text(4));
}

TEST_CASE("random cases differ and cover every kind of routing, traffic and injection", "[fuzz]") {
  std::set<std::string> found;
  for (int number = 0; number < 400; ++number) {
    const Case drawn = draw_case(1, number);
    found.insert({drawn.routing, drawn.shots.empty() ? drawn.pattern : "trace", drawn.injection,
                  drawn.arbitration, drawn.directions, drawn.vc_rule});
  }

  for (const char* word : {"dimension_order", "shortest_path",  "west_first",
                           "north_last",      "negative_first", "odd_even",
                           "o1turn",          "valiant",        "romm",
                           "duato",           "uniform",        "transpose",
                           "bit_complement",  "bit_reverse",    "shuffle",
                           "tornado",         "neighbor",       "hotspot",
                           "trace",           "bernoulli",      "periodic",
                           "bursty",          "round_robin",    "first_come",
                           "oldest_packet",   "fixed",          "random",
                           "positive",        "negative",       "remaining_wrap",
                           "after_crossing",  "at_ring_entry",  "none"}) {
    INFO(word);
    CHECK(found.count(word) == 1);
  }
}

TEST_CASE("requests, held ejection, delayed credits and random stages are frequent in random cases",
          "[fuzz]") {
  std::map<std::string, int> counts;
  for (int number = 0; number < 1600; ++number) {
    const Case drawn = draw_case(1, number);
    counts["requests"] += drawn.window > 0;
    counts["replies with their own virtual channels"] += drawn.classes;
    counts["a finite reply queue"] += drawn.reply_queue > 0;
    counts["held ejection"] += drawn.held;
    counts["overheads"] += drawn.receive_overhead > 0;
    counts["delayed credits"] += drawn.credit_delay > 0 && drawn.interface_delay > 0;
    counts["injection with buffer space"] += drawn.injects_with_room;
    counts["random choices in clocked stages"] +=
        drawn.stages == "clocked" && drawn.arbitration == "random";
  }

  CHECK(counts.size() == 8);
  for (const auto& [what, count] : counts) {
    INFO(what);
    CHECK(count >= 25);
  }
}

TEST_CASE("the first hundred cases cover every switching", "[fuzz]") {
  std::map<std::string, int> counts;
  for (int number = 0; number < 100; ++number) ++counts[cell_of(number).switching];

  for (const char* switching : {"wormhole", "virtual_cut_through", "store_and_forward"})
    CHECK(counts[switching] >= 24);
  for (const char* switching : {"bubble", "teardown", "wait"}) CHECK(counts[switching] >= 6);
}

TEST_CASE("a reference with one changed rule differs from the network", "[fuzz]") {
  // A case in which each of the rules has an effect.
  Case input = draw_case(1, 0);
  input.topology = "mesh";
  input.shape = {4, 4};
  input.wraps.clear();
  input.routing = "dimension_order";
  input.handshake = "credit";
  input.switching = "wormhole";
  input.vcs = 3;
  input.shots.clear();
  input.window = 0;
  input.pattern = "uniform";
  input.injection = "bernoulli";
  input.rate = 90;
  input.depth = 5;
  input.length = 4;
  input.drain = 300;
  input.atomic = false;
  const Job job = Job::read(scenario_of(input), standard_catalog());
  const Plan plan = Plan::make(job);
  const reference::Params params = reference_params(job, plan);
  const std::uint64_t fingerprint = reference::run(params).fingerprint;

  using Change = std::function<void(reference::Params&)>;
  const std::vector<Change> changes = {
      [](auto& other) { other.atomic = !other.atomic; },
      [](auto& other) { other.depth += 1; },
      [](auto& other) { other.credit_delay += 1; },
      [](auto& other) { other.interface_delay += 1; },
      [](auto& other) { other.switching = reference::Switching::virtual_cut_through; },
      [](auto& other) { other.switching = reference::Switching::store_and_forward; },
      [](auto& other) { other.route += 1; },
      [](auto& other) { other.passage += 1; },
      [](auto& other) { other.handshake = reference::Handshake::ready_valid; },
      [](auto& other) {
        other.arbitration = other.arbitration == reference::Arbitration::fixed
                                ? reference::Arbitration::round_robin
                                : reference::Arbitration::fixed;
      },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    reference::Params other = params;
    changes[i](other);
    INFO("change " << i);
    CHECK(reference::run(other).fingerprint != fingerprint);
  }
}

}  // namespace fuzz_test
