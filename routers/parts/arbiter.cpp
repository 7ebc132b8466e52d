// routers/parts/arbiter.cpp: see arbiter.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/parts/arbiter.hpp"

#include "topologies/ids.hpp"

namespace flitwave {

std::vector<std::string> names_of(Arbitration) {
  return {"round_robin", "first_come", "oldest_packet", "fixed", "random"};
}

bool Arbiter::before(const Request& a, const Request& b) const {
  switch (rule_) {
    case Arbitration::first_come:
      if (a.since != b.since) return a.since < b.since;
      break;
    case Arbitration::oldest_packet:
      if (a.created != b.created) return a.created < b.created;
      break;
    case Arbitration::fixed:
      return a.index < b.index;
    case Arbitration::round_robin:
    case Arbitration::random:
      break;
  }
  return distance(a.index) < distance(b.index);
}

std::size_t Arbiter::pick(const std::vector<Request>& requests) {
  if (requests.size() == 1) return 0;
  if (rule_ == Arbitration::random) return index(random_.below(requests.size()));
  std::size_t best = 0;
  for (std::size_t i = 1; i < requests.size(); ++i)
    if (before(requests[i], requests[best])) best = i;
  return best;
}

}  // namespace flitwave
