// routers/parts/arbiter.hpp: arbitration among requests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "configs/quantity.hpp"
#include "configs/random.hpp"

namespace flitwave {

/// The rule by which one of several requests is granted.
enum class Arbitration : std::uint8_t {
  round_robin,    ///< The next after the one granted last.
  first_come,     ///< The request that has waited longest; then round robin.
  oldest_packet,  ///< The packet created first; then round robin.
  fixed,          ///< The lowest number.
  random,         ///< Uniformly at random, from a seeded stream.
};
std::vector<std::string> names_of(Arbitration);

/// A request with the data that the rules use.
struct Request {
  int index = 0;      ///< The requester's number. Range: 0 .. requesters - 1
  Cycle since = 0;    ///< When it was first made.
  Cycle created = 0;  ///< When its packet was created.
};

/// Grants one of several requests. Its state changes only when a grant is used, and it consumes
/// random numbers only when there is a choice.
class Arbiter {
 public:
  Arbiter() : Arbiter(Arbitration::fixed, 1, Random(0, "none")) {}
  /// `requesters`: the greatest number of requesters; `stream` seeds the random rule.
  Arbiter(Arbitration rule, int requesters, const Random& stream)
      : random_(stream),
        rule_(rule),
        requesters_(static_cast<std::int16_t>(requesters)),
        last_(static_cast<std::int16_t>(requesters - 1)) {}

  /// Returns: the position of the winner in `requests`.
  /// Needs: at least one request.
  std::size_t pick(const std::vector<Request>& requests);

  /// Registers that a requester was served: the next round robin starts after it.
  void served(int index) { last_ = static_cast<std::int16_t>(index); }

 private:
  int distance(int index) const {
    const int ahead = index - last_ - 1;
    return ahead < 0 ? ahead + requesters_ : ahead;
  }
  bool before(const Request& a, const Request& b) const;

  Random random_;
  Arbitration rule_;
  std::int16_t requesters_;
  std::int16_t last_;
};

}  // namespace flitwave
