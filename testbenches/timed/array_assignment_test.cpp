// testbenches/timed/array_assignment_test.cpp: array sections move through the network, in time.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "flitwave/algorithms/arrays/array_demand.hpp"
#include "flitwave/algorithms/untimed.hpp"
#include "flitwave/testbenches/catch.hpp"
#include "flitwave/testbenches/simulate.hpp"

namespace array_assignment_test {

using namespace flitwave;

namespace {

/// An operation and the algorithm that schedules it.
struct Case {
  std::string algorithm;
  std::string operation;
  int elements;
};

const std::string shift_by_3 =
    "{kind: array_assignment, source: {section: [0:2, 0:2], block: [1, 1]}, destination: {section: "
    "[3:5, 3:5], block: [1, 1]}, element: 64 B}";
const std::string overlapping =
    "{kind: array_assignment, source: {section: [0:3, 0:3], block: [1, 1]}, destination: {section: "
    "[1:4, 2:5], block: [1, 1]}, element: 64 B}";
const std::string scattered =
    "{kind: array_assignment, source: {section: [0:11, 0:11], block: [4, 4]}, destination: "
    "{section: [0:11, 0:11], block: [2, 2]}}";
const std::string gathered =
    "{kind: array_assignment, source: {section: [0:15, 0:15], block: [2, 2]}, destination: "
    "{section: [0:15, 0:15], block: [4, 4]}}";
const std::string uneven =
    "{kind: array_assignment, source: {section: [1:29:2, 0:14], block: [9, 5]}, destination: "
    "{section: [0:28:2, 1:15], block: [5, 3]}}";
const std::string turned =
    "{kind: array_assignment, source: {section: [0:7, 0:7], block: [2, 2]}, destination: {section: "
    "[0:7, 2:9], block: [2, 2]}, alignment: ALIGNMENT}";
const std::string uneven_turned =
    "{kind: array_assignment, source: {section: [0:7, 0:11], block: [2, 4]}, destination: "
    "{section: "
    "[0:7, 0:11], block: [4, 2]}, alignment: transposed}";

std::string with_alignment(const std::string& alignment) {
  std::string operation = turned;
  operation.replace(operation.find("ALIGNMENT"), 9, alignment);
  return operation;
}

Scenario scenario(const Case& of) {
  return Scenario::parse(R"(
scenario: array
topology: {kind: mesh, shape: [8, 8]}
router: {kind: wormhole, preset: single_cycle}
observe: [{kind: step_times}, {kind: contention}, {kind: steps}]
)")
      .with("operation", of.operation)
      .with("algorithm", of.algorithm);
}

std::vector<Case> cases() {
  return {{"{kind: plain_diagonal}", shift_by_3, 9},
          {"{kind: section_diagonal}", overlapping, 16},
          {"{kind: section_diagonal, one_port: true}", overlapping, 16},
          {"{kind: regular_transfer}", scattered, 144},
          {"{kind: regular_transfer, gcd_grouping: true}", scattered, 144},
          {"{kind: regular_transfer, region: gather_scatter}", scattered, 144},
          {"{kind: regular_transfer, region: hybrid}", scattered, 144},
          {"{kind: regular_transfer, region: gather_scatter}", gathered, 256},
          {"{kind: regular_transfer, region: hybrid, startup: 100}", gathered, 256},
          {"{kind: block_transfer}", uneven, 225},
          {"{kind: block_transfer, surplus: exact_max}", uneven, 225},
          {"{kind: block_transfer, region: gather_scatter}", uneven, 225},
          {"{kind: column_transposition}", with_alignment("transposed"), 64},
          {"{kind: two_ended_transposition}", with_alignment("transposed"), 64},
          {"{kind: two_ended_transposition}", with_alignment("rotated_ccw"), 64},
          {"{kind: two_ended_transposition}", with_alignment("rotated_cw"), 64},
          {"{kind: two_ended_transposition}", with_alignment("anti_transposed"), 64},
          {"{kind: block_transposition}", uneven_turned, 96},
          {"{kind: coloured_transfer}", uneven, 225},
          {"{kind: coloured_transfer}", with_alignment("rotated_cw"), 64}};
}

/// The same demand, of which one message stands for the elements of another.
Catalog with_swapped_ranges() {
  Catalog catalog = standard_catalog();
  struct NoParams {};
  catalog.operations.add(
      "swapped", {"for tests", ""}, Schema<NoParams>{},
      [](const NoParams&, const Topology& topology, Random&) {
        const BlockSection from{{0, 3, 1}, 1};
        const BlockSection to{{2, 5, 1}, 1};
        Demand demand = array_demand("swapped", {{from, to}, {from, to}}, Bytes{8}, topology);
        auto array = std::make_shared<ArrayDemand>(*demand.array);
        std::swap(array->blocks[2], array->blocks[5]);
        demand.moved = array;
        demand.array = std::move(array);
        return demand;
      });
  return catalog;
}

struct PlantedParams {
  ConfigNode algorithm;
  int step = 1;
};

/// The steps in which a transfer may be sent without others being sent in other steps.
std::pair<int, int> steps_open_to(const Schedule& schedule, int number) {
  std::pair<int, int> open{1, schedule.steps()};
  for (int before : schedule.transfer(number).after)
    open.first = std::max(open.first, schedule.transfer(before).step + 1);
  for (const Transfer& transfer : schedule.transfers())
    if (std::count(transfer.after.begin(), transfer.after.end(), number) > 0)
      open.second = std::min(open.second, transfer.step - 1);
  return open;
}

/// A transfer of another step that could be sent in `step`, where it shares a channel with one, and
/// neither its sender nor its receiver with any; -1: there is none.
int conflicting(const Schedule& schedule, int step, const CollectiveContext& network) {
  std::set<ChannelId> channels;
  std::set<NodeId> senders;
  std::set<NodeId> receivers;
  const auto route = [&](int number) {
    return untimed_route(schedule, number, network.topology, network.routing);
  };
  const auto count = static_cast<int>(schedule.transfers().size());
  for (int i = 0; i < count; ++i) {
    const Transfer& transfer = schedule.transfer(i);
    if (transfer.step != step) continue;
    senders.insert(transfer.from);
    receivers.insert(transfer.to);
    for (ChannelId channel : route(i)) channels.insert(channel);
  }
  for (int i = 0; i < count; ++i) {
    const Transfer& transfer = schedule.transfer(i);
    const auto [first, last] = steps_open_to(schedule, i);
    if (transfer.step == step || step < first || step > last || senders.count(transfer.from) > 0 ||
        receivers.count(transfer.to) > 0)
      continue;
    for (ChannelId channel : route(i))
      if (channels.count(channel) > 0) return i;
  }
  return -1;
}

/// A collective that sends one message of another schedule in `step`, where it shares a channel;
/// where there is none, the schedule as it is.
Catalog with_planted_conflict() {
  Catalog catalog = standard_catalog();
  catalog.collectives.add(
      "planted", {"for tests", ""},
      Schema<PlantedParams>{}
          .required("algorithm", &PlantedParams::algorithm, "whose schedule")
          .required("step", &PlantedParams::step, "where"),
      [](const PlantedParams& params, const Demand& demand, const CollectiveContext& network) {
        const Schedule plain =
            standard_catalog().collectives.bind(params.algorithm).build(demand, network);
        const int planted = conflicting(plain, params.step, network);
        Schedule made(demand, Pace::stepped);
        made.allow_strangers();
        for (int step = 1; step <= plain.steps(); ++step)
          for (std::size_t i = 0; i < plain.transfers().size(); ++i) {
            const Transfer& transfer = plain.transfers()[i];
            const bool moves = static_cast<int>(i) == planted;
            if ((moves ? params.step : transfer.step) == step)
              made.send(transfer.pieces, transfer.from, transfer.to, step);
          }
        if (planted >= 0) made.set_remark("planted");
        return made;
      });
  return catalog;
}

}  // namespace

TEST_CASE("R20: no head is blocked in a schedule that goes step by step, and all elements arrive",
          "[timed][paper][eberhart_1996][eberhart_1996-R20]") {
  for (const Case& of : cases())
    for (const char* order : {"[0, 1]", "[1, 0]"}) {
      const Results run =
          simulate(scenario(of).with("routing", std::string("{kind: dimension_order, "
                                                            "order: ") +
                                                    order + "}"));
      CAPTURE(of.algorithm, of.operation, order, run.message);

      REQUIRE(run.outcome == Outcome::complete);
      CHECK(run.value("steps.contentions") == 0);
      CHECK(run.value("step_times.blocked") == 0);
      CHECK(run.value("contention.blocked") == 0);
      CHECK(run.value("step_times.spread.max") == 0);
      CHECK(run.value("step_times.overlaps") == 0);
      CHECK(run.value("data.elements") == of.elements);
      CHECK(run.value("data.right") == of.elements);
    }
}

TEST_CASE("nodes that gather for others may send on what is their own", "[timed]") {
  const std::vector<Case> gathering{
      {"{kind: regular_transfer, region: gather_scatter}",
       "{kind: array_assignment, source: {section: [0:15, 0:15], block: [2, 4]}, destination: "
       "{section: [16:31, 0:15], block: [8, 2]}}",
       256},
      {"{kind: block_transfer, region: gather_scatter}",
       "{kind: array_assignment, source: {section: [2:6:2, 4:6], block: [2, 4]}, destination: "
       "{section: [4:6, 1:3], block: [4, 3]}}",
       9}};
  for (const Case& of : gathering) {
    const Results run = simulate(scenario(of));
    CAPTURE(of.operation, run.message);

    REQUIRE(run.outcome == Outcome::complete);
    CHECK(run.value("data.right") == of.elements);
    CHECK(run.value("step_times.blocked") == 0);
  }
}

TEST_CASE("a whole array gets other blocks", "[timed]") {
  const Case of{"{kind: block_transfer}",
                "{kind: redistribute, shape: [24, 24], from: [3, 6], to: [5, 4]}", 576};

  const Results run = simulate(scenario(of));

  REQUIRE(run.outcome == Outcome::complete);
  CHECK(run.value("data.right") == 576);
}

TEST_CASE("a section of one dimension lies in the first row of processors", "[timed]") {
  const Case of{"{kind: regular_transfer}",
                "{kind: array_assignment, source: {section: [0:7], block: [4]}, destination: "
                "{section: [0:7], block: [1]}}",
                8};

  const Results run = simulate(scenario(of));

  REQUIRE(run.outcome == Outcome::complete);
  CHECK(run.value("data.right") == 8);
}

TEST_CASE("elements that arrive under the indices of others are found and named", "[timed]") {
  const Results run = simulate(Scenario::parse(R"(
scenario: swapped
topology: {kind: mesh, shape: [8, 8]}
operation: {kind: swapped}
algorithm: {kind: separate}
)"),
                               with_swapped_ranges());

  CHECK(run.outcome == Outcome::model_error);
  CHECK(run.message.find("section index (") != std::string::npos);
  CHECK(run.message.find("node ") != std::string::npos);
}

TEST_CASE("cyclic and block-cyclic sections, read backwards too, move in coloured steps",
          "[timed]") {
  const Scenario cyclic = scenario({"{kind: coloured_transfer}", R"(
kind: cyclic_assignment
source: {first: [0, 15], stride: [1, -1], processors: [4, 4]}
destination: {block: [2, 3], processors: [5, 3]}
elements: [16, 16]
)",
                                    0});
  for (const char* transposed : {"false", "true"}) {
    const Scenario job = cyclic.with("operation.transposed", transposed);
    const Results stepped = simulate(job);
    CAPTURE(transposed, stepped.message);

    REQUIRE(stepped.outcome == Outcome::complete);
    CHECK(stepped.lines.front() == "data: 256 of 256 elements as the serial assignment");
    CHECK(stepped.value("steps.contentions") == 0);
    CHECK(stepped.value("contention.blocked") == 0);
    const Results judged = simulate(job.with("evaluation", "untimed").with("observe", "[]"));
    CHECK(stepped.value("steps") == judged.value("steps"));
    CHECK(stepped.value("steps") >= judged.value("bound.messages"));
    CHECK(simulate(job.with("algorithm", "separate")).value("contention.blocked") > 0);
  }
}

TEST_CASE("any messages of one node for one other move in coloured steps", "[timed]") {
  const Results run = simulate(
      scenario({"{kind: coloured_transfer}", "{kind: complete_exchange, message: 16 B}", 0}));

  REQUIRE(run.outcome == Outcome::complete);
  CHECK(run.value("contention.blocked") == 0);
  CHECK(run.value("step_times.blocked") == 0);
}

TEST_CASE("cyclic sections that cannot be are rejected with their key", "[timed]") {
  const std::string rest = "elements: [16, 16]}";
  for (const auto& [operation, key] : std::vector<std::pair<std::string, std::string>>{
           {"{kind: cyclic_assignment, source: {stride: [0, 1], processors: [4, 4]}, destination: "
            "{processors: [4, 4]}, " +
                rest,
            "operation.source.stride"},
           {"{kind: cyclic_assignment, source: {stride: [-1, 1], processors: [4, 4]}, "
            "destination: {processors: [4, 4]}, " +
                rest,
            "operation.source.first"},
           {"{kind: cyclic_assignment, source: {processors: [4, 9]}, destination: {processors: "
            "[4, 4]}, " +
                rest,
            "operation.source"},
           {"{kind: cyclic_assignment, source: {processors: [4]}, destination: {processors: [4, "
            "4]}, " +
                rest,
            "operation.source.processors"}}) {
    CAPTURE(operation);
    try {
      simulate(scenario({"{kind: coloured_transfer}", operation, 0}));
      FAIL("it was accepted");
    } catch (const ConfigError& error) {
      CHECK(std::string(error.what()).find(key) != std::string::npos);
    }
  }
}

TEST_CASE("messages without a schedule move the same elements", "[timed]") {
  for (const char* operation : {scattered.c_str(), uneven.c_str(), uneven_turned.c_str()}) {
    const Results run = simulate(scenario({"{kind: separate}", operation, 0}));
    CAPTURE(operation, run.message);

    REQUIRE(run.outcome == Outcome::complete);
    CHECK(run.value("data.right") == run.value("data.elements"));
  }
}

TEST_CASE("a conflict that is planted in a step of any schedule blocks heads", "[timed]") {
  const Catalog catalog = with_planted_conflict();
  for (const Case& of : cases()) {
    const Scenario plain = scenario(of).with("operation.element", "64 B");
    const int steps = static_cast<int>(simulate(plain).value("steps"));
    int planted = 0;
    for (int step = 1; step <= steps; ++step) {
      const Results run = simulate(
          plain.with("algorithm",
                     fmt::format("{{kind: planted, algorithm: {}, step: {}}}", of.algorithm, step)),
          catalog);
      CAPTURE(of.algorithm, of.operation, step, run.message);
      REQUIRE(run.outcome == Outcome::complete);
      const bool has_one =
          std::find(run.notes.begin(), run.notes.end(), "algorithm: planted") != run.notes.end();
      planted += has_one ? 1 : 0;
      CHECK((run.value("steps.contentions") > 0) == has_one);
      CHECK((run.value("step_times.blocked") > 0) == has_one);
    }
    CAPTURE(of.algorithm, of.operation);
    CHECK(planted > 0);
  }
}

}  // namespace array_assignment_test
