// testbenches/tests/tlm/random_traffic_test.cpp: random transactions, checked on both sides.
// SPDX-License-Identifier: Apache-2.0
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "testbenches/run/run_variants.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/jobs.hpp"
#include "testbenches/tests/timed/small_network.hpp"
#include "testbenches/tests/tlm/platform.hpp"

namespace random_traffic_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

using Style = RandomPlan::Style;

void require(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what);
}

/// Four initiators in the corners and two more at one node in the middle. Each has blocks of its
/// own in every memory.
std::vector<PlacedInitiator> six_initiators(Style style, int transactions, int outstanding) {
  std::vector<PlacedInitiator> all;
  const std::vector<std::pair<std::string, int>> places{{"0_0", 0}, {"3_0", 0}, {"0_3", 0},
                                                        {"3_3", 0}, {"1_2", 0}, {"1_2", 1}};
  for (std::size_t i = 0; i < places.size(); ++i) {
    RandomPlan plan;
    plan.style = style;
    plan.transactions = transactions;
    plan.outstanding = style == Style::blocking ? 1 : outstanding;
    plan.prompt = outstanding == 1;
    plan.blocks = blocks_everywhere(i * 4, 4);
    plan.seed = i + 1;
    plan.odd_times = i % 2 == 0;
    all.push_back({places[i].first, plan, places[i].second});
  }
  return all;
}

/// The results of a run of the six; `reversed`: the order of binding.
Results run_six(const Scenario& job, Style style, int transactions, int outstanding,
                bool reversed) {
  Platform platform(job, six_initiators(style, transactions, outstanding), 7300, reversed);
  platform.run();
  require(platform.loaded_bytes() > transactions, "few bytes were loaded");
  const Results& results = platform.network().results();
  require(results.outcome == Outcome::complete, results.message);
  require(results.value("transactions") == 6 * transactions, "some transactions are not counted");
  require(results.value("transactions.open") == 0, "some transactions are open");
  return results;
}

}  // namespace

TEST_CASE(
    "ten thousand random transactions of each style keep the base protocol on both sides and "
    "load what a reference memory holds",
    "[tlm]") {
  const Style style = GENERATE(Style::blocking, Style::non_blocking, Style::mixed);
  CHECK(in_child([&] { run_six(tlm_mesh(), style, 1700, 4, false); }) == "");
}

TEST_CASE(
    "transactions take the same time under all schedulings, build orders and orders of binding",
    "[tlm]") {
  const Style style = GENERATE(Style::blocking, Style::non_blocking, Style::mixed);
  const auto results_of = [&](const Scenario& job, bool reversed) {
    const std::string text =
        in_child([&] { throw std::runtime_error(run_six(job, style, 60, 3, reversed).to_json()); });
    if (text.front() != '{') FAIL(text);
    return Results::from_json(text);
  };
  const Results expected = results_of(tlm_mesh(), false);
  for (const bool reversed : {false, true})
    for (const RunVariant& variant : compared_variants())
      CHECK(difference(results_of(with_variant(tlm_mesh(), variant), reversed), expected) == "");
}

TEST_CASE(
    "initiators of both styles that share blocks load what a reference memory holds, request by "
    "request",
    "[tlm]") {
  const int outstanding = GENERATE(1, 4);
  CHECK(in_child([&] {
          std::vector<PlacedInitiator> all = six_initiators(Style::mixed, 500, outstanding);
          for (std::size_t i = 0; i < all.size(); ++i) {
            all[i].plan.style = i % 3 == 0   ? Style::blocking
                                : i % 3 == 1 ? Style::non_blocking
                                             : Style::mixed;
            all[i].plan.blocks = {address_of(1, 1), address_of(2, 3), address_of(1, 2)};
            all[i].plan.shared = true;
          }
          Platform platform(tlm_mesh(), all, 31'300);
          platform.run();
        }) == "");
}

TEST_CASE("with one transaction outstanding at each initiator both styles take the same times",
          "[tlm]") {
  const auto times_of = [](Style style) {
    const std::string text = in_child([&] {
      Platform platform(tlm_mesh(), six_initiators(style, 300, 1), 7300);
      platform.run();
      std::string times;
      for (std::size_t i = 0; i < 6; ++i)
        for (const std::int64_t time : platform.initiator(i).times())
          times += std::to_string(i) + ": " + std::to_string(time) + " ps\n";
      throw std::runtime_error(times);
    });
    std::vector<std::string> times;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) times.push_back(line);
    return times;
  };
  const std::vector<std::string> blocking = times_of(Style::blocking);
  const std::vector<std::string> non_blocking = times_of(Style::non_blocking);
  REQUIRE(blocking.size() == 6 * 300);
  REQUIRE(non_blocking.size() == blocking.size());
  for (std::size_t i = 0; i < blocking.size(); ++i) {
    INFO("transaction " << i % 300);
    REQUIRE(non_blocking[i] == blocking[i]);
  }
}

}  // namespace random_traffic_test
