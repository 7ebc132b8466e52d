// algorithms/untimed/schedule_models.hpp: a schedule's length in parallel computation models.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "algorithms/schedule.hpp"

namespace flitwave {

// Each set of parameters is a model; `predict` returns the time at which the last transfer of a
// schedule is complete. A node issues its sends in the schedule's order, each not before it has the
// message, or with barriers not before the previous step, or phase, is complete; a message that
// several transfers deliver in earlier steps is complete with the last of them. None of the models
// considers channels: contention and distance are not modelled. Unit: us

/// t_0 + m / r_infinity for a message of m bytes. A node sends one at a time, and receives one at a
/// time, and may do both.
/// Source: Tsai 1997, section 2.7, which calls r_infinity a time; it is a bandwidth
struct Hockney {
  double startup = 0;    ///< t_0. Unit: us
  double bandwidth = 1;  ///< r_infinity. Unit: byte/us. Range: above 0
};
double predict(const Schedule& schedule, const Hockney& model);

/// t_0(n) + m / r_infinity(n) for a whole operation among n nodes: depends only on the number of
/// nodes that take part in a schedule and on its longest message. Source: Tsai 1997, section 2.7
struct XuHwang {
  std::function<double(int nodes)> startup;    ///< Unit: us
  std::function<double(int nodes)> bandwidth;  ///< Unit: byte/us
};
double predict(const Schedule& schedule, const XuHwang& model);

/// Short messages of `packet` bytes; a longer message is a sequence of these, one gap apart. The
/// overhead is processor time at sender and receiver; two sends, or two receives, of a node are
/// separated by the gap or the overhead, whichever is longer. Source: Tsai 1997, section 2.7, after
/// Culler et al. 1993
struct LogP {
  double latency = 0;   ///< L. Unit: us
  double overhead = 0;  ///< o. Unit: us
  double gap = 0;       ///< g. Unit: us
  int packet = 1;       ///< Unit: byte. Range: 1 ..
};
double predict(const Schedule& schedule, const LogP& model);

/// LogP with long messages: each byte after the first takes `gap_per_byte` in the network, without
/// processor time.
/// Source: Tsai 1997, section 2.7, after Alexandrov et al. 1995
struct LogGP {
  double latency = 0;       ///< L. Unit: us
  double overhead = 0;      ///< o. Unit: us
  double gap = 0;           ///< g. Unit: us
  double gap_per_byte = 0;  ///< G. Unit: us
};
double predict(const Schedule& schedule, const LogGP& model);

/// A sender is busy with a message for one unit of time, and it arrives lambda units after the send
/// began: LogP with o = 0, g = 1 unit and L = lambda units.
/// Source: Tsai 1997, section 2.7, after Bar-Noy and Kipnis 1992
struct Postal {
  double lambda = 1;  ///< Range: 1 ..
  double unit = 1;    ///< Unit: us
  int packet = 1;     ///< Length of one send. Unit: byte. Range: 1 ..
};
double predict(const Schedule& schedule, const Postal& model);

/// The greatest load of a node in a superstep, here a step of the schedule.
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
