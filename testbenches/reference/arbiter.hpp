// testbenches/reference/arbiter.hpp: who goes first.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "configs/random.hpp"
#include "testbenches/reference/field.hpp"
#include "testbenches/reference/wiring.hpp"

namespace flitwave::reference {

/// One that asks.
struct Request {
  Index number = 0;
  Cycle since = 0;    ///< From when on it asks; for first_come.
  Cycle created = 0;  ///< When its packet was made; for oldest_packet.
};

/// The places of arbiters among random streams: of one for every port of every router, of one for
/// every virtual channel of these, and of one for every slot of these.
std::vector<std::uint64_t> places_of_ports(const Wiring& wiring);
std::vector<std::uint64_t> places_of_vcs(const Wiring& wiring, Index vcs);
std::vector<std::uint64_t> places_of_slots(const Wiring& wiring, Index slots);

/// Arbiters of one sort in all routers. Each remembers whom it served last.
class Arbiters {
 public:
  /// `places`: the arbiters' numbers among the random streams of `purpose`; ask for none unless
  /// the rule is random. `requesters`: numbers are below this.
  Arbiters(const Params& params, std::string_view purpose, const std::vector<std::uint64_t>& places,
           Index requesters);

  /// The position of the winner. Needs: at least two requests, in order of number
  std::size_t pick(Index arbiter, const std::vector<Request>& requests);
  void served(Index arbiter, Index number) { last_[arbiter] = number; }

 private:
  Arbitration rule_;
  Field<Index> last_;
  Field<Random> streams_;  // rule random only
};

}  // namespace flitwave::reference
