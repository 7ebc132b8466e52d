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

/// A stretch of the critical path: the share of one transfer.
struct CriticalLink {
  /// The event of the transfer at which the path continues with the next one.
  enum class Until {
    received,     ///< Its receiver's overhead had ended.
    sent,         ///< Its last flit had left its injection channel.
    handed_over,  ///< Its sender's overhead had ended.
  };

  int transfer = 0;
  Until until = Until::received;
  Cycle begin = 0;  ///< After the start of the programs, as `end`.
  Cycle end = 0;
  bool sends = false;       ///< Whether the stretch contains the transfer's send overhead.
  bool receives = false;    ///< Whether it contains its receive overhead.
  Cycle send_overhead = 0;  ///< The part of the transfer's overhead in the stretch; also below.
  Cycle receive_overhead = 0;
  Cycle node_busy = 0;  ///< Its overheads waited for those of messages outside the collective.
  TimeParts network;    ///< Hand-over to delivery.
};
std::vector<std::string> names_of(CriticalLink::Until);

/// The chain of transfers that determined when the last one was done, in the order of time: each is
/// followed until the event that the next one waited for last. Their stretches adjoin, from the
/// start of the programs, or the release of the first one's data, to the end of the collective.
///
/// Backwards from the transfer done last: its receive overhead began when it arrived, or when its
/// node had finished another overhead; its packets left the interface's queue when they were handed
/// over, or when another's had left the channel; its send overhead began when its node had received
/// the message, or had finished another overhead, or had a free port again. Where a node was busy
/// with a message outside the collective, the path stays with the transfer.
/// Needs: all transfers done.
/// Throws: ModelError when the stretches do not adjoin.
std::vector<CriticalLink> critical_path(const Schedule& schedule, const TransferTimes& times,
                                        const std::vector<TransferTravel>& travels);

}  // namespace flitwave
