// routers/relay/input_gateway.hpp: where messages enter a relay router.
// channel -> [input_gateway -> message_unit] -> output_gateway -> channel
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <vector>

#include "modules/channel/input_port.hpp"
#include "routers/relay/message_unit.hpp"

namespace flitwave {

/// The message units of an incoming channel, one for each class of buffer, and the requests for
/// them. One message arrives at a time; its unit is reserved for it when its request is accepted.
/// Source: Lan 1988, section 6.3; classes of buffers are ours
class InputGateway {
 public:
  /// `port`: outlives it. `number`: of the port. `units`: 0 where no channel enters. `delay`:
  /// cycles from accepting a request to its acknowledgement.
  InputGateway(InputPort& port, int number, int units, Cycle delay);

  std::vector<MessageUnit>& units() { return units_; }
  const std::vector<MessageUnit>& units() const { return units_; }
  MessageUnit& unit(int number) { return units_[index(number)]; }
  bool is_empty() const;

  /// Records the request that is on the wires.
  /// Throws: ModelError when there is no such buffer, or it is requested already.
  void take_request();
  bool is_requested() const { return !requests_.empty(); }
  /// Reserves the unit of the first request whose unit accepts a message.
  /// Returns: the unit; null when there is none, or a message is arriving.
  MessageUnit* reserve(Cycle now);
  /// Whether a requested unit is free, although it does not accept a message yet.
  bool is_about_to_reserve() const;

  /// Whether a message is arriving, or is acknowledged.
  bool is_receiving() const { return receiving_ >= 0; }
  /// Needs: is_receiving()
  MessageUnit& receiver() { return unit(receiving_); }
  /// When the request of the reserved unit is acknowledged.
  Cycle acknowledges_at() const { return acknowledges_at_; }
  /// Puts that acknowledgement on the wires.
  void acknowledge() { port_.acknowledge(receiving_); }

  /// Moves the flit on the wires into the unit that receives.
  /// Returns: whether it was the last one of its message.
  /// Throws: as MessageUnit::take.
  bool take(const ArrivalSite& site, Cycle now);
  /// The rest of the present message will not arrive.
  void stop_receiving() { receiving_ = -1; }
  /// When the last flit arrived.
  Cycle last_arrival() const { return last_arrival_; }

  /// The channel is faulty: discards all requests.
  void forget_requests() { requests_.clear(); }

 private:
  InputPort& port_;
  const FlitWords* words_ = nullptr;  // null where no channel enters
  Cycle delay_;
  std::vector<MessageUnit> units_;  // by class of buffer
  std::deque<int> requests_;        // classes, in the order of arrival
  int receiving_ = -1;              // the unit that receives; -1: none
  Cycle acknowledges_at_ = 0;
  Cycle last_arrival_ = 0;
};

}  // namespace flitwave
