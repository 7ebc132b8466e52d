// routers/relay/arriving_message.hpp: a message as its flits arrive in a relay router, and the
// header that they carry. channel -> [arriving_message] -> message_unit
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "algorithms/cube_multicast/relay/header.hpp"
#include "algorithms/cube_multicast/relay/relay.hpp"
#include "modules/channel/flit_words.hpp"
#include "modules/router.hpp"
#include "routers/relay/relayed_messages.hpp"

namespace flitwave {

/// Where messages arrive, and the limits of that router. The objects outlive it.
struct ArrivalSite {
  const Router& router;
  const RelayedMessages& messages;
  Cube cube;
  const RelayRules& rules;
  std::int64_t buffer = 0;  ///< The space for flits.
};

/// The part of a message that has arrived. Each flit of the header carries the field to which it
/// belongs; the first field contains the number of those that follow.
class ArrivingMessage {
 public:
  /// Takes the next flit, with the word that has crossed the channel with it.
  /// Throws: ModelError that names the router, its node and the field: when the flit is not the
  ///   next one; "header.k" is 0, no number of nodes, or more than a router without a broadcaster
  ///   serves; "header.destinations[i]" is no node, or named before; "header.source" or
  ///   "header.control" is none; "data" do not fit into the buffer; a field is missing, or differs
  ///   from the one that was sent.
  void take(Flit flit, std::optional<FlitWord> word, const ArrivalSite& site);
  /// Takes the flit that ends the message early, in place of its rest.
  void take_end(Flit end);
  /// The rest of the message will not arrive.
  void truncate() { length_ = received_; }
  /// A flit was due, and a different flit or none arrived.
  /// Throws: ModelError that names the node and the field that was due.
  [[noreturn]] void reject(const RelayedMessages& messages, NodeId here,
                           std::optional<Flit> found) const;

  /// Whether a flit is the next one.
  bool expects(Flit flit) const {
    return received_ < length_ && flit.packet_bits() == group_.packet_bits() &&
           flit.sequence() == received_ && flit.tail() == (received_ + 1 == length_);
  }

  Flit group() const { return group_; }
  std::int64_t received() const { return received_; }            ///< Unit: flit
  std::int64_t length() const { return length_; }                ///< 0 before the first. Unit: flit
  std::int64_t header_flits() const { return header_flits_; }    ///< The same. Unit: flit
  std::int64_t data() const { return length_ - header_flits_; }  ///< Unit: flit
  bool whole() const { return received_ > 0 && received_ == length_; }
  /// The header, as far as it has arrived, and how many destinations it lists.
  const CubeHeader& header() const { return reader_.header(); }
  std::int64_t named() const { return reader_.named(); }
  /// The word of the flit that arrived last: of the header, the field.
  CubeBits field() const { return field_; }

 private:
  void begin(Flit head, std::optional<FlitWord> word, const ArrivalSite& site);
  void read_field(std::optional<FlitWord> word, const ArrivalSite& site);

  Flit group_;
  HeaderReader reader_;
  CubeBits field_ = 0;
  std::int64_t header_flits_ = 0;
  std::int64_t length_ = 0;
  std::int64_t received_ = 0;
};

}  // namespace flitwave
