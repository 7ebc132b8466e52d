// routers/input_queued/pipeline_needs.hpp: what input-queued routers need of their network.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "routers/input_queued/pipeline_settings.hpp"

namespace flitwave {

/// Credits and rings as the settings need them, and under other switching than wormhole buffers
/// for whole packets. `serves_escape`: see DeadlockAvoidance.
RouterNeeds input_queued_needs(const PipelineSettings& settings, Switching switching,
                               bool serves_escape);

}  // namespace flitwave
