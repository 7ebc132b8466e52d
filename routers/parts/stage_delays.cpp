// routers/parts/stage_delays.cpp: see stage_delays.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/parts/stage_delays.hpp"

namespace flitwave {

std::vector<std::string> names_of(Preset) { return {"pipelined", "single_cycle"}; }

PipelineTiming StageDelays::timing() const {
  if (preset == Preset::single_cycle) return {};
  return {static_cast<int>(route_delay.count), static_cast<int>(vc_delay.count),
          static_cast<int>(switch_delay.count), static_cast<int>(traversal_delay.count)};
}

}  // namespace flitwave
