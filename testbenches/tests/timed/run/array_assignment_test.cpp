// testbenches/tests/timed/run/array_assignment_test.cpp: timed assignments between array sections.
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "algorithms/arrays/array_demand.hpp"
#include "testbenches/run/simulate.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/timed/array_jobs.hpp"

namespace array_assignment_test {

using namespace flitwave;
using namespace flitwave::test;

namespace {

/// The same demand, in which one message has the elements of another one.
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

/// The demand of the operation `uneven`.
Demand uneven_demand(const Topology& topology) {
  const AxisTransfer rows({{1, 29, 2}, 9}, {{0, 28, 2}, 5});
  const AxisTransfer columns({{0, 14, 1}, 5}, {{1, 15, 1}, 3});
  return array_demand("changed", {rows, columns}, Bytes{8}, topology);
}

/// The messages of an assignment, one of which has its elements `times` times instead of once.
class ChangedRanges final : public MovedArray {
 public:
  ChangedRanges(std::shared_ptr<const ArrayDemand> array, int delivery, int times)
      : array_(std::move(array)), delivery_(delivery), times_(times) {}

  std::int64_t rows() const override { return array_->rows(); }
  std::int64_t columns() const override { return array_->columns(); }
  MeshPlace source(std::int64_t row, std::int64_t column) const override {
    return array_->source(row, column);
  }
  MeshPlace destination(std::int64_t row, std::int64_t column) const override {
    return array_->destination(row, column);
  }
  std::int64_t value(std::int64_t row, std::int64_t column) const override {
    return array_->value(row, column);
  }
  int deliveries() const override { return array_->deliveries(); }
  std::vector<IndexBlock> blocks_of(int delivery) const override {
    std::vector<IndexBlock> blocks;
    for (int i = 0; i < (delivery == delivery_ ? times_ : 1); ++i)
      for (const IndexBlock& block : array_->blocks_of(delivery)) blocks.push_back(block);
    return blocks;
  }

 private:
  std::shared_ptr<const ArrayDemand> array_;
  int delivery_;
  int times_;
};

struct ChangedParams {
  int delivery = 0;
  int times = 1;
};

Catalog with_changed_ranges() {
  Catalog catalog = standard_catalog();
  catalog.operations.add("changed", {"for tests", ""},
                         Schema<ChangedParams>{}
                             .required("delivery", &ChangedParams::delivery, "which message")
                             .required("times", &ChangedParams::times, "number of times"),
                         [](const ChangedParams& params, const Topology& topology, Random&) {
                           Demand demand = uneven_demand(topology);
                           demand.moved = std::make_shared<ChangedRanges>(
                               demand.array, params.delivery, params.times);
                           return demand;
                         });
  return catalog;
}

struct TamperedParams {
  std::string fault;
};

/// The general schedule of `uneven` without its first transfer, or with its last one twice.
Catalog with_tampered_schedules() {
  Catalog catalog = standard_catalog();
  catalog.collectives.add(
      "tampered", {"for tests", ""},
      Schema<TamperedParams>{}.required("fault", &TamperedParams::fault, "what is wrong"),
      [](const TamperedParams& params, const Demand& demand, const CollectiveContext& network) {
        const Schedule plain =
            standard_catalog()
                .collectives.bind(ConfigNode::parse("kind: block_transfer", "test"))
                .build(demand, network);
        Schedule made(demand, Pace::stepped);
        made.allow_strangers();
        const auto& transfers = plain.transfers();
        for (std::size_t i = params.fault == "drop" ? 1 : 0; i < transfers.size(); ++i)
          made.send(transfers[i].pieces, transfers[i].from, transfers[i].to, transfers[i].step);
        const Transfer& last = transfers.back();
        if (params.fault == "double") made.send(last.pieces, last.from, last.to, plain.steps() + 1);
        return made;
      });
  return catalog;
}

Scenario tampered(const std::string& fault) {
  return scenario({"{kind: tampered, fault: " + fault + "}", uneven, 225});
}

}  // namespace

TEST_CASE("nodes that gather for others may also send their own elements", "[timed]") {
  const std::vector<ArrayCase> gathering{
      {"{kind: regular_transfer, region: gather_scatter}",
       "{kind: array_assignment, source: {section: [0:15, 0:15], block: [2, 4]}, destination: "
       "{section: [16:31, 0:15], block: [8, 2]}}",
       256},
      {"{kind: block_transfer, region: gather_scatter}",
       "{kind: array_assignment, source: {section: [2:6:2, 4:6], block: [2, 4]}, destination: "
       "{section: [4:6, 1:3], block: [4, 3]}}",
       9}};
  for (const ArrayCase& of : gathering) {
    const Results run = simulate(scenario(of));
    CAPTURE(of.operation, run.message);

    REQUIRE(run.outcome == Outcome::complete);
    CHECK(run.value("data.right") == of.elements);
    CHECK(run.value("step_times.blocked") == 0);
  }
}

TEST_CASE("a whole array is redistributed with other blocks", "[timed]") {
  const ArrayCase of{"{kind: block_transfer}",
                     "{kind: redistribute, shape: [24, 24], from: [3, 6], to: [5, 4]}", 576};

  const Results run = simulate(scenario(of));

  REQUIRE(run.outcome == Outcome::complete);
  CHECK(run.value("data.right") == 576);
}

TEST_CASE("a section of one dimension is on the first row of processors", "[timed]") {
  const ArrayCase of{"{kind: regular_transfer}",
                     "{kind: array_assignment, source: {section: [0:7], block: [4]}, destination: "
                     "{section: [0:7], block: [1]}}",
                     8};

  const Results run = simulate(scenario(of));

  REQUIRE(run.outcome == Outcome::complete);
  CHECK(run.value("data.right") == 8);
}

TEST_CASE("elements that arrive under the wrong indices are detected and named", "[timed]") {
  const Results run = simulate(Scenario::parse(R"(
scenario: swapped
topology: {kind: mesh, shape: [8, 8]}
operation: {kind: swapped}
algorithm: {kind: separate}
)"),
                               with_swapped_ranges());

  CHECK(run.outcome == Outcome::model_error);
  // Among 4 x 4 nodes with an element each, the elements of row 0, column 2 and of row 1, column 1
  // are exchanged.
  CHECK(run.message ==
        "data: 14 of 16 elements as the serial assignment; section index (1, 1): node 2_0 sends "
        "it, but node 1_1 has it");
}

TEST_CASE("elements of a faulty node may be missing and are counted", "[timed][faults]") {
  const Results run = simulate(Scenario::parse(R"(
scenario: faulty
topology: {kind: hypercube, dimensions: 2}
faults: {nodes: [1]}
operation:
  kind: array_assignment
  source: {section: [0:5, 0:1], block: [3, 1]}
  destination: {section: [0:5, 2:3], block: [3, 2]}
algorithm: cube_broadcast
router: {kind: greedy_multicast, fault_tolerant: true}
channel: {handshake: request, buffer: 27 flit}
)"));

  CAPTURE(run.message);
  CHECK(run.outcome == Outcome::complete);
  CHECK(run.value("data.elements") == 12);
  CHECK(run.value("data.right") < 12);
  CHECK(run.value("data.right") > 0);
}

TEST_CASE("a schedule that lacks a shift or sends a message twice is rejected", "[timed]") {
  const auto error_of = [](const std::string& fault) -> std::string {
    try {
      simulate(tampered(fault), with_tampered_schedules());
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  };
  CHECK(error_of("nothing") == "");
  CHECK(error_of("drop") ==
        "transfer of message 13 from node 0 to node 9 in step 4: the sender does not have it "
        "before");
  CHECK(error_of("double") ==
        "transfer of message 23 from node 9 to node 27 in step 11: the receiver has it already");
}

TEST_CASE("elements that a shifted or combined message loses or duplicates are detected and named",
          "[timed]") {
  const auto message_of = [](int delivery, int times) {
    const Results run = simulate(
        scenario({"{kind: block_transfer}",
                  fmt::format("{{kind: changed, delivery: {}, times: {}}}", delivery, times), 225}),
        with_changed_ranges());
    CHECK(run.outcome == (times == 1 ? Outcome::complete : Outcome::model_error));
    return run.message;
  };
  const Topology mesh =
      standard_catalog()
          .topologies.bind(ConfigNode::parse("{kind: mesh, shape: [8, 8]}", "test"))
          .build();
  const Demand demand = uneven_demand(mesh);
  CHECK(message_of(0, 1) == "");
  for (int delivery = 0; delivery < static_cast<int>(demand.deliveries.size()); ++delivery) {
    const IndexBlock& block = demand.array->blocks[static_cast<std::size_t>(delivery)];
    const NodeId node = demand.deliveries[static_cast<std::size_t>(delivery)].destinations.front();
    const std::string where = fmt::format("section index ({}, {}): node {} ", block.rows.first,
                                          block.columns.first, mesh.label(node));
    CAPTURE(delivery, where);
    CHECK(message_of(delivery, 0).find(where + "does not receive it") != std::string::npos);
    CHECK(message_of(delivery, 2).find(where + "receives it twice") != std::string::npos);
  }
}

TEST_CASE("cyclic and block-cyclic sections move in coloured steps, also in reverse order",
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

TEST_CASE("arbitrary messages between pairs of nodes move in coloured steps", "[timed]") {
  const Results run = simulate(
      scenario({"{kind: coloured_transfer}", "{kind: complete_exchange, message: 16 B}", 0}));

  REQUIRE(run.outcome == Outcome::complete);
  CHECK(run.value("contention.blocked") == 0);
  CHECK(run.value("step_times.blocked") == 0);
}

TEST_CASE("impossible cyclic sections are rejected with their key", "[timed]") {
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
      FAIL("the job was accepted");
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

}  // namespace array_assignment_test
