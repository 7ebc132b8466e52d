// routers/kinds/store_and_forward.cpp: a packet is forwarded when its last flit has arrived.
// SPDX-License-Identifier: Apache-2.0
#include "routers/input_queued/pipeline_settings.hpp"

namespace flitwave {

/// Its latency is a product of hops and length; that of the other switchings is a sum.
/// Source: Dally & Towles 2004, section 13.2.1.
void register_store_and_forward(Routers& routers) {
  routers.add("store_and_forward",
              {"input-queued; a packet is forwarded when it has arrived and the next buffer has "
               "space for it",
               "Dally & Towles 2004, section 13.2.1"},
              pipeline_schema(), [](const PipelineSettings& settings) {
                return input_queued_model(settings, Switching::store_and_forward);
              });
}

}  // namespace flitwave
