// algorithms/deadlock/going_on.hpp: the routes of worms that continue from a stop.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "algorithms/routing.hpp"

namespace flitwave {

/// A relation whose packets do not start at their sources but continue there, as if they had
/// arrived by a channel. For the check of dependencies, where the relation routes both differently
/// (StopOrder::starts_apart).
class GoingOn final : public RoutingFunction {
 public:
  /// The arguments outlive it.
  GoingOn(const RoutingFunction& by, const Topology& topology) : by_(by), topology_(topology) {}

  void route(NodeId here, const Arrival& arrival, const Header& header,
             Route& route) const override {
    by_.route(here, arrival.injected() ? arrival_at(topology_, here) : arrival, header, route);
  }
  int vc_classes() const override { return by_.vc_classes(); }
  std::vector<std::uint32_t> all_choices() const override { return by_.all_choices(); }
  bool may_choose(NodeId source, std::uint32_t choice) const override {
    return by_.may_choose(source, choice);
  }

 private:
  const RoutingFunction& by_;
  const Topology& topology_;
};

}  // namespace flitwave
