// testbenches/waves/wave_plan.cpp: see wave_plan.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/waves/wave_plan.hpp"

#include <cerrno>
#include <cstring>

#include "configs/error.hpp"

namespace flitwave {

std::vector<VcdFile::Variable> variables_of(const WavePlan& plan) {
  std::vector<VcdFile::Variable> variables;
  for (const WaveEnd& end : plan.ends)
    for (const WaveSignal& signal : end.signals)
      variables.push_back({end.scope, signal.name, signal.width});
  for (const InnerWire& wire : plan.inner) variables.push_back({wire.scope, wire.name, wire.width});
  return variables;
}

void fail_writing(const std::string& path) {
  throw SystemFailure("cannot write " + path + ": " + std::strerror(errno));
}

}  // namespace flitwave
