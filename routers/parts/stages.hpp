// routers/parts/stages.hpp: the clocked stages of an input-queued router, and what they are busy
// with.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "modules/router.hpp"
#include "routers/parts/allocator.hpp"

namespace flitwave {

/// What the delays of a router are.
enum class StageModel {
  /// Least times before decisions: everything that has waited for so long is decided in every
  /// cycle, and a grant can be used at once.
  merged,
  /// Stages of a pipeline: each takes all that waits for it, is busy with it for its delay, and
  /// hands on what it decided to the next stage in the cycle after.
  clocked,
};
std::vector<std::string> names_of(StageModel);

/// The rules of clocked stages. Unit of delays: cycle
struct StageRule {
  int route = 0;  ///< 0: the route was looked up on the way.
  int vc = 1;
  int passage = 1;
  /// A head asks for the switch while it asks for a virtual channel; a passage that it is granted
  /// and cannot use is lost.
  bool speculative = false;
  AllocatorRule allocator;

  /// From virtual-channel allocation to the switch's grant, both included.
  int allocation() const { return speculative ? std::max(vc, passage) : vc + passage; }
  /// The same in the terms of merged stages, for a packet alone.
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
  /// A flit at the front of an input's virtual channel asks for the switch.
  struct Bid {
    int output;
    int vc;
    bool speculative;
  };

  Stages(const StageRule& stage_rule, const RouterSite& site, int vcs);

  /// Random choices must not depend on how bids were found: by output, each virtual channel once.
  void sort_bids();

  StageRule rule;
  Allocator vc_allocator;            // inputs' virtual channels x outputs' virtual channels
  Allocator switch_allocator;        // input ports x output ports
  std::vector<Arbiter> vc_arbiters;  // Shape: [ports]; which virtual channel asks for an output
  std::vector<int> routing;          // heads in the stage: port * vcs + vc
  std::vector<int> claiming;         // heads in the stage: port * vcs + vc
  bool asked = false;                // whether one of them asked for anything
  std::vector<Passage> passages;     // granted, not yet used
  std::vector<Cycle> first_try;      // the first tick in which a head may be routed; as inputs
  Cycle route_until = -1;            // last cycle in which the stage is busy
  Cycle vc_until = -1;
  Cycle switch_until = -1;
  std::vector<Bid> bids;          // scratch
  std::vector<Request> requests;  // scratch
};

}  // namespace flitwave
