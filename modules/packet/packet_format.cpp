// modules/packet/packet_format.cpp: see packet_format.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/packet/packet_format.hpp"

#include <algorithm>
#include <string>

#include "configs/error.hpp"

namespace flitwave {

Schema<PacketFormatParams> packet_format_schema() {
  return Schema<PacketFormatParams>{}
      .optional("longest", &PacketFormatParams::longest,
                "longest packet, header included; longer messages are split",
                between(1, static_cast<double>(Flit::max_length)))
      .optional("header", &PacketFormatParams::header,
                "flits that every packet carries before its payload; 0: the head flit carries "
                "payload too",
                between(0, 65536))
      .optional("address", &PacketFormatParams::address,
                "size of each destination's address in a message that names several",
                between(0, 65536));
}

PacketFormat::PacketFormat(const PacketFormatParams& params, Bytes width)
    : longest_(params.longest.count),
      header_(params.header.count),
      address_bytes_(params.address.count),
      width_(width.count) {
  if (header_ >= longest_)
    throw ConfigError("packet_format.longest",
                      "a packet of " + to_string(params.longest) +
                          " has no space for data beside a header of " + to_string(params.header),
                      "make it longer than the header");
}

std::vector<std::int64_t> PacketFormat::packets(Bytes message, int addresses) const {
  const std::int64_t bytes = message.count + address_bytes_ * addresses;
  std::int64_t payload = (bytes + width_ - 1) / width_;
  const std::int64_t count = (payload + longest_ - header_ - 1) / (longest_ - header_);
  if (count > most_packets)
    throw ConfigError(
        "operation",
        "a message of " + to_string(message) + " is " + std::to_string(count) +
            " packets; at most " + std::to_string(most_packets) + " are possible",
        "send shorter messages, or set channel.width or packet_format.longest higher");
  std::vector<std::int64_t> lengths;
  lengths.reserve(static_cast<std::size_t>(count));
  if (payload == 0) return {std::max<std::int64_t>(header_, 1)};  // a signal without data
  // [cut]
  while (payload > 0) {
    const std::int64_t part = std::min(payload, longest_ - header_);
    lengths.push_back(header_ + part);
    payload -= part;
  }
  // [cut]
  return lengths;
}

}  // namespace flitwave
