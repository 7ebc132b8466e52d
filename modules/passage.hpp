// modules/passage.hpp: reports on flits that pass a router, and on heads that wait there.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "configs/quantity.hpp"
#include "modules/signals/flit.hpp"
#include "topologies/ids.hpp"

namespace flitwave {

/// The stages that a head passes in a router; body flits pass the last two only. Unit: cycle
struct PipelineTiming {
  int route = 0;      ///< Head at the front of its buffer -> route known.
  int vc = 0;         ///< Route known -> virtual channel allocated.
  int passage = 0;    ///< Virtual channel allocated, or body flit buffered -> leaves its buffer.
  int traversal = 0;  ///< Leaves its buffer -> on the wires.
  /// Stages are clocked: the next flit of a buffer begins its own stage one cycle later.
  bool clocked = false;

  /// From the arrival of a head until it is on the output wires, without contention.
  int head() const { return route + vc + passage + traversal; }
};

/// A head that waited in a router beyond the length of the pipeline, or a body flit that lost
/// switch arbitration to other packets. Reported when the flit leaves.
struct Stall {
  enum class Cause {
    vc_taken,      ///< Another packet held the virtual channels that it could have claimed.
    no_room,       ///< The buffer behind its virtual channel was full.
    switch_taken,  ///< Another input's flit, or another of its own input's, crossed the switch.
  };

  NodeId node;
  Flit flit;      ///< The flit that waited. The cause of a body flit is switch_taken.
  PortId output;  ///< The output by which it leaves.
  Cause cause = Cause::vc_taken;  ///< What it waited for.
  Cycle cycles = 0;               ///< Duration.
  /// The first packet that blocked the flit. Where a buffer was full, or a virtual channel was
  /// draining, the last packet that was sent on it; none (-1) if there was none, or it is not
  /// known.
  NodeId blocker_source;
  std::int64_t blocker_number = -1;
};
std::vector<std::string> names_of(Stall::Cause);

/// The components of a flit's time in a router, from the wires until it leaves its buffer. The
/// least times of the stages and the waits follow each other without a gap.
struct Passage {
  NodeId node;
  Flit flit;  ///< As sent by the router.
  PortId output;
  Cycle arrived = 0;     ///< When it was accepted from the wires.
  Cycle front = 0;       ///< From when on earlier flits of its buffer did not block it.
  Cycle left = 0;        ///< When it left its buffer.
  PipelineTiming least;  ///< Of the stages that it passed; 0 for other stages.
  bool stored = false;   ///< Whether it is a head that had to wait for the tail of its packet.

  // Waits beyond the least times.
  Cycle route_wait = 0;  ///< The route stage was busy.
  Cycle vc_wait = 0;    ///< Other packets held or won the virtual channels, or outputs of circuits.
  Cycle room_wait = 0;  ///< The next buffer had no space for it, or for its whole packet.
  Cycle switch_wait = 0;  ///< Another flit crossed the switch.
};

/// Receives the reports of routers. Within a cycle, the order of the routers is not defined.
class PassageListener {
 public:
  virtual void on_stall(const Stall& stall) = 0;
  /// A flit leaves its buffer; of a circuit, only the probe is reported.
  virtual void on_passage(const Passage& passage) = 0;

 protected:
  ~PassageListener() = default;
};

}  // namespace flitwave
