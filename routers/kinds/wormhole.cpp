// routers/kinds/wormhole.cpp: flits follow their head through small buffers.
// SPDX-License-Identifier: Apache-2.0
#include "routers/input_queued/pipeline_settings.hpp"

namespace flitwave {

/// A blocked packet keeps the buffers and virtual channels that it occupies.
/// Source: Dally & Seitz 1987.
void register_wormhole(Routers& routers) {
  routers.add(
      "wormhole",
      {"input-queued, virtual channels; a blocked packet stays in the buffers that it occupies",
       "Dally & Seitz 1987; Dally & Towles 2004, chapter 16",
       {"{kind: wormhole}", "{kind: wormhole, preset: single_cycle}",
        "{kind: wormhole, stages: clocked, allocator: islip, iterations: 2, speculative: true}"}},
      pipeline_schema(), [](const PipelineSettings& settings) {
        return input_queued_model(settings, Switching::wormhole);
      });
}

}  // namespace flitwave
