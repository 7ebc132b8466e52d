// routers/kinds/store_and_forward.cpp: a packet goes on when its last flit has come.
// SPDX-License-Identifier: Apache-2.0
#include "routers/input_queued/pipeline_settings.hpp"

namespace flitwave {

/// Its latency is a product of hops and length where the others' is a sum.
/// Source: Dally & Towles 2004, section 13.2.1.
void register_store_and_forward(Routers& routers) {
  routers.add("store_and_forward",
              {"input-queued; a packet goes on when it has come whole and has room ahead",
               "Dally & Towles 2004, section 13.2.1"},
              pipeline_schema(), [](const PipelineSettings& settings) {
                return input_queued_model(settings, Switching::store_and_forward);
              });
}

}  // namespace flitwave
