// testbenches/tests/unit/algorithms/arrays/array_combining_test.cpp: combined messages of base
// patterns.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <limits>

#include "algorithms/arrays/combining_cost.hpp"
#include "algorithms/arrays/line_tree.hpp"
#include "algorithms/arrays/region_communication.hpp"
#include "algorithms/arrays/regular_schedule.hpp"
#include "testbenches/tests/catch.hpp"
#include "testbenches/tests/instrumented.hpp"
#include "testbenches/tests/unit/algorithms/arrays/array_cases.hpp"
#include "testbenches/tests/unit/algorithms/arrays/array_checks.hpp"

namespace array_combining_test {

using namespace flitwave;
using namespace flitwave::testing;

namespace {

/// Sum over all slots of the slot's longest message.
std::int64_t longest_of_slots(const std::vector<ArraySend>& sends, TransferPhase phase) {
  std::int64_t sum = 0;
  for (const auto& [slot, together] : by_slot(sends)) {
    if (slot.first != phase) continue;
    std::int64_t longest = 0;
    for (const ArraySend& send : together) longest = std::max(longest, send.block.elements());
    sum += longest;
  }
  return sum;
}

int logarithm(int nodes) {
  int steps = 0;
  for (int reached = 1; reached < nodes; reached *= 2) ++steps;
  return steps;
}

/// A regular transfer with a given number of senders and receivers per base pattern.
class Combined final : public ArraySchedule {
 public:
  Combined(const ArrayAssignment& of, const CombiningGrid& combining)
      : ArraySchedule(of), grid_(of, false), region_(combining_region(grid_, combining)) {}

  int slots(TransferPhase phase) const override {
    if (phase == TransferPhase::gather) return region_->gather_slots();
    if (phase == TransferPhase::scatter) return region_->scatter_slots();
    return phase == TransferPhase::main ? grid_.sections().slots() * region_->slots() : 0;
  }
  void sends_of(MeshPlace node, std::vector<ArraySend>& sends) const override {
    if (grid_.has_source(node)) {
      const PatternPlace at = grid_.at_source(node);
      region_->gather(at, sends);
      region_->send(at, grid_.sections().slot(at.region_row, at.region_column) * region_->slots(),
                    sends);
    }
    if (grid_.has_destination(node)) region_->scatter(grid_.at_destination(node), sends);
  }

 private:
  RegionGrid grid_;
  std::unique_ptr<RegionCommunication> region_;
};

/// Checks a transfer of few base patterns at every degree of combining; returns their number.
int check_degrees(const RegularCase& of) {
  const ArrayAssignment assignment = of.assignment();
  const BasePattern pattern = base_pattern(assignment);
  int checked = 0;
  for (int gathers = 0; 1 << gathers <= pattern.sources(); ++gathers)
    for (int scatters = 0; 1 << scatters <= pattern.destinations(); ++scatters) {
      CAPTURE(of.pattern_rows, of.pattern_columns, of.source_rows, of.source_columns,
              of.destination_rows, of.destination_columns, of.down, of.right, gathers, scatters);
      const Combined schedule(assignment, combining_grid(pattern, {gathers, scatters}));
      const std::vector<ArraySend> sends = schedule.sends();
      REQUIRE(fault_of(schedule) == "");
      const CombiningCost cost =
          combining_cost(pattern.sources(), pattern.destinations(), {gathers, scatters});
      REQUIRE(schedule.slots(TransferPhase::main) % cost.region_startups == 0);
      REQUIRE(schedule.slots(TransferPhase::gather) + schedule.slots(TransferPhase::scatter) ==
              cost.overhead_startups);
      REQUIRE(longest_of_slots(sends, TransferPhase::gather) +
                  longest_of_slots(sends, TransferPhase::scatter) ==
              cost.overhead_units);
      for (const auto& [ends, times] : main_pairs(schedule)) REQUIRE(times == 1);
      const std::size_t pairs = main_pairs(schedule).size();
      const std::size_t patterns =
          static_cast<std::size_t>(of.pattern_rows) * static_cast<std::size_t>(of.pattern_columns);
      REQUIRE(pairs <= patterns * static_cast<std::size_t>(cost.region_startups));
      if (of.down >= of.pattern_rows * of.source_rows)  // no node is both sender and receiver
        REQUIRE(pairs == patterns * static_cast<std::size_t>(cost.region_startups));
      ++checked;
    }
  return checked;
}

/// Base patterns of 1 to 8 nodes in each of four numbers, on some grids and at some offsets.
int check_hybrids(int every) {
  int cases = 0;
  int checked = 0;
  for (int rows : {1, 2, 4, 8})
    for (int columns : {1, 2, 4, 8})
      for (bool gather_rows : {false, true})
        for (bool gather_columns : {false, true}) {
          if ((rows == 1 && gather_rows) || (columns == 1 && gather_columns)) continue;
          Random random(3, "hybrids", static_cast<std::uint64_t>(cases));
          for (int i = 0; i < 6; ++i) {
            RegularCase made;
            (gather_rows ? made.source_rows : made.destination_rows) = rows;
            (gather_columns ? made.source_columns : made.destination_columns) = columns;
            made.pattern_rows = between(random, 1, 5);
            made.pattern_columns = between(random, 1, 5);
            made.down = between(random, -9, 9);
            made.right = between(random, -9, 9);
            if (cases++ % every == 0) checked += check_degrees(made);
          }
        }
  return checked;
}

/// The degree of least cost, found by trying all degrees; any one of equal costs.
double least_cost(int sources, int destinations, int regions, MessageCost cost) {
  double least = std::numeric_limits<double>::infinity();
  for (int gathers = 0; 1 << gathers <= sources; ++gathers)
    for (int scatters = 0; 1 << scatters <= destinations; ++scatters)
      least = std::min(
          least, combining_cost(sources, destinations, {gathers, scatters}).total(regions, cost));
  return least;
}

/// Cost of a degree by the table of section 3.2.4. `unit` is the cost of the elements that one node
/// has for one other node; each gather or scatter step moves twice as much as the step before.
double cost_by_hand(int sources, int destinations, CombiningDegree degree, int regions,
                    double startup, double unit) {
  double cost = 0;
  for (int i = 0; i < degree.gathers; ++i) cost += startup + unit * destinations * (1 << i);
  for (int i = 0; i < degree.scatters; ++i) cost += startup + unit * sources * (1 << i);
  const int messages = (sources >> degree.gathers) * (destinations >> degree.scatters);
  return cost + regions * (messages * startup + sources * destinations * unit);
}

/// Whether no other degree costs less by the same table.
bool is_cheapest_by_hand(int sources, int destinations, CombiningDegree degree, int regions,
                         double startup, double unit) {
  const double cost = cost_by_hand(sources, destinations, degree, regions, startup, unit);
  for (int gathers = 0; 1 << gathers <= sources; ++gathers)
    for (int scatters = 0; 1 << scatters <= destinations; ++scatters)
      if (cost_by_hand(sources, destinations, {gathers, scatters}, regions, startup, unit) < cost)
        return false;
  return true;
}

/// `senders` in a column to 2 nodes in a row; 6 base patterns below each other, as many rows
/// further down, `share` x `share` elements per message. With routes along rows first there are 3
/// regions of 2 rows and `senders` columns of patterns, one after another; with routes along
/// columns first there are 6 regions of 1 x 1 pattern.
ArrayAssignment column_to_row(int senders, std::int64_t share, RouteOrder order) {
  const std::int64_t elements = 6 * senders * share;
  return {regular_axis({0, share}, {6 * senders, share * senders}, elements),
          regular_axis({0, 2 * share}, {0, share}, 2 * share), Alignment::identical, order};
}

}  // namespace

TEST_CASE(
    "a line gathers at any of its nodes in a logarithmic number of steps, and scatters in reverse",
    "[arrays]") {
  for (int nodes = 1; nodes <= 20; ++nodes)
    for (int root = 0; root < nodes; ++root) {
      REQUIRE(tree_slots(nodes) == logarithm(nodes));
      std::vector<std::array<int, 5>> gathered;
      std::vector<std::array<int, 5>> scattered;
      for (int node = 0; node < nodes; ++node) {
        for (const LineSend& send : line_gather(nodes, root, node)) {
          // The sender is adjacent to the other half.
          REQUIRE(node == (send.to > send.last ? send.last : send.first));
          gathered.push_back(
              {tree_slots(nodes) - 1 - send.slot, node, send.to, send.first, send.last});
        }
        for (const LineSend& send : line_scatter(nodes, root, node))
          scattered.push_back({send.slot, send.to, node, send.first, send.last});
      }
      std::sort(gathered.begin(), gathered.end());
      std::sort(scattered.begin(), scattered.end());
      REQUIRE(gathered == scattered);
      REQUIRE(gathered.size() == static_cast<std::size_t>(nodes - 1));
    }
}

TEST_CASE("288 gather trees are contention-free and as short as equation 3.10 states", "[arrays]") {
  int trees = 0;
  for (int rows = 1; rows <= 8; ++rows)
    for (int columns = 1; columns <= 8; ++columns)
      for (int root = 0; root < rows; ++root) {
        // Base patterns of rows x columns sources; the pattern in region column `root` gathers
        // there.
        RegularCase made;
        made.source_rows = rows;
        made.source_columns = columns;
        made.pattern_columns = root + 1;
        made.right = 100;
        const Combined schedule(made.assignment(), {});
        CAPTURE(rows, columns, root);
        REQUIRE(fault_of(schedule) == "");
        REQUIRE(schedule.slots(TransferPhase::gather) == logarithm(rows) + logarithm(columns));
        REQUIRE(schedule.slots(TransferPhase::scatter) == 0);
        std::vector<ArraySend> own = schedule.sends();
        own.erase(std::remove_if(
                      own.begin(), own.end(),
                      [&](const ArraySend& send) { return send.from.column / columns != root; }),
                  own.end());
        REQUIRE(own.size() == static_cast<std::size_t>(rows * columns));
        REQUIRE(own.back().phase == TransferPhase::main);
        REQUIRE(own.back().from == MeshPlace{root, root * columns});
        if (is_power_of_two(rows) && is_power_of_two(columns))
          REQUIRE(longest_of_slots(own, TransferPhase::gather) == rows * columns - 1);
        ++trees;
      }
  REQUIRE(trees == 288);
}

TEST_CASE(
    "hybrid transfers of every degree are contention-free and cost what the cost model counts",
    "[arrays]") {
  REQUIRE(check_hybrids(test::instrumented ? 40 : 8) >= 20);
}

TEST_CASE("more than 1452 hybrid transfers", "[arrays][long]") {
  REQUIRE(check_hybrids(1) >= 1452);
}

TEST_CASE("combining until it no longer reduces the cost has the least cost of all degrees",
          "[arrays]") {
  int checked = 0;
  for (int sources = 1; sources <= 64; sources *= 2)
    for (int destinations = 1; destinations <= 64; destinations *= 2)
      for (int regions : {1, 2, 3, 4, 5, 7, 10, 100})
        for (double startup : {0.0, 0.5, 1.0, 3.0, 10.0, 100.0, 10000.0}) {
          const MessageCost cost{startup, 1};
          CAPTURE(sources, destinations, regions, startup);
          const CombiningDegree degree = choose_degree(sources, destinations, regions, cost);
          REQUIRE(combining_cost(sources, destinations, degree).total(regions, cost) ==
                  Approx(least_cost(sources, destinations, regions, cost)));
          ++checked;
        }
  REQUIRE(checked == 2744);
}

TEST_CASE("no combining and full combining cost what equations 3.8 to 3.10 state", "[arrays]") {
  for (int sources = 1; sources <= 32; sources *= 2)
    for (int destinations = 1; destinations <= 32; destinations *= 2) {
      const auto same = [](const CombiningCost& a, const CombiningCost& b) {
        return a.overhead_startups == b.overhead_startups && a.overhead_units == b.overhead_units &&
               a.region_startups == b.region_startups && a.region_units == b.region_units;
      };
      REQUIRE(same(one_to_one_cost(sources, destinations),
                   combining_cost(sources, destinations, {0, 0})));
      REQUIRE(same(
          gather_scatter_cost(sources, destinations),
          combining_cost(sources, destinations, {logarithm(sources), logarithm(destinations)})));
    }
}

TEST_CASE("the hybrid reports its degree and chooses between the extremes off powers of two",
          "[arrays]") {
  RegularCase of;  // 4 -> 2 nodes
  of.pattern_rows = 6;
  of.source_rows = 4;
  of.destination_columns = 2;
  of.down = 30;
  RegularOptions options;
  options.routine = RegionRoutine::hybrid;
  const RegionChoice halved = choose_region(of.assignment(), options);
  REQUIRE(halved.routine == RegionRoutine::hybrid);
  REQUIRE(halved.degree == choose_degree(4, 2, 3, {1, 1}));
  REQUIRE(regular_schedule(of.assignment(), options)->remarks() ==
          std::vector<std::string>{"base patterns of 4 to 2 nodes: 1 gathers and 1 scatters"});
  REQUIRE(regular_schedule(of.assignment(RouteOrder::column_first), options)->remarks().size() ==
          1);
  REQUIRE(regular_schedule(of.assignment())->remarks().empty());

  of.source_rows = 3;
  for (const double startup : {0.01, 100.0}) {
    options.cost.startup = startup;
    const RegionChoice extreme = choose_region(of.assignment(), options);
    REQUIRE(extreme.routine ==
            (startup < 1 ? RegionRoutine::one_to_one : RegionRoutine::gather_scatter));
    REQUIRE(extreme.remark.find("base patterns of 3 to 2 nodes cannot be halved") == 0);
    const auto schedule = regular_schedule(of.assignment(), options);
    REQUIRE(fault_of(*schedule) == "");
    REQUIRE(schedule->slots(TransferPhase::gather) == (startup < 1 ? 0 : 2));
    REQUIRE(schedule->remarks() == std::vector<std::string>{extreme.remark});
  }
}

TEST_CASE(
    "the hybrid counts all elements of a message: messages of 16 are combined to one degree less",
    "[arrays]") {
  RegularOptions options;
  options.routine = RegionRoutine::hybrid;
  options.cost = {16, 1};
  std::vector<CombiningDegree> chosen;
  for (const int share : {1, 4}) {
    const ArrayAssignment of = column_to_row(4, share, RouteOrder::row_first);
    const RegionChoice choice = choose_region(of, options);
    CAPTURE(share, choice.degree.gathers, choice.degree.scatters);
    REQUIRE(is_cheapest_by_hand(4, 2, choice.degree, 3, 16, share * share));
    REQUIRE_FALSE(is_cheapest_by_hand(4, 2, choice.degree, 3, 16, 17 - share * share));
    chosen.push_back(choice.degree);
    const auto schedule = regular_schedule(of, options);
    REQUIRE(fault_of(*schedule) == "");
    const int messages = (4 >> choice.degree.gathers) * (2 >> choice.degree.scatters);
    REQUIRE(schedule->slots(TransferPhase::main) == 3 * messages);
  }
  REQUIRE(chosen == std::vector<CombiningDegree>{{2, 1}, {1, 1}});
}

TEST_CASE("off powers of two the hybrid counts all elements of a message", "[arrays]") {
  RegularOptions options;
  options.routine = RegionRoutine::hybrid;
  options.cost = {5, 1};
  for (const int share : {1, 4}) {
    const int unit = share * share;
    const int direct = 3 * 6 * (5 + unit);                                // eq. 3.8
    const int combined = 3 * (5 + 6 * unit) + (3 * 5 + (12 - 5) * unit);  // eq. 3.9 and 3.10
    CAPTURE(share, direct, combined);
    REQUIRE((direct < combined) == (share == 4));
    const RegionChoice choice =
        choose_region(column_to_row(3, share, RouteOrder::row_first), options);
    REQUIRE(choice.routine ==
            (share == 4 ? RegionRoutine::one_to_one : RegionRoutine::gather_scatter));
  }
}

TEST_CASE(
    "under routes along columns first the hybrid counts regions with rows and columns swapped",
    "[arrays]") {
  RegularOptions options;
  options.routine = RegionRoutine::hybrid;
  std::vector<CombiningDegree> chosen;
  for (const RouteOrder order : {RouteOrder::row_first, RouteOrder::column_first}) {
    const int regions = order == RouteOrder::row_first ? 3 : 6;
    const ArrayAssignment of = column_to_row(4, 1, order);
    const RegionChoice choice = choose_region(of, options);
    CAPTURE(regions, choice.degree.gathers, choice.degree.scatters);
    REQUIRE(is_cheapest_by_hand(4, 2, choice.degree, regions, 1, 1));
    REQUIRE_FALSE(is_cheapest_by_hand(4, 2, choice.degree, 9 - regions, 1, 1));
    chosen.push_back(choice.degree);
    const auto schedule = regular_schedule(of, options);
    REQUIRE(fault_of(*schedule) == "");
    const int messages = (4 >> choice.degree.gathers) * (2 >> choice.degree.scatters);
    REQUIRE(schedule->slots(TransferPhase::main) == regions * messages);
    REQUIRE(schedule->slots(TransferPhase::gather) == choice.degree.gathers);
    REQUIRE(schedule->remarks() == std::vector<std::string>{choice.remark});
  }
  REQUIRE(chosen == std::vector<CombiningDegree>{{1, 1}, {2, 1}});
}

}  // namespace array_combining_test
