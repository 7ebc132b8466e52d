// testbenches/reference/packets.hpp: the packets in the network, and the times of those that left
// it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "configs/random.hpp"
#include "testbenches/reference/field.hpp"
#include "testbenches/reference/reference.hpp"
#include "testbenches/reference/sources.hpp"

namespace flitwave::reference {

/// Packets by a number that is reused after a packet has left.
class Packets {
 public:
  explicit Packets(Index nodes) : created_by_(nodes, 0) {}

  /// The number of a new packet. Makes the packet's oblivious routing choice.
  Index add(const RoutingFunction& routing, Index source, const Waiting& waiting, Random& choices) {
    Index packet = header.size();
    if (free_.empty()) {
      header.push_back({});
      length.push_back(0);
      key.push_back(0);
      times.push_back({});
      arrived.push_back(0);
      message.push_back({});
    } else {
      packet = free_.back();
      free_.pop_back();
      arrived[packet] = 0;
    }
    Header& head = header[packet];
    head = {NodeId(static_cast<int>(source)), waiting.destination, 0, 0};
    head.choice = routing.choose(head.source, head.destination, choices);
    head.message_class = waiting.reply ? 1 : 0;
    message[packet] = waiting;
    length[packet] = waiting.length;
    const std::int64_t number = created_by_[source]++;
    key[packet] =
        mix(mix(static_cast<std::uint64_t>(source) + 1) + static_cast<std::uint64_t>(number));
    times[packet] = {
        head.source.value(), number, head.destination.value(), waiting.created, 0, 0, 0};
    ++made_;
    flits_ += waiting.length;
    return packet;
  }
  void remove(Index packet) { free_.push_back(packet); }

  std::int64_t made() const { return made_; }
  /// Of the created packets.
  std::int64_t flits() const { return flits_; }
  std::int64_t inside() const { return header.size() - static_cast<Index>(free_.size()); }

  Field<Header> header;
  Field<Index> length;       ///< Unit: flit
  Field<std::uint64_t> key;  ///< The same in every run: of source and number.
  Field<PacketTimes> times;
  Field<std::int64_t> arrived;  ///< Ejected flits.
  Field<Waiting> message;

 private:
  std::vector<Index> free_;
  Field<std::int64_t> created_by_;  // per source
  std::int64_t made_ = 0;
  std::int64_t flits_ = 0;
};

}  // namespace flitwave::reference
