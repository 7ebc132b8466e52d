// testbenches/reference/arbiter.hpp: arbiters of all routers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "configs/random.hpp"
#include "testbenches/reference/field.hpp"
#include "testbenches/reference/wiring.hpp"

namespace flitwave::reference {

/// A request at an arbiter.
struct Request {
  Index number = 0;
  Cycle since = 0;    ///< Cycle of the request; for first_come.
  Cycle created = 0;  ///< Creation cycle of its packet; for oldest_packet.
};

/// The numbers of random streams of arbiters: with one arbiter per router port, one per virtual
/// channel of each port, and one per time slot of each port.
std::vector<std::uint64_t> streams_of_ports(const Wiring& wiring);
std::vector<std::uint64_t> streams_of_vcs(const Wiring& wiring, Index vcs);
std::vector<std::uint64_t> streams_of_slots(const Wiring& wiring, Index slots);

/// Arbiters of one kind in all routers. Each stores its last grant.
class Arbiters {
 public:
  /// `streams`: the arbiters' numbers among the random streams of `purpose`; random numbers are
  /// consumed under the rule random only. `requesters`: upper bound of the numbers of requests.
  Arbiters(const Params& params, std::string_view purpose,
           const std::vector<std::uint64_t>& streams, Index requesters);

  /// The position of the winner. Needs: at least two requests, in order of number
  std::size_t pick(Index arbiter, const std::vector<Request>& requests);
  void served(Index arbiter, Index number) { last_[arbiter] = number; }

 private:
  Arbitration rule_;
  Field<Index> last_;
  Field<Random> streams_;  // rule random only
};

}  // namespace flitwave::reference
