// testbenches/timed/array_assignment_test.cpp: array sections move through the network, in time.
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "flitwave/algorithms/arrays/array_demand.hpp"
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
        demand.array = std::move(array);
        return demand;
      });
  return catalog;
}

}  // namespace

TEST_CASE("R20: no head is blocked in a schedule that goes step by step, and all elements arrive",
          "[timed][paper]") {
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

TEST_CASE("messages without a schedule move the same elements", "[timed]") {
  for (const char* operation : {scattered.c_str(), uneven.c_str(), uneven_turned.c_str()}) {
    const Results run = simulate(scenario({"{kind: separate}", operation, 0}));
    CAPTURE(operation, run.message);

    REQUIRE(run.outcome == Outcome::complete);
    CHECK(run.value("data.right") == run.value("data.elements"));
  }
}

}  // namespace array_assignment_test
