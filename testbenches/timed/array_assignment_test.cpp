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

struct Planted {
  int delivery = 0;
  NodeId from;
  NodeId to;
};

/// A message in `step` that shares a channel with those of a schedule there, and if possible
/// neither its sender nor its receiver: of a node's own elements, to a node that wants none of
/// them.
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
  for (const int busy : {0, 1, 2})  // of both ends
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
  FAIL("no message can be in the way of step " << step << " of " << schedule.steps());
  return {};
}

/// A collective that sends a message more in `step`, where it shares a channel.
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

/// Of `uneven`.
Demand uneven_demand(const Topology& topology) {
  const AxisTransfer rows({{1, 29, 2}, 9}, {{0, 28, 2}, 5});
  const AxisTransfer columns({{0, 14, 1}, 5}, {{1, 15, 1}, 3});
  return array_demand("changed", {rows, columns}, Bytes{8}, topology);
}

/// Messages as those of an assignment, of which one has its elements not once but `times` times.
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
                             .required("times", &ChangedParams::times, "how often"),
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
  // Of 4 x 4 nodes with an element each, those of row 0, column 2 and row 1, column 1.
  CHECK(run.message ==
        "data: 14 of 16 elements as the serial assignment; section index (1, 1): node 2_0 sends "
        "it, and node 1_1 has it");
}

TEST_CASE("elements for a node that is faulty may lack, and are counted", "[timed][faults]") {
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

TEST_CASE("a schedule without a shift, and one that sends a message twice, are not simulated",
          "[timed]") {
  const auto refusal = [](const std::string& fault) -> std::string {
    try {
      simulate(tampered(fault), with_tampered_schedules());
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  };
  CHECK(refusal("nothing") == "");
  CHECK(refusal("drop") ==
        "transfer of message 13 from node 0 to node 9 in step 4: the sender does not have it "
        "before");
  CHECK(refusal("double") ==
        "transfer of message 23 from node 9 to node 27 in step 11: the receiver has it already");
}

TEST_CASE("elements that a shifted or combined message loses, or brings twice, are found and named",
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
    CHECK(message_of(delivery, 0).find(where + "does not get it") != std::string::npos);
    CHECK(message_of(delivery, 2).find(where + "gets it twice") != std::string::npos);
  }
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

TEST_CASE("a conflict that is planted in any step of any schedule blocks heads", "[timed]") {
  const Catalog catalog = with_planted_conflict();
  for (const Case& of : cases()) {
    // In some steps all nodes that could send or receive do so already.
    const Scenario plain = scenario(of).with("operation.element", "64 B").with("node.ports", "2");
    const Results right = simulate(plain);
    const int steps = static_cast<int>(right.value("steps"));
    CAPTURE(of.algorithm, of.operation);
    CHECK(steps > 1);
    CHECK(right.value("step_times.blocked") == 0);
    for (int step = 1; step <= steps; ++step) {
      const Results run = simulate(
          plain.with("algorithm",
                     fmt::format("{{kind: planted, algorithm: {}, step: {}}}", of.algorithm, step)),
          catalog);
      CAPTURE(of.algorithm, of.operation, step, run.message);
      REQUIRE(run.outcome == Outcome::complete);
      CHECK(run.value("steps.contentions") > 0);
      CHECK(run.value("step_times.blocked") > 0);
    }
  }
}

}  // namespace array_assignment_test
