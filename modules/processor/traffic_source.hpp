// modules/processor/traffic_source.hpp: open-loop load: packets are created independently of the
// state of the network. [source] -> processor -> interface -> channel
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/injection.hpp"
#include "algorithms/trace.hpp"
#include "algorithms/traffic.hpp"
#include "modules/processor/processor_node.hpp"
#include "modules/processor/traffic_control.hpp"

namespace flitwave {

/// A source of packets of one length, at random times, with destinations by a pattern. It sleeps
/// from one packet to the next. No overheads are charged.
class TrafficSource final : public NodeProgram, private Sleeper {
 public:
  /// The references outlive the source. `length`: flits per packet.
  TrafficSource(const InjectionProcess& injection, const TrafficPattern& pattern,
                std::int64_t length, TrafficControl& control, std::uint64_t seed, NodeId node);

  void start(ProcessorNode& node) override;
  void received(ProcessorNode& node, const ArrivedMessage& message, Cycle done) override;

 private:
  void due() override;
  void sleep(Cycle now, Cycle gap);

  const InjectionProcess& injection_;
  const TrafficPattern& pattern_;
  std::int64_t length_;
  TrafficControl& control_;
  Random gaps_;
  Random destinations_;
  std::int64_t kept_ = 0;  // state of the injection process
  ProcessorNode* node_ = nullptr;
};

/// Creates the packets of a trace whose source is its node. Cycle 0 of the trace is the start.
class TraceSource final : public NodeProgram, private Sleeper {
 public:
  /// The references outlive the source.
  TraceSource(const Trace& trace, TrafficControl& control, NodeId node);

  void start(ProcessorNode& node) override;
  void received(ProcessorNode& node, const ArrivedMessage& message, Cycle done) override;

 private:
  void due() override;

  const Trace& trace_;
  TrafficControl& control_;
  std::size_t next_;
  std::size_t end_;
  Cycle start_ = 0;
  ProcessorNode* node_ = nullptr;
};

}  // namespace flitwave
