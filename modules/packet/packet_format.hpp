// modules/packet/packet_format.hpp: how a message becomes packets.
// processor -> [packet_format] -> interface -> channel
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "configs/schema.hpp"
#include "modules/signals/flit.hpp"

namespace flitwave {

/// Settings of the section `packet_format`.
struct PacketFormatParams {
  Flits longest{Flit::max_length};
  Flits header{0};
  Bytes address{0};
};
Schema<PacketFormatParams> packet_format_schema();

/// Splits messages into packets.
class PacketFormat {
 public:
  static constexpr std::int64_t most_packets = 1'000'000;

  /// `width`: bytes in a flit.
  /// Throws: ConfigError on packet_format.longest when a packet has no space for data beside its
  /// header.
  PacketFormat(const PacketFormatParams& params, Bytes width);

  /// The lengths of a message's packets, in the order in which they are sent. The payload with
  /// `addresses` addresses is split into the fewest packets that can carry it; each has a header.
  /// A message without data is one packet of at least one flit.
  /// Unit: flit. Range: message >= 0 B
  /// Throws: ConfigError on operation.message when there are more than `most_packets`.
  std::vector<std::int64_t> packets(Bytes message, int addresses = 1) const;

 private:
  std::int64_t longest_;
  std::int64_t header_;
  std::int64_t address_bytes_;
  std::int64_t width_;
};

}  // namespace flitwave
