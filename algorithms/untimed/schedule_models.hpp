// algorithms/untimed/schedule_models.hpp: when a schedule is done, by the parallel models.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "algorithms/schedule.hpp"

namespace flitwave {

// Each set of parameters is a model; `predict` gives the time at which the last transfer of a
// schedule is complete. A node issues its sends in the schedule's order, each not before it has the
// message, or with barriers not before the step, or phase, before is complete; a message that
// several transfers bring in earlier steps is there with the last of them. None of the models knows
// channels: contention and distance are what they leave out. Unit: us

/// t_0 + m / r_infinity for a message of m bytes. A node sends one at a time, and receives one at a
/// time, and may do both.
/// Source: Tsai 1997, section 2.7, which calls r_infinity a time; it is a bandwidth
struct Hockney {
  double startup = 0;    ///< t_0. Unit: us
  double bandwidth = 1;  ///< r_infinity. Unit: byte/us. Range: above 0
};
double predict(const Schedule& schedule, const Hockney& model);

/// t_0(n) + m / r_infinity(n) for a whole operation among n nodes: all that it sees of a schedule
/// is how many nodes take part, and its longest message. Source: Tsai 1997, section 2.7
struct XuHwang {
  std::function<double(int nodes)> startup;    ///< Unit: us
  std::function<double(int nodes)> bandwidth;  ///< Unit: byte/us
};
double predict(const Schedule& schedule, const XuHwang& model);

/// Short messages of `packet` bytes; a longer one is so many of them, one gap apart. The overhead
/// is processor time at sender and receiver; between two sends, and two receipts, of a node is the
/// gap or the overhead, whichever is longer. Source: Tsai 1997, section 2.7, after Culler et al.
/// 1993
struct LogP {
  double latency = 0;   ///< L. Unit: us
  double overhead = 0;  ///< o. Unit: us
  double gap = 0;       ///< g. Unit: us
  int packet = 1;       ///< Unit: byte. Range: 1 ..
};
double predict(const Schedule& schedule, const LogP& model);

/// LogP with long messages: a byte after the first takes `gap_per_byte`, in the network, not of a
/// processor.
/// Source: Tsai 1997, section 2.7, after Alexandrov et al. 1995
struct LogGP {
  double latency = 0;       ///< L. Unit: us
  double overhead = 0;      ///< o. Unit: us
  double gap = 0;           ///< g. Unit: us
  double gap_per_byte = 0;  ///< G. Unit: us
};
double predict(const Schedule& schedule, const LogGP& model);

/// A sender is busy for one unit of time with a message, and it is there lambda units after the
/// send began: LogP with o = 0, g = 1 unit and L = lambda units.
/// Source: Tsai 1997, section 2.7, after Bar-Noy and Kipnis 1992
struct Postal {
  double lambda = 1;  ///< Range: 1 ..
  double unit = 1;    ///< Unit: us
  int packet = 1;     ///< What one send carries. Unit: byte. Range: 1 ..
};
double predict(const Schedule& schedule, const Postal& model);

/// What a superstep, here a step of the schedule, asks of the node that sends or receives most.
struct HRelation {
  int messages = 0;
  double bytes = 0;
  friend bool operator==(const HRelation& a, const HRelation& b) {
    return a.messages == b.messages && a.bytes == b.bytes;
  }
};
/// Shape: [steps]
std::vector<HRelation> h_relations(const Schedule& schedule);

/// Supersteps one after the other, each an h-relation and a barrier.
/// Source: Tsai 1997, section 2.7, after Valiant 1990
struct Bsp {
  double gap_per_byte = 0;  ///< g. Unit: us
  double barrier = 0;       ///< l. Unit: us
};
double predict(const Schedule& schedule, const Bsp& model);

}  // namespace flitwave
