// routers/input_queued/pipeline_settings.hpp: what the kinds of input-queued router have in common
// in a job.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "configs/schema.hpp"
#include "routers/input_queued/input_queued.hpp"
#include "routers/parts/stage_delays.hpp"

namespace flitwave {

/// What keeps the rings of a torus from deadlock.
enum class RingRule {
  classes,  ///< The routing's classes of virtual channels, or nothing.
  bubble,   ///< A free slot that is never given away.
};
std::vector<std::string> names_of(RingRule);

/// The parameters of a kind, as they are written.
struct PipelineSettings : StageDelays {
  StageModel stages = StageModel::merged;
  AllocatorKind allocator = AllocatorKind::separable_input_first;
  int iterations = 1;
  bool speculative = false;
  Arbitration arbitration = Arbitration::round_robin;
  VcReallocation vc_reallocation = VcReallocation::non_atomic;
  RingRule torus = RingRule::classes;
};
Schema<PipelineSettings> pipeline_schema();

/// Throws: ConfigError on `torus` when the switching is none for which a bubble works, and on what
///   only clocked stages have or lack.
RouterModel input_queued_model(const PipelineSettings& settings, Switching switching);

}  // namespace flitwave
