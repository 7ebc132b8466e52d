// routers/kinds/virtual_cut_through.cpp: a head moves at once if the next buffer has space for its
// packet.
// SPDX-License-Identifier: Apache-2.0
#include "routers/input_queued/pipeline_settings.hpp"

namespace flitwave {

/// A blocked packet is stored in one buffer, so that it blocks no channel.
/// Source: Kermani & Kleinrock 1979; the bubble: Carrion et al. 1997.
void register_virtual_cut_through(Routers& routers) {
  routers.add(
      "virtual_cut_through",
      {"input-queued; a head moves only when the next buffer has space for its whole packet",
       "Kermani & Kleinrock 1979; bubble: Carrion et al. 1997"},
      pipeline_schema(), [](const PipelineSettings& settings) {
        return input_queued_model(settings, Switching::virtual_cut_through);
      });
}

}  // namespace flitwave
