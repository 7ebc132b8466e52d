// testbenches/tests/timed/relay/lone_multicast.hpp: a multicast alone in a cube of Lan's routers,
// in two ways.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "algorithms/cube_multicast/faults.hpp"
#include "algorithms/cube_multicast/relay/tie_settings.hpp"
#include "configs/random.hpp"
#include "configs/scenario.hpp"
#include "routers/relay/message_unit.hpp"
#include "testbenches/reference/papers/relay_times.hpp"

namespace flitwave::test {

/// What became of a multicast.
struct LoneOutcome {
  std::map<int, Cycle> times;    ///< By destination: from the hand-over to its packet's last flit.
  std::vector<int> unreachable;  ///< Destinations that were given up, ascending.
};
bool operator==(const LoneOutcome& a, const LoneOutcome& b);

/// The settings of the routers, and the message.
struct LoneMulticast {
  explicit LoneMulticast(int dimensions) : cube(dimensions), faults(cube) {}
  /// Draws all settings, the source and a list of working nodes. `broken`: draws the faults,
  /// sparing the source.
  template <class Broken>
  LoneMulticast(int dimensions, Random& random, Broken broken);

  /// The nodes and links that `faults` has.
  void break_down(const CubeNodes& nodes, const std::vector<CubeLink>& broken_links) {
    faults = CubeFaults(cube, nodes, broken_links);
    links = broken_links;
  }

  Scenario scenario() const;
  /// Throws: std::runtime_error when the run does not end well, or a packet comes twice.
  LoneOutcome simulated() const;
  LoneOutcome by_formula() const;

  Cube cube;
  CubeFaults faults;
  std::vector<CubeLink> links;  ///< Those of the faults.
  CubeAddress source = 0;
  CubeNodes destinations;
  std::int64_t data = 16;  ///< Unit: flit
  int capacity = 4;
  bool fault_tolerant = false;
  Ties ties = Ties::lowest;
  int field = 1;
  int link_bits = 0;  ///< In place of `field`, which they make.
  int selection = 10;
  Selecting selecting = Selecting::overlapped;
  Branching branching = Branching::parallel;
  Relaying switching = Relaying::relay;
  StoredDelivery delivery = StoredDelivery::stored;
  bool hop_classes = false;
  int latency = 1;
  int handshake = 0;  ///< T_hs; 0: as long as the wires take.
  bool blocks = false;

 private:
  void draw_settings(Random& random);
  void draw_message(Random& random);
};

template <class Broken>
LoneMulticast::LoneMulticast(int dimensions, Random& random, Broken broken)
    : LoneMulticast(dimensions) {
  draw_settings(random);
  source = static_cast<CubeAddress>(random.below(static_cast<std::uint64_t>(cube.nodes())));
  broken(*this, random);
  draw_message(random);
}

}  // namespace flitwave::test
