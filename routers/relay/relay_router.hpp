// routers/relay/relay_router.hpp: a router that buffers whole messages and copies them towards
// their destinations.
// channel -> [input gateway -> message units -> output gateways] -> channel
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/cube_multicast/relay/relay_settings.hpp"
#include "modules/clock/wheel.hpp"
#include "modules/router.hpp"
#include "routers/relay/arriving_message.hpp"
#include "routers/relay/input_gateway.hpp"
#include "routers/relay/message_unit.hpp"
#include "routers/relay/output_gateway.hpp"

namespace flitwave {

/// Each channel that enters has an InputGateway with message units. Each unit takes a whole
/// message, selects the outputs along which it is to be sent, and is free again when it has been
/// sent along all of them. Each channel that leaves has an OutputGateway, for which the branches of
/// the messages wait.
///
/// Each cycle, in this order: branches whose requests are acknowledged get their outputs; free
/// units accept requests, first come, first served; flits are taken; messages that have arrived are
/// decided, and branches that are ready queue for their outputs; one request is raised at each
/// output that is not sending; and each output that is sending sends a flit.
/// Source: Lan 1988, chapter 6; classes of buffers are ours
class RelayRouter final : public Router {
 public:
  RelayRouter(const sc_core::sc_module_name& name, RelaySettings settings, const RouterSite& site);

  void report_waits(std::vector<WaitPoint>& points) const override;
  int flits_inside() const override;
  std::int64_t flits_held() const override;
  bool at_rest() const override;
  std::int64_t flits_dropped() const override { return dropped_; }
  std::int64_t flits_copied() const override { return copied_; }

 private:
  /// A message that is kept because its flits are on a faulty channel.
  struct Held {
    Flit group;
    Cycle until = 0;
  };

  void tick() override;
  void read_requests();
  void grant(int output);
  void accept(int input);
  void acknowledge(int input);
  void take(int input);
  void work(MessageUnit& unit);
  void decide(MessageUnit& unit);
  int class_behind(UnitPlace unit) const;
  void request(int output);
  void send(int output);
  void finish(MessageUnit& unit);
  void note_idle();
  WaitPoint::Alternative wait_of(const MessageBranch& branch) const;

  // Reports: relay_reports.cpp.
  UnitSite site_of(UnitPlace unit) const;
  void report_entry(const MessageUnit& unit, UnitState state, Cycle from) const;
  void report_selections(const MessageUnit& unit, const CubeDecision<CubeHeader>& decision) const;
  std::int64_t fields_held(const MessageUnit& unit) const;
  std::int64_t fields_read(const MessageUnit& unit, const MessageBranch& branch, std::int64_t begun,
                           bool opens) const;

  // Faults that begin during the run: relay_breaks.cpp.
  void await_faults();
  void on_faults();
  void break_input(int port);
  void break_output(int port);
  void end_messages();
  void drain();
  void drop_arrival(int port);
  void truncate(MessageUnit& unit);
  void end_branch(MessageUnit& unit, MessageBranch& branch);
  void leave_queue(const MessageUnit& unit, MessageBranch& branch);
  void log_lost(Flit group, const MessageBranch& branch);
  void log_lost_arrival(Flit group, int input);
  void log_lost(Flit group, const CubeNodes& nodes, NodeId at, PortId port);
  CubeNodes nodes_in_reach(Flit group, NodeId router, bool injected) const;
  void hold(Flit group, int input);
  int dimension_of(int port) const;
  NodeId neighbour(int port) const;
  bool is_faulty() const { return (faulty_ports_ >> site().network_ports & 1) != 0; }

  bool local(int port) const { return port >= site().network_ports; }
  MessageUnit& unit_of(const BranchClaim& claim);
  MessageBranch& branch_of(const BranchClaim& claim);
  /// Of a port that has a channel.
  Cycle latency_of_input(int port) const;
  Cycle latency_of_output(int port) const;
  CubeAddress here() const { return static_cast<CubeAddress>(node().value()); }

  RelaySettings settings_;
  RelayRules rules_;
  Cube cube_;
  RelayedMessages& messages_;
  ArrivalSite arrival_;
  int network_classes_;                 // of buffers at a channel from a neighbour
  std::vector<InputGateway> inputs_;    // Shape: [ports]
  std::vector<OutputGateway> outputs_;  // Shape: [ports]
  std::uint64_t requesting_ = 0;        // inputs with requests
  std::uint64_t acknowledging_ = 0;     // inputs with a request that is to be acknowledged
  std::uint64_t queued_ = 0;            // outputs with branches that wait
  std::uint64_t sending_ = 0;           // outputs with a sender
  std::uint64_t busy_ = 0;              // inputs with messages
  Cycle now_ = 0;
  Cycle next_event_ = 0;  // of the units' selections
  std::int64_t copied_ = 0;
  std::int64_t dropped_ = 0;
  Cycle first_break_ = Wheel::never;  // during the run
  std::uint64_t faulty_ports_ = 0;    // ports that are faulty
  std::uint64_t expecting_ = 0;       // with a message that was acknowledged, but had not begun
  std::vector<Held> held_;
};

}  // namespace flitwave
