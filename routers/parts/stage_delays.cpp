// routers/parts/stage_delays.cpp: see stage_delays.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/parts/stage_delays.hpp"

#include "configs/error.hpp"

namespace flitwave {

std::vector<std::string> names_of(Preset) { return {"pipelined", "single_cycle"}; }

/// The defaults are accepted beside single_cycle, since resolved jobs contain them.
PipelineTiming StageDelays::timing() const {
  if (preset == Preset::single_cycle) {
    const auto check_default = [this](const char* key, Cycles StageDelays::*delay) {
      if ((this->*delay).count != (StageDelays().*delay).count)
        throw ConfigError(key, "preset: single_cycle sets all four delays to 0",
                          "remove the delay, or use preset: pipelined");
    };
    check_default("route_delay", &StageDelays::route_delay);
    check_default("vc_delay", &StageDelays::vc_delay);
    check_default("switch_delay", &StageDelays::switch_delay);
    check_default("traversal_delay", &StageDelays::traversal_delay);
    return {};
  }
  return {static_cast<int>(route_delay.count), static_cast<int>(vc_delay.count),
          static_cast<int>(switch_delay.count), static_cast<int>(traversal_delay.count)};
}

}  // namespace flitwave
