// routers/input_queued/input_queued_stalls.hpp: listeners of the allocation of an input-queued
// router, with and without reports of stalls and passages.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "modules/router.hpp"
#include "routers/parts/stages.hpp"

namespace flitwave {

template <int FixedVcs, class Listener>
class InputQueued;

/// A router without observers: its calls are compiled away.
struct Unobserved {
  template <class Owner>
  Unobserved(const Owner&, const RouterSite&) {}

  void on_head(int, Cycle) {}
  void on_refusal(int) {}
  void on_lost_claim(int, int) {}
  void on_claims(const std::vector<int>&) {}
  void on_claim(int) {}
  void on_credit(int, bool) {}
  void on_nomination(int, std::uint64_t, int) {}
  void on_passage_grant(std::uint64_t, const std::int16_t*, int) {}
  void on_passages(const Stages&) {}
  void on_departure(int) {}
};

/// Reports the stalls and passages of an input-queued router, exact to the cycle: the times of a
/// flit beyond the least times of the stages, attributed to the decisions of the allocation.
///
/// An `input` is a virtual channel of an input port: port * vcs + vc.
template <int FixedVcs>
class StallReporter {
 public:
  using Owner = InputQueued<FixedVcs, StallReporter>;

  /// `router` owns it.
  StallReporter(const Owner& router, const RouterSite& site);

  /// A head reaches the front. `first_try`: the first tick in which it may be routed.
  void on_head(int input, Cycle first_try) { denial(input).first_try = first_try; }
  /// A head can claim no virtual channel: none is free, or, where packets move as a whole, no free
  /// one has space for its packet.
  void on_refusal(int input);
  /// A head loses the virtual channel that it requests to another one.
  void on_lost_claim(int input, int winner);
  /// A clocked stage of virtual-channel allocation ends; those of its `inputs` that wait have lost.
  void on_claims(const std::vector<int>& inputs);
  /// A head is about to get a virtual channel of an output.
  void on_claim(int input);
  /// A flit, or the head of a packet that moves as a whole, has space in the next buffer or not.
  void on_credit(int input, bool space);
  /// Of an input port's `vcs`, the `winner` requests the switch.
  void on_nomination(int port, std::uint64_t vcs, int winner);
  /// Of `inputs` (ports) that request one output, the `winner` gets it. `nominees`: per input port
  /// its virtual channel.
  void on_passage_grant(std::uint64_t inputs, const std::int16_t* nominees, int winner);
  /// A clocked stage of switch allocation has decided.
  void on_passages(const Stages& stages);
  /// The flit at the front is about to leave.
  void on_departure(int input);

 private:
  /// The lost requests of a flit in its stage.
  struct Denial {
    bool seen = false;
    NodeId source;  // of the blocking packet, which may have left when the head proceeds
    std::int64_t number = -1;
    Cycle no_room_since = -1;
    Cycle no_room = 0;
    Cycle lost = 0;  // switch arbitrations; of a body flit, those for its output
    Cycle first_try = 0;
  };
  /// The packet that was sent last on a virtual channel of an output.
  struct PacketName {
    NodeId source;
    std::int64_t number = -1;
  };

  int port_of(int input) const { return input / router_.vc_count(); }
  Denial& denial(int input) { return denials_[index(input)]; }
  Passage& passage(int input) { return passages_[index(input)]; }
  PacketName& last_sent(int output, int vc) {
    return last_sent_[index(output * router_.vc_count() + vc)];
  }
  void name_holder(int input);
  void name_blocker(int input, int blocker);
  void lose_switch(int input, int winner, Cycle cycles);
  void report_stalls(int input, Stall::Cause cause, Cycle cycles);

  const Owner& router_;
  PassageListener& listener_;
  std::vector<Denial> denials_;        // Shape: [ports][vcs]
  std::vector<Passage> passages_;      // as denials_; the incomplete passage of the front flit
  std::vector<PacketName> last_sent_;  // per output and virtual channel
};

}  // namespace flitwave
