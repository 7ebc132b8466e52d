// routers/kinds/virtual_cut_through.cpp: a head moves on at once if its whole packet has room.
// SPDX-License-Identifier: Apache-2.0
#include "routers/input_queued/pipeline_settings.hpp"

namespace flitwave {

/// A blocked packet gathers in one buffer, so it keeps no channel from others.
/// Source: Kermani & Kleinrock 1979; the bubble: Carrion et al. 1997.
void register_virtual_cut_through(Routers& routers) {
  routers.add("virtual_cut_through",
              {"input-queued; a head moves only when its whole packet has room ahead",
               "Kermani & Kleinrock 1979; bubble: Carrion et al. 1997"},
              pipeline_schema(), [](const PipelineSettings& settings) {
                return input_queued_model(settings, Switching::virtual_cut_through);
              });
}

}  // namespace flitwave
