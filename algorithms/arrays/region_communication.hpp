// algorithms/arrays/region_communication.hpp: how a source region sends to its destination region.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "algorithms/arrays/combining_cost.hpp"
#include "algorithms/arrays/sections/array_schedule.hpp"
#include "algorithms/arrays/sections/base_pattern.hpp"

namespace flitwave {

/// The sends of the nodes of a region. They are the same in every region, so that neighbouring
/// regions share no channels either.
/// Source: Eberhart 1996, section 3.2.4
class RegionCommunication {
 public:
  explicit RegionCommunication(const RegionGrid& grid) : grid_(grid) {}
  virtual ~RegionCommunication() = default;

  /// Slots of one region's transfer, and of the gathers and scatters that happen once before and
  /// after all transfers.
  virtual int slots() const = 0;
  virtual int gather_slots() const { return 0; }
  virtual int scatter_slots() const { return 0; }

  /// The sends of a source node to its destination region. `first`: the slot in which the region
  /// begins.
  virtual void send(const PatternPlace& at, int first, std::vector<ArraySend>& sends) const = 0;
  /// The sends of a source node in gathers before the transfers, and of a destination node in
  /// scatters after them.
  virtual void gather(const PatternPlace&, std::vector<ArraySend>&) const {}
  virtual void scatter(const PatternPlace&, std::vector<ArraySend>&) const {}

 protected:
  const RegionGrid& grid() const { return grid_; }

 private:
  RegionGrid grid_;
};

/// Each source node sends to each destination node of its base pattern. All channels of a complete
/// region are busy in every slot.
/// Slots: R C R' C', divided by the greatest common divisor when regions are grouped by it.
/// Source: Eberhart 1996, algorithm 3
std::unique_ptr<RegionCommunication> one_to_one_region(const RegionGrid& grid);

/// How many rows and columns of a base pattern's nodes send, or receive, for the others.
/// Needs: divisors of R, C, R' and C'
struct CombiningGrid {
  int source_rows = 1;
  int source_columns = 1;
  int destination_rows = 1;
  int destination_columns = 1;
};
/// The senders and receivers of a degree of combining: gathers halve columns first, scatters rows
/// first.
/// Needs: a pattern of powers of two
/// Source: our own choice; Eberhart 1996 does not specify it
CombiningGrid combining_grid(const BasePattern& pattern, CombiningDegree degree);

/// Some source nodes gather the data of the others and send them to some destination nodes, which
/// scatter them. With one sender and one receiver per base pattern this is algorithm 4. Not for
/// grids grouped by the gcd.
/// Slots: one per pair of sender and receiver.
/// Source: Eberhart 1996, algorithms 4 and 5; the latter's sends are derived from both, as the text
///   proposes, but does not print
std::unique_ptr<RegionCommunication> combining_region(const RegionGrid& grid,
                                                      const CombiningGrid& combining);

}  // namespace flitwave
