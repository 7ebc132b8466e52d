// testbenches/tests/timed/by_hand.hpp: collectives with a schedule written by hand, on four nodes
// in a line.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "configs/scenario.hpp"
#include "testbenches/job/catalog.hpp"

namespace flitwave::test {

/// One send of a schedule written by hand.
struct Send {
  int message;
  int from;
  int to;
  int step = 1;
  int addresses = 1;
  int phase = 0;
};

/// The catalogue with an operation and a collective `by_hand`.
inline Catalog by_hand(const std::vector<Delivery>& deliveries, const std::vector<Send>& sends,
                       const std::optional<CostFormula>& formula = std::nullopt) {
  struct NoParams {};
  Catalog catalog = standard_catalog();
  catalog.operations.add("by_hand", {"for tests", ""}, Schema<NoParams>{},
                         [deliveries](const NoParams&, const Topology&, Random&) {
                           return Demand{"by_hand", deliveries};
                         });
  catalog.collectives.add(
      "by_hand", {"for tests", ""}, Schema<NoParams>{},
      [sends, formula](const NoParams&, const Demand& demand, const CollectiveContext&) {
        Schedule schedule(demand);
        for (const Send& send : sends) {
          Transfer& sent =
              schedule.send(Pieces{send.message}, NodeId(send.from), NodeId(send.to), send.step);
          sent.addresses = send.addresses;
          sent.phase = send.phase;
        }
        schedule.set_formula(formula);
        return schedule;
      });
  return catalog;
}

/// Four nodes in a line; a clock cycle is 1 ns. A message of eight flits takes h + 10 cycles over h
/// channels: one cycle each for hand-over, injection and ejection, and seven for the flits behind
/// the head.
inline Scenario line(const std::string& node, const std::string& observer) {
  return Scenario::parse(R"(
scenario: test
topology: {kind: mesh, shape: [4, 1]}
channel: {width: 1 B}
router: {kind: wormhole, preset: single_cycle}
operation: {kind: by_hand}
algorithm: {kind: by_hand}
)")
      .with("observe", "[{kind: " + observer + "}]")
      .with("node", node);
}

}  // namespace flitwave::test
