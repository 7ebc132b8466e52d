// algorithms/cube_multicast/relay/relay_settings.hpp: structure and times of relay routers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/cube_multicast/relay/handshake_time.hpp"
#include "algorithms/cube_multicast/relay/relay.hpp"
#include "algorithms/cube_multicast/relay/tie_settings.hpp"
#include "configs/quantity.hpp"

namespace flitwave {

/// A preset of the structure.
enum class RelayPreset {
  none,          ///< As the settings specify.
  proto_mhu_q3,  ///< Units of the chip that was built: see `prototype_chip`.
};
std::vector<std::string> names_of(RelayPreset);

/// The internal structure of a router.
enum class RelayDetail {
  compact,  ///< One module performs all actions of a cycle.
  blocks,   ///< A module for each block of the hardware.
};
std::vector<std::string> names_of(RelayDetail);

/// The messages that share a buffer.
enum class MessageBuffers {
  faithful,     ///< All messages of an input channel, one at a time.
  hop_classes,  ///< Messages with the same number of hops made.
};
std::vector<std::string> names_of(MessageBuffers);

/// When a branch acquires an output.
enum class Grant {
  acknowledged,  ///< When the buffer behind the output has space.
  requested,     ///< At its request; other branches then wait, whatever buffer they request.
};
std::vector<std::string> names_of(Grant);

/// The rule by which an output gateway selects one of several units.
/// Source: Lan 1988, section 6.3, states that there is a choice; the rules are ours
enum class GatewayRule {
  fcfs,         ///< First come, first served; the lowest of simultaneous requests.
  round_robin,  ///< The next after the last one served.
  fixed,        ///< The lowest; others can starve.
};
std::vector<std::string> names_of(GatewayRule);

/// When a router forwards a message.
enum class Relaying {
  relay,                ///< When its header is decoded; a blocked branch leaves as soon as it can.
  virtual_cut_through,  ///< The same, but a blocked branch waits for the last flit.
  store_and_forward,    ///< When its last flit has arrived.
};
std::vector<std::string> names_of(Relaying);

/// When a processor receives its copy of a message that its router stores.
enum class StoredDelivery {
  stored,    ///< As other branches: when the last flit has arrived.
  arriving,  ///< As the message arrives, for a memory shared by router and processor; its header
             ///< selects the copy.
};
std::vector<std::string> names_of(StoredDelivery);

/// When a router's branches begin.
enum class Selecting {
  overlapped,  ///< Each at its selection.
  sequential,  ///< All after the last selection.
};
std::vector<std::string> names_of(Selecting);

/// The order in which a router sends its branches.
enum class Branching {
  parallel,  ///< All at once.
  serial,    ///< One after the other; the copy for the local processor first.
};
std::vector<std::string> names_of(Branching);

/// The settings of relay routers, as written in a job. The router kind's schema, routers, their
/// blocks and the closed form of their times read the same struct.
/// Source: Lan 1988, chapter 6; settings that it does not specify are ours
struct RelaySettings {
  RelayPreset preset = RelayPreset::none;
  RelayDetail detail = RelayDetail::compact;
  /// m: rows of the Store; messages for up to so many destinations are served greedily, others by
  /// broadcast.
  int capacity = 4;
  bool broadcaster = true;      ///< Without one, a message for more than m nodes is an error.
  bool fault_tolerant = false;  ///< Control vectors instead of sources, and support of faults.
  Ties ties = Ties::lowest;
  TieScript script;
  MessageBuffers buffers = MessageBuffers::faithful;
  Grant grant = Grant::acknowledged;
  GatewayRule arbitration = GatewayRule::fcfs;
  int field = 1;      ///< T_f: the time of a field on a link. Unit: cycle, and flits of a field
  int link_bits = 0;  ///< Bits of a field that a link carries in a cycle; 0: `field` holds.
  HandshakeTime handshake_time;  ///< T_hs
  Cycles selection{10};          ///< T_c: the time to select a dimension.
  Relaying switching = Relaying::relay;
  StoredDelivery delivery = StoredDelivery::arriving;
  Selecting selecting = Selecting::overlapped;
  Branching branching = Branching::parallel;

  bool in_blocks() const { return detail == RelayDetail::blocks; }
  bool stores() const { return switching == Relaying::store_and_forward; }
  /// Whether a decision waits for the last flit, not only for the header.
  bool decides_whole() const { return stores() && delivery == StoredDelivery::stored; }
  HeaderFormat header_format() const {
    return fault_tolerant ? HeaderFormat::control : HeaderFormat::source;
  }
  /// The rules of their decisions. `seed`: for random ties.
  /// Throws: as `tie_rule_of`.
  RelayRules rules(const Cube& cube, std::uint64_t seed) const;
  /// The flits of a field, which has a bit for each dimension.
  /// Throws: ConfigError on "link_bits" when a link carries more than a field has.
  int field_flits(int dimensions) const;
};

}  // namespace flitwave
