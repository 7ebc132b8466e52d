// testbenches/waves/wave_plan.cpp: see wave_plan.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/waves/wave_plan.hpp"

#include <cerrno>
#include <cstring>

#include "configs/error.hpp"

namespace flitwave {

void WaveSample::decode(Flit flit, const PacketPool& packets) {
  constexpr std::uint64_t body_code = 1;
  const Packet* owner = packets.find(flit);
  flit_ = flit;
  values_[kind] = body_code + (flit.head() ? 1 : 0) + (flit.tail() ? 2 : 0);
  values_[vc] = static_cast<std::uint64_t>(flit.vc());
  values_[sequence] = static_cast<std::uint64_t>(flit.sequence());
  values_[packet] = values_[source] = values_[destination] = 0;
  if (!owner) return;
  values_[packet] = static_cast<std::uint64_t>(owner->number) & 0xffffffff;
  values_[source] = static_cast<std::uint64_t>(flit.source().value());
  values_[destination] = static_cast<std::uint64_t>(owner->header.destination.value());
}

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
