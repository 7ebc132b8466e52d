// modules/passage.hpp: what is observed of flits that pass a router, and of heads that wait there.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "configs/quantity.hpp"
#include "modules/signals/flit.hpp"
#include "topologies/ids.hpp"

namespace flitwave {

/// The stages that a head, and the last two that every flit, passes in a router. Unit: cycle
struct PipelineTiming {
  int route = 0;      ///< Head at the front of its buffer -> route known.
  int vc = 0;         ///< Route known -> virtual channel given.
  int passage = 0;    ///< Virtual channel given, or body flit buffered -> leaves its buffer.
  int traversal = 0;  ///< Leaves its buffer -> on the wires.
  /// Stages are clocked: what waits behind a flit begins its own stage in the cycle after.
  bool clocked = false;

  /// From a head's arrival to the wires behind, when nothing is in its way.
  int head() const { return route + vc + passage + traversal; }
};

/// A head that waited in a router beyond the length of the pipeline; or a body flit that lost
/// arbitration to other packets at the switch. Reported when the flit goes on.
struct Stall {
  enum class Cause {
    vc_taken,      ///< Another packet held the virtual channels that it could have taken.
    no_room,       ///< The buffer behind its virtual channel was full.
    switch_taken,  ///< Another input's flit, or another of its own input's, crossed the switch.
  };

  NodeId node;
  Flit flit;                      ///< That waited. A body flit's cause is switch_taken.
  PortId output;                  ///< By which it leaves.
  Cause cause = Cause::vc_taken;  ///< What it waited for.
  Cycle cycles = 0;               ///< How long.
  /// The packet that was in the way first. Where there was no room, or a virtual channel only
  /// drained, the last one that was sent on it; none (-1) if there was none, or it is not known.
  NodeId blocker_source;
  std::int64_t blocker_number = -1;
};
std::vector<std::string> names_of(Stall::Cause);

/// A flit's time in a router, from the wires to leaving its buffer, taken apart. The stages' least
/// times and the waits follow each other without a gap.
struct Passage {
  NodeId node;
  Flit flit;  ///< As it is sent.
  PortId output;
  Cycle arrived = 0;     ///< When it was taken off the wires.
  Cycle front = 0;       ///< From when on nothing before it in its buffer was in its way.
  Cycle left = 0;        ///< When it left its buffer.
  PipelineTiming least;  ///< Of the stages that it passed; others are 0.
  bool stored = false;   ///< A head that had to wait for its packet's tail.

  // Beyond the least times.
  Cycle route_wait = 0;   ///< The stage was busy.
  Cycle vc_wait = 0;      ///< Others held or got the virtual channels, or the outputs of circuits.
  Cycle room_wait = 0;    ///< There was no room behind, for it or for its whole packet.
  Cycle switch_wait = 0;  ///< Another flit crossed the switch.
};

/// Receives what routers report. Within a cycle, reports of several routers come in any order.
class PassageListener {
 public:
  virtual void on_stall(const Stall& stall) = 0;
  /// A flit leaves its buffer; of a circuit, only its probe is reported.
  virtual void on_passage(const Passage& passage) = 0;

 protected:
  ~PassageListener() = default;
};

}  // namespace flitwave
