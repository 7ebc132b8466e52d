// testbenches/waves/wave_plan.cpp: see wave_plan.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/waves/wave_plan.hpp"

#include <cerrno>
#include <cstring>

#include "configs/error.hpp"

namespace flitwave {

namespace {

int names_of(WaveSignal::Show show) {
  if (show == WaveSignal::Show::kind) return kind_names;
  return show == WaveSignal::Show::node ? node_names : -1;
}

}  // namespace

std::vector<WaveVariable> variables_of(const WavePlan& plan) {
  std::vector<WaveVariable> variables;
  for (const WaveEnd& end : plan.ends)
    for (const WaveSignal& signal : end.signals)
      variables.push_back({end.scope, signal.name, signal.width, names_of(signal.show)});
  for (const InnerWire& wire : plan.inner) variables.push_back({wire.scope, wire.name, wire.width});
  return variables;
}

WaveNames names_of(const WavePlan& plan) {
  return {{{"kind", {"none", "body", "head", "tail", "single"}}, {"node", plan.nodes}}};
}

std::unique_ptr<WaveFile> open_wave_file(const WavePlan& plan) {
  return open_wave_file(plan.format, plan.path, plan.limit.count, variables_of(plan),
                        names_of(plan), wave_comment);
}

void fail_writing(const std::string& path) {
  throw SystemFailure("cannot write " + path + ": " + std::strerror(errno));
}

}  // namespace flitwave
