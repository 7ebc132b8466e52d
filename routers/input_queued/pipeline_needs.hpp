// routers/input_queued/pipeline_needs.hpp: the needs of input-queued routers of their network.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "routers/input_queued/pipeline_settings.hpp"

namespace flitwave {

/// Credits and rings as the settings require, and buffers for whole packets under switching other
/// than wormhole. `serves_escape`: see DeadlockAvoidance.
RouterNeeds input_queued_needs(const PipelineSettings& settings, Switching switching,
                               bool serves_escape);

}  // namespace flitwave
