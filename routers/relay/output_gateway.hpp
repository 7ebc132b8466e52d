// routers/relay/output_gateway.hpp: where branches of messages leave a relay router.
// channel -> input_gateway -> message_unit -> [output_gateway] -> channel
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "algorithms/cube_multicast/relay/relay_settings.hpp"
#include "modules/channel/output_port.hpp"
#include "routers/relay/gateway_turns.hpp"
#include "routers/relay/message_unit.hpp"

namespace flitwave {

/// A branch of a message that waits for an output, or holds it.
struct BranchClaim {
  UnitPlace unit;
  int branch = 0;
  Cycle opened = 0;
};

/// The branches that wait for an output, by the class of the next buffer, and the one that is being
/// sent.
/// Source: Lan 1988, section 6.3; classes of buffers are ours
class OutputGateway {
 public:
  /// `port`, `settings`: outlive it. `buffers`: classes of buffers at the end of the channel; 0
  /// where no channel leaves. `inputs`, `classes`: of the router, and of the units at each.
  OutputGateway(OutputPort& port, const RelaySettings& settings, int buffers, int inputs,
                int classes);

  /// The branch waits for a buffer of some class.
  void add(const BranchClaim& claim, int buffer_class);
  /// Removes a unit's branch from those that wait. Returns: whether it was removed; it stays when a
  /// request is pending that serves no other branch.
  bool remove(UnitPlace unit, int buffer_class);
  /// Whether any branch waits.
  bool has_waiting() const;

  /// Raises one request, for one of the branches whose class has no pending request, and moves that
  /// branch to the front of its class.
  /// Returns: whether it did.
  bool request();
  /// The buffer that is acknowledged on the wires belongs to the branch that requested it, which
  /// now holds the output. `handshake`: cycles from a branch's opening to its grant in an idle
  /// router.
  const BranchClaim& grant(Cycle handshake, Cycle now);
  /// The branch whose pending request prevents a branch that waits for another class from
  /// requesting; null if there is none.
  const BranchClaim* blocker(int buffer_class) const;

  /// The branch that holds the output. Needs: a grant, and no release since
  const BranchClaim& sender() const { return sender_; }
  /// Whether the sender must wait until its message has arrived completely. `whole`: whether it
  /// has.
  bool is_held(bool whole) const { return held_ && !whole; }
  void send(const BranchFlit& next, Cycle now) {
    port_.send(next.flit, 0, now);
    if (next.word) words_->put(*next.word, now);
  }
  /// The sender's last flit was sent.
  void release() { sender_ = BranchClaim{}; }

  /// The channel is faulty: discards all branches that wait or are being sent.
  void clear();

 private:
  void read_claims();
  int number_of(const BranchClaim& claim, int buffer_class) const;

  OutputPort& port_;
  FlitWords* words_ = nullptr;  // null where no channel leaves
  const RelaySettings& settings_;
  int inputs_;
  int classes_;
  std::vector<std::deque<BranchClaim>> queues_;  // by class of the next buffer
  std::uint64_t requested_ = 0;                  // classes with a pending request
  GatewayTurns turns_;
  BranchClaim sender_;
  bool held_ = false;                // until the sender's message has arrived completely
  std::vector<Request> requests_;    // scratch of request()
  std::vector<BranchClaim> claims_;  // the same
};

}  // namespace flitwave
