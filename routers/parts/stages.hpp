// routers/parts/stages.hpp: the clocked stages of an input-queued router and their state.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "modules/router.hpp"
#include "routers/parts/allocator.hpp"

namespace flitwave {

/// The meaning of the delays of a router.
enum class StageModel {
  /// Least times before decisions: all requests that have waited for this time are decided in every
  /// cycle, and a grant can be used at once.
  merged,
  /// Stages of a pipeline: each accepts all waiting requests, is busy for its delay, and passes its
  /// decisions to the next stage in the next cycle.
  clocked,
};
std::vector<std::string> names_of(StageModel);

/// The rules of clocked stages. Unit of delays: cycle
struct StageRule {
  int route = 0;  ///< 0: the route is known on arrival (look-ahead routing).
  int vc = 1;
  int passage = 1;
  /// Whether a head requests the switch while it requests a virtual channel; a passage that is
  /// granted and cannot be used is lost.
  bool speculative = false;
  AllocatorRule allocator;

  /// From virtual-channel allocation to the grant of the switch, both included.
  int allocation() const { return speculative ? std::max(vc, passage) : vc + passage; }
  /// The corresponding delays of merged stages, for a packet without contention.
  PipelineTiming timing(int traversal) const {
    return {route, allocation() - passage, passage - 1, traversal, true};
  }
};

/// State of the clocked stages of one router.
struct Stages {
  /// A passage of the switch that was granted.
  struct Passage {
    int port;
    int vc;
    int output;
  };
  /// A request for the switch of a flit at the front of an input virtual channel.
  struct Bid {
    int output;
    int vc;
    bool speculative;
  };

  Stages(const StageRule& stage_rule, const RouterSite& site, int vcs);

  /// Sorts bids by output and removes duplicates, so that random choices do not depend on the order
  /// in which bids were found.
  void sort_bids();

  StageRule rule;
  Allocator vc_allocator;            // inputs' virtual channels x outputs' virtual channels
  Allocator switch_allocator;        // input ports x output ports
  std::vector<Arbiter> vc_arbiters;  // Shape: [ports]; choose the virtual channel of a request
  std::vector<int> routing;          // heads in the stage: port * vcs + vc
  std::vector<int> claiming;         // heads in the stage: port * vcs + vc
  bool requested = false;            // whether one of them has requested a virtual channel
  std::vector<Passage> passages;     // granted, not yet used
  std::vector<Cycle> first_try;      // the first tick in which a head may be routed; as inputs
  Cycle route_until = -1;            // last cycle in which the stage is busy
  Cycle vc_until = -1;
  Cycle switch_until = -1;
  std::vector<Bid> bids;          // scratch
  std::vector<Request> requests;  // scratch
};

}  // namespace flitwave
