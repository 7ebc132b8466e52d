// routers/input_queued/pipeline_settings.hpp: the common settings of the kinds of input-queued
// router.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "configs/schema.hpp"
#include "routers/input_queued/input_queued.hpp"
#include "routers/parts/stage_delays.hpp"

namespace flitwave {

/// How deadlock in the rings of a torus is avoided.
enum class RingRule {
  classes,  ///< By the routing's classes of virtual channels, or not at all.
  bubble,   ///< By bubble flow control: a free packet slot remains in every ring.
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

/// Throws: ConfigError on `torus` when the switching does not support bubble flow control, and on
///   settings that the model of stages does not support.
RouterModel input_queued_model(const PipelineSettings& settings, Switching switching);

}  // namespace flitwave
