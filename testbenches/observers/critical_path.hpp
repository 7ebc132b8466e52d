// testbenches/observers/critical_path.hpp: the sends and receives that determined when a collective
// ended.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "algorithms/schedule.hpp"
#include "testbenches/observers/transfer_times.hpp"
#include "testbenches/observers/transfer_travels.hpp"

namespace flitwave {

/// A stretch of the critical path: one transfer's share of it.
struct CriticalLink {
  /// How far the path follows the transfer, before it goes over to the next.
  enum class Until {
    received,     ///< Its receiver's overhead was over.
    sent,         ///< Its last flit had left its injection channel.
    handed_over,  ///< Its sender's overhead was over.
  };

  int transfer = 0;
  Until until = Until::received;
  Cycle begin = 0;  ///< After the start of the programs, as `end`.
  Cycle end = 0;
  bool sends = false;       ///< Whether the transfer's send overhead lies in the stretch.
  bool receives = false;    ///< Whether its receive overhead does.
  Cycle send_overhead = 0;  ///< Of the transfer, as far as it lies in the stretch; so below.
  Cycle receive_overhead = 0;
  Cycle node_busy = 0;  ///< Its overheads waited for those of messages outside the collective.
  TimeParts network;    ///< Hand-over to delivery.
};
std::vector<std::string> names_of(CriticalLink::Until);

/// The chain of transfers that determined when the last one was done, in the order of time: each
/// goes on until what the next one waited for last. Their stretches adjoin, from the start of the
/// programs, or the release of the first one's data, to the end of the collective.
///
/// Going back from the transfer done last: its receive overhead began when it arrived, or when its
/// node had done with another overhead; its packets left the interface's queue when they were
/// handed over, or when another's had left the channel; its send overhead began when its node had
/// received the message, or had done with another overhead, or had a port free again. Where a node
/// had to do with a message outside the collective, the path stays with the transfer.
/// Needs: all transfers done.
/// Throws: ModelError when the stretches do not adjoin.
std::vector<CriticalLink> critical_path(const Schedule& schedule, const TransferTimes& times,
                                        const std::vector<TransferTravel>& travels);

}  // namespace flitwave
