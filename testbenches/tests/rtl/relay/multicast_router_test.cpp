// testbenches/tests/rtl/relay/multicast_router_test.cpp: hypercubes with routers in Verilog equal
// those with the same routers in SystemC.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "configs/random.hpp"
#include "testbenches/reference/papers/cube_draw.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/rtl/relay/verilog_network.hpp"
#include "testbenches/tests/timed/jobs.hpp"

namespace multicast_router_test {

using namespace flitwave;
using namespace flitwave::test;
using namespace flitwave::testing;

namespace {

int draw(Random& random, int least, int greatest) {
  return least + static_cast<int>(random.below(static_cast<std::uint64_t>(greatest - least + 1)));
}

/// Multicasts of random nodes to random lists, which contend with each other.
class Crowd {
 public:
  Crowd(const VerilogRouter& model, int number)
      : model_(model), random_(static_cast<std::uint64_t>(number), model.name) {
    const VerilogParameters& parameters = model.parameters;
    const Cube cube(parameters.dimensions);
    if (parameters.fault_tolerant && number % 2 == 0)
      faulty_ = static_cast<int>(random_.below(static_cast<std::uint64_t>(cube.nodes())));
    for (int i = draw(random_, 4, 2 * cube.nodes()); i > 0; --i) {
      const auto source =
          static_cast<CubeAddress>(random_.below(static_cast<std::uint64_t>(cube.nodes())));
      if (static_cast<int>(source) != faulty_) shots_.push_back(shot(cube, source));
    }
  }

  std::size_t multicasts() const { return shots_.size(); }

  Results in_systemc() const {
    return shoot(job(model_.parameters.router()), shots_, 1500, observers);
  }
  Results in_verilog(const VerilogPlaces& places, const std::string& scheduling = "batched",
                     const std::string& order = "forward") const {
    return shoot(
        job("{kind: verilog}").with("clock.scheduling", scheduling).with("build_order", order),
        shots_, 1500, observers, verilog_catalog(model_, places));
  }

 private:
  static constexpr const char* observers = "{kind: flit_log}, {kind: routers, selections: true}";

  Shot shot(const Cube& cube, CubeAddress source) {
    const VerilogParameters& parameters = model_.parameters;
    const int others = cube.nodes() - 1;
    const int longest = parameters.broadcaster ? others : std::min(others, parameters.rows);
    // A destination that is faulty is left out.
    CubeNodes list = draw_uniform(cube, source, draw(random_, 1, longest), random_);
    list.erase(std::remove(list.begin(), list.end(), static_cast<CubeAddress>(faulty_)),
               list.end());
    if (list.empty()) return this->shot(cube, source);
    Shot shot{draw(random_, 1, 150), NodeId(static_cast<int>(source)),
              NodeId(static_cast<int>(list.front())),
              draw(random_, 1, 12) * parameters.field_cycles};
    for (std::size_t k = 1; k < list.size(); ++k)
      shot.copies.emplace_back(static_cast<int>(list[k]));
    return shot;
  }

  Scenario job(const std::string& router) const {
    const Scenario job = Scenario::parse(fmt::format(R"(
scenario: crowd
topology: {{kind: hypercube, dimensions: {}}}
channel: {}
router: {}
clock: {{scheduling: batched}}
allow_deadlock: true
watchdog: {{interval: 300 cycle}}
)",
                                                     model_.parameters.dimensions,
                                                     model_.parameters.channel(), router));
    if (faulty_ < 0) return job;
    return job.with("faults", fmt::format("{{nodes: [{}], condition: warn}}", faulty_));
  }

  const VerilogRouter& model_;
  Random random_;
  int faulty_ = -1;
  std::vector<Shot> shots_;
};

/// The first row in which two tables differ; empty when they are equal.
std::string difference_of(const Table& found, const Table& expected) {
  const auto row = [](const Table& table, std::size_t i) {
    return i < table.rows.size() ? fmt::format("{}", fmt::join(table.rows[i], " ")) : "none";
  };
  for (std::size_t i = 0; i < std::max(found.rows.size(), expected.rows.size()); ++i)
    if (row(found, i) != row(expected, i)) return row(found, i) + " for " + row(expected, i);
  return "";
}

void require_same(const Results& found, const Results& expected) {
  REQUIRE(expected.table("flit_log").rows.size() > 20);
  REQUIRE(found.outcome == expected.outcome);
  REQUIRE(found.message == expected.message);
  // Each flit on each channel with its cycle; the states and selections of each unit.
  for (const std::string table :
       {"flit_log", "packets", "faulted_messages", "routers", "selections", "unit_states"})
    if (expected.tables.count(table) > 0) {
      INFO(table);
      REQUIRE(difference_of(found.table(table), expected.table(table)) == "");
    }
  REQUIRE(found.fingerprint == expected.fingerprint);
  REQUIRE(found.cycles == expected.cycles);
}

}  // namespace

TEST_CASE("two hundred random multicasts take the same cycles through routers in Verilog",
          "[rtl][lan_1988]") {
  std::size_t multicasts = 0;
  for (const VerilogRouter& model : verilog_routers())
    for (int number = 1; number <= (instrumented ? 1 : 3); ++number) {
      const Crowd crowd(model, number);
      INFO(model.name << ", crowd " << number);
      const Results expected = crowd.in_systemc();
      require_same(crowd.in_verilog({}), expected);
      multicasts += expected.outcome == Outcome::complete ? crowd.multicasts() : 0;
    }
  REQUIRE(multicasts >= (instrumented ? 50 : 200));
}

TEST_CASE("a router in Verilog in any one node of Q_3 and Q_4 changes no cycle",
          "[rtl][lan_1988]") {
  for (const char* name : {"cube_3", "cube_4"}) {
    const VerilogRouter model = verilog_router(name);
    const Crowd crowd(model, 11);
    const Results expected = crowd.in_systemc();
    const int step = instrumented ? 5 : 1;
    for (int node = 0; node < 1 << model.parameters.dimensions; node += step) {
      INFO(name << ", node " << node);
      require_same(crowd.in_verilog({{node}}), expected);
    }
  }
}

TEST_CASE(
    "routers in Verilog beside those in SystemC give the same results in every scheduling "
    "and build order",
    "[rtl][lan_1988]") {
  const VerilogRouter model = verilog_router("cube_4");
  const Crowd crowd(model, 21);
  const Results expected = crowd.in_systemc();
  const VerilogPlaces checkerboard{{0, 3, 5, 6, 9, 10, 12, 15}};
  for (const RunVariant& variant : all_run_variants()) {
    if (instrumented && variant.order != "forward") continue;
    INFO(variant.scheduling << ", " << variant.order);
    require_same(crowd.in_verilog(checkerboard, variant.scheduling, variant.order), expected);
  }
}

namespace {

/// The example of the source: from 6 to six destinations in Q_5.
Scenario example(const std::string& router) {
  const VerilogParameters parameters = verilog_router("cube_5").parameters;
  return Scenario::parse(fmt::format(R"(
scenario: example
topology: {{kind: hypercube, dimensions: 5}}
channel: {}
router: {}
operation: {{kind: multicast, source: 6, destinations: [7, 20, 29, 18, 1, 0], message: 32 B}}
algorithm: {{kind: hardware_multicast}}
observe: [{{kind: latency, packets: true}}, {{kind: flit_log}},
          {{kind: routers, selections: true}}]
allow_deadlock: true
)",
                                     parameters.channel(), router));
}

}  // namespace

// Lan 1988, section 5.3; with the lowest of several fullest dimensions it takes ten links.
TEST_CASE("routers in Verilog send the example of section 5.3 in Q_5 over the same ten links",
          "[rtl][lan_1988]") {
  const VerilogRouter model = verilog_router("cube_5");
  const Results expected = simulate(example(model.parameters.router()), standard_catalog());
  const Results found = simulate(example("{kind: verilog}"), verilog_catalog(model));
  REQUIRE(found.outcome == Outcome::complete);
  require_same(found, expected);
  // A selection is a link of the tree.
  REQUIRE(found.table("selections").rows.size() == 10);
}

namespace {

/// The example, with a wire of a router broken.
Results broken(int node, const CutWires& cut) {
  VerilogPlaces places;
  places.cuts[node] = cut;
  const VerilogRouter model = verilog_router("cube_5");
  return simulate(example("{kind: verilog}")
                      .with("watchdog", "{interval: 200 cycle}")
                      .with("stop", "{limit: 5000 cycle}"),
                  verilog_catalog(model, places));
}

}  // namespace

TEST_CASE("a request or an acknowledgement that is lost in Verilog ends the run with a report",
          "[rtl][lan_1988]") {
  // Node 6 sends along dimension 1 to node 4, behind which there are 20, 29, 1 and 0.
  const CutWires lost_request{0b00010, 0};
  const CutWires lost_acknowledgement{0, 0b00010};
  for (const Results& results : {broken(6, lost_request), broken(4, lost_acknowledgement)}) {
    REQUIRE(results.outcome == Outcome::limit);
    REQUIRE(results.message == "stop.limit reached: not all data delivered by cycle 5000");
    REQUIRE(results.table("packets").rows.size() == 2);
  }
}

}  // namespace multicast_router_test
