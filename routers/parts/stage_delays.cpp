// routers/parts/stage_delays.cpp: see stage_delays.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/parts/stage_delays.hpp"

#include "configs/error.hpp"

namespace flitwave {

std::vector<std::string> names_of(Preset) { return {"pipelined", "single_cycle"}; }

namespace {

/// A delay that single_cycle would ignore. The default is accepted, since resolved jobs contain it.
void check_unset(const char* key, Cycles delay) {
  if (delay.count != 1)
    throw ConfigError(key, "preset: single_cycle sets all four delays to 0",
                      "remove the delay, or use preset: pipelined");
}

}  // namespace

PipelineTiming StageDelays::timing() const {
  if (preset == Preset::single_cycle) {
    check_unset("route_delay", route_delay);
    check_unset("vc_delay", vc_delay);
    check_unset("switch_delay", switch_delay);
    check_unset("traversal_delay", traversal_delay);
    return {};
  }
  return {static_cast<int>(route_delay.count), static_cast<int>(vc_delay.count),
          static_cast<int>(switch_delay.count), static_cast<int>(traversal_delay.count)};
}

}  // namespace flitwave
