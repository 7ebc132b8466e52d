// testbenches/tests/timed/relay/lone_multicast.hpp: a multicast alone in a cube of Lan's routers,
// simulated and by formula.
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

/// The result of a multicast.
struct LoneOutcome {
  std::map<int, Cycle> times;    ///< By destination: from the hand-over to the packet's last flit.
  std::vector<int> unreachable;  ///< Destinations without a delivery, ascending.
};
bool operator==(const LoneOutcome& a, const LoneOutcome& b);

/// The settings of the routers and the message.
struct LoneMulticast {
  explicit LoneMulticast(int dimensions) : cube(dimensions), faults(cube) {}
  /// Random settings, source and list of working nodes. `fail`: makes nodes and links faulty, but
  /// not the source.
  template <class MakeFaulty>
  LoneMulticast(int dimensions, Random& random, MakeFaulty make_faulty);

  /// Makes nodes and links faulty.
  void fail(const CubeNodes& nodes, const std::vector<CubeLink>& faulty_links) {
    faults = CubeFaults(cube, nodes, faulty_links);
    links = faulty_links;
  }

  Scenario scenario() const;
  /// Throws: std::runtime_error when the run does not complete, or a packet arrives twice.
  LoneOutcome simulated() const;
  LoneOutcome by_formula() const;

  Cube cube;
  CubeFaults faults;
  std::vector<CubeLink> links;  ///< Faulty links.
  CubeAddress source = 0;
  CubeNodes destinations;
  std::int64_t data = 16;  ///< Unit: flit
  int capacity = 4;
  bool fault_tolerant = false;
  Ties ties = Ties::lowest;
  int field = 1;
  int link_bits = 0;  ///< Replaces `field`, which follows from it.
  int selection = 10;
  Selecting selecting = Selecting::overlapped;
  Branching branching = Branching::parallel;
  Relaying switching = Relaying::relay;
  StoredDelivery delivery = StoredDelivery::stored;
  bool hop_classes = false;
  int latency = 1;
  int handshake = 0;  ///< T_hs; 0: given by the wires.
  bool blocks = false;

 private:
  void draw_settings(Random& random);
  void draw_message(Random& random);
};

template <class MakeFaulty>
LoneMulticast::LoneMulticast(int dimensions, Random& random, MakeFaulty make_faulty)
    : LoneMulticast(dimensions) {
  draw_settings(random);
  source = static_cast<CubeAddress>(random.below(static_cast<std::uint64_t>(cube.nodes())));
  make_faulty(*this, random);
  draw_message(random);
}

}  // namespace flitwave::test
