// testbenches/reference/packets.hpp: the packets in the network, and the times of those that left.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "flitwave/configs/random.hpp"
#include "flitwave/testbenches/reference/field.hpp"
#include "flitwave/testbenches/reference/reference.hpp"

namespace flitwave::reference {

/// Packets by a number that is used again once a packet has left.
class Packets {
 public:
  explicit Packets(Index nodes) : made_by_(nodes, 0) {}

  /// The number of a new packet.
  Index add(const Header& packet_header, Cycle now) {
    Index packet = header.size();
    if (free_.empty()) {
      header.push_back(packet_header);
      key.push_back(0);
      times.push_back({});
      arrived.push_back(0);
    } else {
      packet = free_.back();
      free_.pop_back();
      header[packet] = packet_header;
      arrived[packet] = 0;
    }
    const int source = packet_header.source.value();
    const std::int64_t number = made_by_[source]++;
    key[packet] =
        mix(mix(static_cast<std::uint64_t>(source) + 1) + static_cast<std::uint64_t>(number));
    times[packet] = {source, number, packet_header.destination.value(), now, 0, 0, 0};
    ++made_;
    return packet;
  }
  void remove(Index packet) { free_.push_back(packet); }

  std::int64_t made() const { return made_; }
  std::int64_t inside() const { return header.size() - static_cast<Index>(free_.size()); }

  Field<Header> header;
  Field<std::uint64_t> key;  ///< The same in every run: of source and number.
  Field<PacketTimes> times;
  Field<std::int64_t> arrived;  ///< Flits taken out.

 private:
  std::vector<Index> free_;
  Field<std::int64_t> made_by_;  // per source
  std::int64_t made_ = 0;
};

}  // namespace flitwave::reference
