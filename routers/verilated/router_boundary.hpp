// routers/verilated/router_boundary.hpp: checks what enters and leaves a router in RTL.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "configs/error.hpp"
#include "modules/router.hpp"
#include "routers/verilated/flit_coder.hpp"
#include "routers/verilated/flit_table.hpp"
#include "routers/verilated/port_wires.hpp"

namespace flitwave {

/// Accounts for the flits and credits of a router in RTL and checks all that it drives.
///
/// A flit that leaves must be inside, with the same fields but vc, route and tag; first in the
/// order in which flits entered on its virtual channel (under ready_valid, of its packet and of
/// those that leave by the same virtual channel: the end of the packet before may still wait at
/// another output); on a port and on a virtual channel of a class that the job's routing function
/// permits for its packet, and that no other packet holds; and there must be a credit. Under
/// ready_valid a flit that was offered is offered on the same virtual channel of the same output
/// until it was accepted; another virtual channel's may be shown meanwhile. A credit returns for a
/// flit that has entered. Ports are numbered as the design's.
///
/// Timing: in each cycle first `send` or `send_nothing` at each output, and `give_credit` or
///   `give_ready` at each input, with what the design drives after the edge; then `take` with what
///   it reads at the next edge.
/// Throws: DesignError
class RouterBoundary {
 public:
  using Ports = std::vector<PortWires>;  ///< Shape: [ports of the design]

  /// The references outlive the boundary.
  RouterBoundary(const RouterDesign& design, const RouterSite& site, std::string name);

  const FlitCoder& coder() const { return coder_; }
  int ports() const { return static_cast<int>(inputs_.size()); }
  /// The bits of a flit that is on the wires of an input, with its tag. The design reads them at
  /// the next edge, if it takes the flit. Lifetime: until the next call.
  const std::uint64_t* present(int input, Flit flit);

  /// A flit whose bits are at an output of the design in `cycle`.
  /// Returns: the flit, on its new virtual channel.
  Flit send(int output, const std::uint64_t* bits, Cycle cycle);
  /// No flit is at an output.
  void send_nothing(int output, Cycle cycle);
  /// A credit for the virtual channel is at an input.
  void give_credit(int input, int vc, Cycle cycle);
  /// Under ready_valid: what is on the wires `ready` of an input. In reset it may change freely.
  void give_ready(int input, std::uint64_t ready, bool in_reset, Cycle cycle);
  /// The flit whose bits these are, for wires that may still change; nothing where there is none.
  std::optional<Flit> look(int output, const std::uint64_t* bits) const;
  /// What was on the wires to the design in `cycle`, which it reads at the next edge.
  void take(const Ports& read, Cycle cycle);

  int flits_inside() const { return table_.inside(); }
  /// Router::report_opaque
  void report(Cycle until, std::vector<OpaquePacket>& packets) const;
  /// Whether nothing is inside and all credits have returned, in both directions.
  bool at_rest() const;

  /// An error of this router. `port`: e.g. "output 2".
  DesignError error(Cycle cycle, std::string port, std::string field, std::string expected,
                    std::string found, std::string subject = "") const;
  std::string input_name(int port) const;
  std::string output_name(int port) const;

  /// For so many cycles a design may do nothing where it could; more is an error.
  static constexpr Cycle patience = 500;

 private:
  using Tag = FlitTable::Tag;

  /// Of a packet whose head has left, and not its tail.
  struct Path {
    std::uint64_t packet = 0;
    int output = 0;
    int vc = 0;
  };
  /// A virtual channel of an input.
  struct Queue {
    std::deque<Tag> tags;      // inside, in the order of their arrival
    int owed = 0;              // credits to be returned
    std::vector<Path> paths;   // one, or under ready_valid one for each output that is waited for
    Cycle changed = 0;         // when something entered, left or was returned
    Cycle movable_since = -1;  // from when on its first flit could have left; -1: it cannot
    Cycle waiting_since = -1;  // from when on a flit is on the wires to it; -1: none is
  };
  struct Input {
    bool attached = false;
    std::vector<Queue> queues;   // Shape: [vcs]
    std::uint64_t ready = 0;     // as driven
    std::uint64_t accepted = 0;  // virtual channels of which a flit was accepted last
    Cycle ready_changed = 0;
  };
  struct Held {
    int credits = 0;
    int holder = -1;           // input * vcs + vc of the packet that holds it
    std::optional<Tag> offer;  // not yet accepted
  };
  struct Output {
    bool attached = false;
    std::vector<Held> vcs;          // Shape: [vcs]
    std::optional<int> offered_vc;  // in this cycle
    std::uint64_t ready = 0;        // as read last
    Cycle sent = 0;                 // when a flit left or was offered last
  };

  const FlitTable::Entry& find(int output, Tag tag, Cycle cycle) const;
  static const Path* path_of(const Queue& queue, std::uint64_t packet);
  bool leaves_only_by(const FlitTable::Entry& entry, const FlitTable::Place& place) const;
  void check_order(int output, const FlitTable::Entry& entry, Tag tag, int vc, Cycle cycle) const;
  void check_head(int output, const FlitTable::Entry& entry, int vc, Cycle cycle) const;
  void check_body(int output, const FlitTable::Entry& entry, int vc, Cycle cycle) const;
  void check_offer(int output, const FlitTable::Entry& entry, Tag tag, int vc, Cycle cycle) const;
  void check_credit(int output, const FlitTable::Entry& entry, int vc, Cycle cycle) const;
  void leave(int output, int vc, Tag tag, Cycle cycle);
  void accept(int input, Flit flit, Cycle cycle);
  void return_credit(int output, int vc);
  std::string permitted(const Route& route) const;
  std::uint64_t vcs_of(const Candidate& candidate) const;
  bool is_local(int port) const;
  PortId site_port(int port) const;

  // In boundary_progress.cpp.
  void check_progress(Cycle cycle);
  void check_returns(int port, int vc, Cycle cycle) const;
  void check_front(int port, int vc, Cycle cycle);
  bool can_leave(int port, int vc, Cycle idle_since) const;
  bool has_space(int output, int vc) const;
  bool has_all_space(int output, int vc) const;
  bool is_whole(const Queue& queue) const;

  Queue& queue(const FlitTable::Entry& entry);
  const Queue& queue(const FlitTable::Entry& entry) const;

  const RouterDesign& design_;
  const RouterSite& site_;
  std::string name_;
  FlitCoder coder_;
  FlitTable table_;
  int depth_;
  std::vector<std::uint64_t> class_masks_;    // Shape: [classes]
  std::vector<std::uint64_t> message_masks_;  // Shape: [message classes]
  std::vector<Input> inputs_;                 // Shape: [ports]
  std::vector<Output> outputs_;               // Shape: [ports]
};

/// The port of a design that has the place of a port of a router; the local ports of both are last.
inline int design_port(const RouterDesign& design, const RouterSite& site, int port) {
  return port < site.network_ports ? port : design.network_ports + port - site.network_ports;
}

}  // namespace flitwave
