// routers/input_queued/input_queued.hpp: buffers, allocation and traversal of an input-queued
// router. channel -> [input_port -> router -> output_port] -> channel
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "modules/router.hpp"
#include "modules/signals/compiler.hpp"
#include "routers/input_queued/input_queued_stalls.hpp"
#include "routers/parts/arbiter.hpp"
#include "routers/parts/stages.hpp"

namespace flitwave {

/// The pipeline and the rules of allocation.
struct PipelineParams {
  PipelineTiming timing;
  Arbitration arbitration = Arbitration::round_robin;
  VcReallocation vc_reallocation = VcReallocation::non_atomic;
  Switching switching = Switching::wormhole;
  bool bubble = false;              ///< As FlowControl::bubble.
  std::optional<StageRule> stages;  ///< Of clocked stages; absent when they are merged.
};

/// A router with a buffer per input and virtual channel and a crossbar.
///
/// Each cycle, in this order: flits are accepted from the wires and credits are counted; heads at
/// the front of a buffer are routed; virtual channels, then switch passages are allocated, both
/// separably: every input first selects one request, then every output grants one; granted flits
/// leave, and credits for the freed slots are sent upstream. A head claims a virtual channel and
/// holds it until its tail has left. A waiting head considers all its candidates in every cycle and
/// requests the first that has a free virtual channel. Under wormhole switching a blocked packet
/// therefore stays in the buffers that it occupies; under the other switchings a head claims a
/// virtual channel only when the next buffer has space for the whole packet.
/// Source: Dally & Towles 2004, chapters 16 and 19.
/// `FixedVcs`: 1 when channels have a single virtual channel and routing a single class, which is
/// faster; 0 for any. `Listener`: receives the decisions of the allocation by its `on_` functions;
/// Unobserved costs nothing.
template <int FixedVcs, class Listener>
class InputQueued final : public Router {
 public:
  InputQueued(const sc_core::sc_module_name& name, const PipelineParams& params,
              const RouterSite& site);

 private:
  friend Listener;

  enum class State : std::uint8_t {
    idle,     ///< No packet at the front.
    routing,  ///< A head that waits for its route.
    waiting,  ///< A routed head that waits for a virtual channel.
    active,   ///< The packet holds a virtual channel of an output.
  };
  /// The packet at the front of one buffer.
  struct InputVc {
    State state = State::idle;
    std::uint8_t next_vc = 0;     // where the search for a free virtual channel starts
    std::int16_t output = -1;     // port, when active
    std::int16_t output_vc = -1;  // when active
    int tails = 0;                // whole packets in the buffer, under store_and_forward
    Cycle ready_at = 0;           // when the current stage can end at the earliest
    Flit head;
  };
  static_assert(fits_in_line<InputVc, 2>);
  /// A set of input virtual channels.
  struct VcSet {
    std::uint64_t ports = 0;       // those with members
    std::uint64_t* vcs = nullptr;  // Shape: [ports]; unless FixedVcs is 1

    void add(int port, int vc) {
      ports |= std::uint64_t{1} << port;
      if constexpr (FixedVcs != 1) vcs[port] |= std::uint64_t{1} << vc;
    }
    void remove(int port, int vc) {
      if constexpr (FixedVcs != 1)
        if ((vcs[port] &= ~(std::uint64_t{1} << vc)) != 0) return;
      ports &= ~(std::uint64_t{1} << port);
    }
    bool has(int port) const { return (ports >> port & 1) != 0; }
    /// Calls `visit(virtual channel)` for the members at a port.
    template <class Visit>
    void for_each(int port, Visit visit) const {
      if (!has(port)) return;
      if constexpr (FixedVcs == 1)
        visit(0);
      else
        for_each_bit(vcs[port], visit);
    }
  };
  struct Claim {
    int input;   // port * vcs + vc
    int output;  // port * vcs + vc
  };

  // Determines exactly when a packet can move, so that no other cycle is ticked. A tick is short
  // and frequent: its parts, all of input_queued.cpp, are compiled into one function.
  FLITWAVE_HOT bool run_tick() override;
  void tick() override;
  int vc_count() const { return FixedVcs > 0 ? FixedVcs : vcs(); }
  void accept();
  void allocate_vcs();
  void allocate_switch();

  void start_packet(int port, int vc, Cycle first_try);
  bool route_is_known(InputVc& in, int port, Route& fresh);
  bool find_vc(const Route& route, const InputVc& in, int port, Claim& claim) const;
  int free_vc(const Candidate& candidate, int output, const InputVc& in, int port) const;
  /// The virtual channels that a candidate may take, as bits.
  std::uint64_t mask_of(const Candidate& candidate) const {
    if (FixedVcs == 1) return 1;
    const auto& masks = candidate.local() ? local_masks_ : class_masks_;
    return masks[static_cast<std::size_t>(candidate.vc_class)];
  }
  void wait(InputVc& in, int port);
  void compute_route(const InputVc& in, int port, Route& route) const;
  void grant(const Claim& claim);
  std::uint64_t sendable(int port);
  void traverse(int port, int vc);
  template <class Visit>
  void for_each_output(const Candidate& candidate, int input_port, Visit visit) const;

  // input_queued_contests.cpp
  void look_up(InputVc& in, int port);
  std::uint64_t with_room(std::uint64_t vcs, int output, const InputVc& in, int port) const;
  void settle_claims();
  int nominate(int port, std::uint64_t vcs);
  int choose_input(int output, std::uint64_t inputs, const std::int16_t* nominees);
  Request request(int index, const InputVc& in) const;

  // input_queued_build.cpp
  void make_arbiters();

  // input_queued_stages.cpp
  void run_stages();
  void begin_routes();
  void end_routes();
  void begin_claims();
  void end_claims();
  bool still_open(const InputVc& in, int port, int output) const;
  void begin_passages();
  bool collect_bids(int port);
  void place_bids(int port);
  void end_passages();
  template <class Visit>
  void for_each_offer(const InputVc& in, int port, Visit visit) const;

  // input_queued_waits.cpp
  bool lost_switch(PortId input, int vc) const override;
  std::uint64_t lost_claims(PortId input, int vc) const override;
  void add_waits(WaitPoint& point) const override;
  int room_needed(const InputVc& in, int port, int output) const;

  InputVc& at(int port, int vc) { return vcs_[port * vc_count() + vc]; }
  const InputVc& at(int port, int vc) const { return vcs_[port * vc_count() + vc]; }
  Route& route_of(const InputVc& in) { return routes_[static_cast<std::size_t>(&in - vcs_)]; }
  const Route& route_of(const InputVc& in) const {
    return routes_[static_cast<std::size_t>(&in - vcs_)];
  }

  // The members that most ticks read, in the order of access; they begin at a cache line.
  InputVc* vcs_;              // Shape: [ports][vcs]
  VcSet heads_;               // routing or waiting
  VcSet active_;              // active, with flits
  Arbiter* output_arbiters_;  // Shape: [ports]
  Arbiter* vc_arbiters_;      // Shape: [ports][vcs]
  Cycle now_ = 0;
  std::unique_ptr<Stages> stages_;  // null when stages are merged
  PipelineTiming timing_;
  bool again_ = false;  // a packet may move in the next cycle even if no wire changes
  bool whole_packets_;  // a head moves only when the next buffer has space for its packet
  bool stores_;         // ... and has arrived whole

  Arbiter* input_arbiters_;                 // Shape: [ports]
  std::vector<Claim> claims_;               // scratch
  std::vector<Request> requests_;           // scratch
  std::vector<std::uint64_t> class_masks_;  // per class: its virtual channels
  std::vector<int> class_of_vc_;            // Shape: [vcs]
  std::vector<std::uint64_t> local_masks_;  // per message class, towards the processor
  std::vector<Route> routes_;               // as vcs_; of waiting heads
  PipelineParams params_;
  Listener listener_;
};

/// Calls `visit(output port)` for the ports of a candidate until it returns true. A packet for
/// this node may leave by any local port; the first one is that with the number of its input, so
/// that packets from different channels do not contend.
template <int FixedVcs, class Listener>
template <class Visit>
void InputQueued<FixedVcs, Listener>::for_each_output(const Candidate& candidate, int input_port,
                                                      Visit visit) const {
  if (!candidate.local()) {
    visit(candidate.port.value());
    return;
  }
  const int locals = site().local_ports();
  for (int i = 0; i < locals; ++i)
    if (visit(site().network_ports + (input_port + i) % locals)) return;
}

/// The router for a node.
std::unique_ptr<Router> input_queued(const char* name, const PipelineParams& params,
                                     const RouterSite& site);

}  // namespace flitwave
