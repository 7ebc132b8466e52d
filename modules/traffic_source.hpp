// modules/traffic_source.hpp: open-loop load: packets at random times to random nodes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flitwave/algorithms/traffic.hpp"
#include "flitwave/configs/random.hpp"
#include "flitwave/modules/processor_node.hpp"

namespace flitwave {

/// What the sources of a run share.
struct TrafficControl {
  Cycle until = INT64_MAX;  ///< No packet is made at or after this cycle.
  Cycle tagged_from = 0;    ///< Packets made from here on ...
  Cycle tagged_until = 0;   ///< ... and before here are counted.
  std::int64_t made = 0;    ///< Packets.
  std::int64_t tagged = 0;  ///< Of them, those counted.
};

/// A Bernoulli source: in every cycle it makes a packet with the same probability, whether or not
/// earlier ones could leave. It sleeps from one packet to the next. No overheads are charged.
class TrafficSource final : public NodeProgram, private Sleeper {
 public:
  /// The references outlive the source. `length`: flits per packet.
  TrafficSource(const GeometricGap& gap, const TrafficPattern& pattern, std::int64_t length,
                TrafficControl& control, std::uint64_t seed, NodeId node);

  void start(ProcessorNode& node) override;
  void received(ProcessorNode& node, const ArrivedMessage& message, Cycle done) override;

 private:
  void due() override;
  void sleep(Cycle from);

  const GeometricGap& gap_;
  const TrafficPattern& pattern_;
  std::int64_t length_;
  TrafficControl& control_;
  Random gaps_;
  Random destinations_;
  ProcessorNode* node_ = nullptr;
};

}  // namespace flitwave
