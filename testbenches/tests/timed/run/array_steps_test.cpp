// testbenches/tests/timed/run/array_steps_test.cpp: timed schedules of array sections, step by
// step.
// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "algorithms/untimed/untimed.hpp"
#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/timed/array_jobs.hpp"

namespace array_steps_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// An assignment and its number of steps by Eberhart 1996.
struct Case {
  ArrayCase moved;
  int row_first;     ///< Steps under routes along rows first.
  int column_first;  ///< Steps under routes along columns first: rows and columns swap roles.
  bool has_formula = true;
};

/// A case without a formula for its steps.
Case coloured(const std::string& operation, int elements) {
  return {{"{kind: coloured_transfer}", operation, elements}, 0, 0, false};
}

const std::string shift_by_3 =
    "{kind: array_assignment, source: {section: [0:2, 0:2], block: [1, 1]}, destination: {section: "
    "[3:5, 3:5], block: [1, 1]}, element: 64 B}";
const std::string overlapping =
    "{kind: array_assignment, source: {section: [0:3, 0:3], block: [1, 1]}, destination: {section: "
    "[1:4, 2:5], block: [1, 1]}, element: 64 B}";
const std::string gathered =
    "{kind: array_assignment, source: {section: [0:15, 0:15], block: [2, 2]}, destination: "
    "{section: [0:15, 0:15], block: [4, 4]}}";
const std::string turned =
    "{kind: array_assignment, source: {section: [0:7, 0:7], block: [2, 2]}, destination: {section: "
    "[0:7, 2:9], block: [2, 2]}, alignment: ALIGNMENT}";
/// Base patterns of 2x1 to 1x2 nodes, three in each dimension, which overlap in part.
const std::string crossed =
    "{kind: array_assignment, source: {section: [0:11, 0:11], block: [2, 4]}, destination: "
    "{section: [20:31, 4:15], block: [4, 2]}}";

std::string with_alignment(const std::string& alignment) {
  std::string operation = turned;
  operation.replace(operation.find("ALIGNMENT"), 9, alignment);
  return operation;
}

/// Steps by the formulas of chapters 3 and 4. R x C -> R' x C' are base patterns, a region has C' x
/// R of them, and M regions are sent one after another. M counts the regions of the outermost nodes
/// at the worst end.
std::vector<Case> cases() {
  const std::string turned_once = with_alignment("transposed");
  return {// The longer side of 3 x 3 nodes.
          {{"{kind: plain_diagonal}", shift_by_3, 9}, 3, 3},
          // Eq. 3.3: sections of 1 x 2 nodes, of 2 x 2 for one port.
          {{"{kind: section_diagonal}", overlapping, 16}, 2, 2},
          {{"{kind: section_diagonal, one_port: true}", overlapping, 16}, 2, 2},
          // 1x1 -> 2x2: 3 of the 6 x 6 destinations are outside on either side, in regions of 4
          // rows and 2 columns: M = 2, and 4 slots each.
          {{"{kind: regular_transfer}", scattered, 144}, 2 * 4, 2 * 4},
          // 2x1 -> 1x2: at most 5 nodes are outside, in regions of 4: M = 2. With g = 2, regions of
          // 2: M = 3, with half of the 4 slots. With column-first routes it is 1x2 -> 2x1, whose
          // regions are of 2 nodes at either end, and g = 1: M = 3.
          {{"{kind: regular_transfer}", crossed, 144}, 2 * 4, 3 * 4},
          {{"{kind: regular_transfer, gcd_grouping: true}", crossed, 144}, 3 * 2, 3 * 4},
          // One slot for each of M = 2, and log2(2) + log2(2) to scatter.
          {{"{kind: regular_transfer, region: gather_scatter}", scattered, 144}, 2 + 2, 2 + 2},
          // Another scatter costs 1 + 4 and saves 2 * 4 / 2, so each node sends to each.
          {{"{kind: regular_transfer, region: hybrid}", scattered, 144}, 2 * 4, 2 * 4},
          // 2x2 -> 1x1: M = 2, and log2(2) + log2(2) to gather. With a startup of 100 both regions
          // benefit.
          {{"{kind: regular_transfer, region: gather_scatter}", gathered, 256}, 2 + 2, 2 + 2},
          {{"{kind: regular_transfer, region: hybrid, startup: 100}", gathered, 256}, 2 + 2, 2 + 2},
          // Two initial shifts; clusters of at most 2 x 2 nodes and offsets of 2 base patterns in
          // both dimensions: M = 2, and 4 slots each, or 1 and 2 to scatter.
          {{"{kind: block_transfer}", uneven, 225}, 2 + 2 * 4, 2 + 2 * 4},
          {{"{kind: block_transfer, surplus: exact_max}", uneven, 225}, 2 + 2 * 4, 2 + 2 * 4},
          {{"{kind: block_transfer, region: gather_scatter}", uneven, 225}, 2 + 2 + 2, 2 + 2 + 2},
          // 4 columns; eq. 4.1 for 4 x 4 nodes and r, c = 1, 0: max(2, 3, 4, 3).
          {{"{kind: column_transposition}", turned_once, 64}, 4, 4},
          {{"{kind: two_ended_transposition}", turned_once, 64}, 4, 4},
          {{"{kind: two_ended_transposition}", with_alignment("rotated_ccw"), 64}, 4, 4},
          {{"{kind: two_ended_transposition}", with_alignment("rotated_cw"), 64}, 4, 4},
          {{"{kind: two_ended_transposition}", with_alignment("anti_transposed"), 64}, 4, 4},
          // Eq. 4.2 for 2x1 -> 2 rows and 1 column: max(1, 1, 2, 3), and 4 slots each; with
          // column-first routes for 1x2 -> 1 row and 2 columns: max(2, 2, 1, 1).
          {{"{kind: block_transposition}", uneven_turned, 96}, 3 * 4, 2 * 4},
          coloured(uneven, 225),
          coloured(gathered, 256),
          coloured(with_alignment("rotated_cw"), 64)};
}

using StepAndNode = std::pair<std::string, std::string>;

/// The pairs of step and sender, or of step and receiver, with repetitions.
std::multiset<StepAndNode> active(const Results& run, const std::string& end) {
  const Table& table = run.table("transfers");
  const std::size_t step = table.column("step", "transfers");
  const std::size_t node = table.column(end, "transfers");
  std::multiset<StepAndNode> found;
  for (const auto& row : table.rows) found.emplace(row[step], row[node]);
  return found;
}

bool has_each_once(const std::multiset<StepAndNode>& of) {
  return std::set<StepAndNode>(of.begin(), of.end()).size() == of.size();
}

struct PlantedParams {
  ConfigNode algorithm;
  int step = 1;
};

struct Planted {
  int delivery = 0;
  NodeId from;
  NodeId to;
};

/// A message in `step` that shares a channel with messages of the schedule in this step, and if
/// possible neither its sender nor its receiver. It has elements of its sender, which its receiver
/// does not need.
Planted conflicting(const Schedule& schedule, int step, const CollectiveContext& network) {
  std::set<ChannelId> channels;
  std::set<NodeId> senders;
  std::set<NodeId> receivers;
  for (int i = 0; i < static_cast<int>(schedule.transfers().size()); ++i) {
    const Transfer& transfer = schedule.transfer(i);
    if (transfer.step != step) continue;
    senders.insert(transfer.from);
    receivers.insert(transfer.to);
    for (ChannelId channel : untimed_route(schedule, i, network.topology, network.routing))
      channels.insert(channel);
  }
  const auto& deliveries = schedule.demand().deliveries;
  for (const int busy : {0, 1, 2})  // number of busy ends
    for (int number = 0; number < static_cast<int>(deliveries.size()); ++number) {
      const Delivery& delivery = deliveries[static_cast<std::size_t>(number)];
      const NodeId from = delivery.source();
      for (NodeId to : all_but(from, network.topology)) {
        const auto both = senders.count(from) + receivers.count(to);
        if (to == delivery.destinations.front() || static_cast<int>(both) != busy) continue;
        for (ChannelId channel : path(network.routing, network.topology, {from, to, 0}))
          if (channels.count(channel) > 0) return {number, from, to};
      }
    }
  FAIL("no message can conflict with step " << step << " of " << schedule.steps());
  return {};
}

/// A collective that sends an additional message in `step`, which shares a channel.
Catalog with_planted_conflict() {
  Catalog catalog = standard_catalog();
  catalog.collectives.add(
      "planted", {"for tests", ""},
      Schema<PlantedParams>{}
          .required("algorithm", &PlantedParams::algorithm, "algorithm of the schedule")
          .required("step", &PlantedParams::step, "step of the conflict"),
      [](const PlantedParams& params, const Demand& demand, const CollectiveContext& network) {
        const Schedule plain =
            standard_catalog().collectives.bind(params.algorithm).build(demand, network);
        const Planted planted = conflicting(plain, params.step, network);
        Schedule made(demand, Pace::stepped);
        made.allow_strangers();
        for (int step = 1; step <= plain.steps(); ++step) {
          for (const Transfer& transfer : plain.transfers())
            if (transfer.step == step) made.send(transfer.pieces, transfer.from, transfer.to, step);
          if (step == params.step) made.send(planted.delivery, planted.from, planted.to, step);
        }
        return made;
      });
  return catalog;
}

}  // namespace

TEST_CASE("R20: schedules take the steps of their formulas, block no head, and all elements arrive",
          "[timed][paper][eberhart_1996][eberhart_1996-R20]") {
  for (const Case& of : cases())
    for (const bool row_first : {true, false}) {
      const std::string order = row_first ? "[0, 1]" : "[1, 0]";
      const Scenario job =
          scenario(of.moved).with("routing", "{kind: dimension_order, order: " + order + "}");
      const Results run = simulate(job);
      CAPTURE(of.moved.algorithm, of.moved.operation, order, run.message);

      REQUIRE(run.outcome == Outcome::complete);
      CHECK(run.value("steps.contentions") == 0);
      CHECK(run.value("step_times.blocked") == 0);
      CHECK(run.value("contention.blocked") == 0);
      CHECK(run.value("step_times.spread.max") == 0);
      CHECK(run.value("step_times.overlaps") == 0);
      const Results judged = simulate(job.with("evaluation", "untimed").with("observe", "[]"));
      if (of.has_formula)
        CHECK(run.value("steps") == (row_first ? of.row_first : of.column_first));
      else
        CHECK(run.value("steps") >= judged.value("bound.messages"));
      const std::multiset<StepAndNode> senders = active(run, "from");
      const std::multiset<StepAndNode> receivers = active(run, "to");
      CHECK(static_cast<double>(senders.size()) == judged.value("transfers"));
      CHECK(has_each_once(senders));
      CHECK(has_each_once(receivers));
      if (of.moved.algorithm.find("one_port") != std::string::npos)
        for (const StepAndNode& sender : senders) CHECK(receivers.count(sender) == 0);
      CHECK(run.value("data.elements") == of.moved.elements);
      CHECK(run.value("data.right") == of.moved.elements);
    }
}

TEST_CASE("a conflict that is added to any step of any schedule blocks heads", "[timed]") {
  const Catalog catalog = with_planted_conflict();
  for (const Case& of : cases()) {
    // In some steps all nodes already send or receive on one port.
    const Scenario plain =
        scenario(of.moved).with("operation.element", "64 B").with("node.ports", "2");
    const Results right = simulate(plain);
    const int steps = static_cast<int>(right.value("steps"));
    CAPTURE(of.moved.algorithm, of.moved.operation);
    CHECK(steps > 1);
    CHECK(right.value("step_times.blocked") == 0);
    for (int step = 1; step <= steps; step += instrumented ? steps : 1) {
      const Results run =
          simulate(plain.with("algorithm", fmt::format("{{kind: planted, algorithm: {}, step: {}}}",
                                                       of.moved.algorithm, step)),
                   catalog);
      CAPTURE(of.moved.algorithm, of.moved.operation, step, run.message);
      REQUIRE(run.outcome == Outcome::complete);
      CHECK(run.value("steps.contentions") > 0);
      CHECK(run.value("step_times.blocked") > 0);
    }
  }
}

}  // namespace array_steps_test
