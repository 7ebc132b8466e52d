// routers/relay/coming_message.hpp: what a relay router makes sure of when a message comes into it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "algorithms/cube_multicast/relay/relay.hpp"
#include "modules/router.hpp"
#include "routers/relay/relayed_messages.hpp"

namespace flitwave {

/// How much of a message has come.
struct ComingMessage {
  Flit group;
  std::int64_t length = 0;    ///< Unit: flit
  std::int64_t received = 0;  ///< Unit: flit

  bool expects(Flit flit) const {
    return received < length && flit.packet_bits() == group.packet_bits() &&
           flit.sequence() == received && flit.tail() == (received + 1 == length);
  }
};

/// Looks at a message's header as its first flit comes into a router, which has a buffer of some
/// flits for it.
/// Throws: ModelError that names the router, its node and the field: "header.k" is 0, no number of
///   nodes, more than a router without a broadcaster serves, or not the number of destinations that
///   follow; "header.destinations[i]" is no node, or named before; "header.source" or
///   "header.control" is none; "data" do not fit into the buffer.
void check_coming(const Router& router, const RelayedMessages& messages, const Cube& cube,
                  const RelayRules& rules, Flit head, std::int64_t buffer);

/// Another flit has come than the message expects, or none has though one must come in each cycle.
/// Throws: ModelError that names the node and the field that was due.
[[noreturn]] void refuse_flit(NodeId node, const RelayedMessages& messages,
                              const ComingMessage& coming, std::optional<Flit> found);

}  // namespace flitwave
