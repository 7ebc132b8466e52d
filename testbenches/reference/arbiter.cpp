// testbenches/reference/arbiter.cpp: see arbiter.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/arbiter.hpp"

namespace flitwave::reference {

std::vector<std::uint64_t> streams_of_ports(const Wiring& wiring) {
  constexpr Index most_ports = 64;
  std::vector<std::uint64_t> streams;
  for (Index node = 0; node < wiring.nodes; ++node)
    for (Index port = 0; port < wiring.ports; ++port)
      streams.push_back(static_cast<std::uint64_t>(node * most_ports + port));
  return streams;
}

std::vector<std::uint64_t> streams_of_vcs(const Wiring& wiring, Index vcs) {
  constexpr std::uint64_t most_vcs = 64;
  std::vector<std::uint64_t> streams;
  for (std::uint64_t port : streams_of_ports(wiring))
    for (Index vc = 0; vc < vcs; ++vc)
      streams.push_back(port * most_vcs + static_cast<std::uint64_t>(vc));
  return streams;
}

std::vector<std::uint64_t> streams_of_slots(const Wiring& wiring, Index slots) {
  constexpr std::uint64_t most_ports = 64;
  constexpr std::uint64_t most_nodes = 262144;
  std::vector<std::uint64_t> streams;
  for (std::uint64_t port : streams_of_ports(wiring))
    for (Index slot = 0; slot < slots; ++slot)
      streams.push_back(static_cast<std::uint64_t>(slot) * most_nodes * most_ports + port);
  return streams;
}

Arbiters::Arbiters(const Params& params, std::string_view purpose,
                   const std::vector<std::uint64_t>& streams, Index requesters)
    : rule_(params.arbitration), last_(static_cast<Index>(streams.size()), requesters - 1) {
  if (rule_ != Arbitration::random) return;
  for (std::uint64_t stream : streams) streams_.push_back(Random(params.seed, purpose, stream));
}

std::size_t Arbiters::pick(Index arbiter, const std::vector<Request>& requests) {
  if (rule_ == Arbitration::fixed) return 0;
  if (rule_ == Arbitration::random)
    return static_cast<std::size_t>(streams_[arbiter].below(requests.size()));
  const auto priority_of = [this](const Request& request) {
    return rule_ == Arbitration::first_come      ? request.since
           : rule_ == Arbitration::oldest_packet ? request.created
                                                 : 0;
  };
  // Among the first requests by the rule, the next in turn wins: the first number above the last
  // grant, or else the first of all.
  const Index last = last_[arbiter];
  std::size_t best = 0;
  for (std::size_t i = 1; i < requests.size(); ++i) {
    const Cycle mine = priority_of(requests[i]);
    const Cycle others = priority_of(requests[best]);
    const bool in_turn = requests[best].number <= last && requests[i].number > last;
    if (mine < others || (mine == others && in_turn)) best = i;
  }
  return best;
}

}  // namespace flitwave::reference
