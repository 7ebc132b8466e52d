// algorithms/cube_multicast/relay/relay_settings.hpp: how relay routers are built, and what they
// take.
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

/// What is built.
enum class RelayPreset {
  none,          ///< What the settings say.
  proto_mhu_q3,  ///< Units as the one that was made: see `prototype_chip`.
};
std::vector<std::string> names_of(RelayPreset);

/// What is inside a router.
enum class RelayDetail {
  compact,  ///< All that a router does in a cycle is done at once.
  blocks,   ///< A module for each block of the hardware.
};
std::vector<std::string> names_of(RelayDetail);

/// Which messages share a buffer.
enum class MessageBuffers {
  faithful,     ///< All that come by a channel, one at a time.
  hop_classes,  ///< Those that have come as many hops.
};
std::vector<std::string> names_of(MessageBuffers);

/// From when on a branch has an output for itself.
enum class Grant {
  acknowledged,  ///< Once there is space for it behind.
  requested,     ///< From its request on; others wait meanwhile, whatever buffer they request.
};
std::vector<std::string> names_of(Grant);

/// By which rule an output gateway serves one of several units.
/// Source: Lan 1988, section 6.3, says that there is a choice; the rules are ours
enum class GatewayRule {
  fcfs,         ///< First come, first served; of those that came at once, the lowest.
  round_robin,  ///< The next after the one that was served last.
  fixed,        ///< The lowest; others can starve.
};
std::vector<std::string> names_of(GatewayRule);

/// When a router lets a message go on.
enum class Relaying {
  relay,                ///< Decided by its header; a branch that was blocked goes when it can.
  virtual_cut_through,  ///< The same, but a branch that was blocked waits for the last flit.
  store_and_forward,    ///< Decided when its last flit has come.
};
std::vector<std::string> names_of(Relaying);

/// When a processor gets its copy of a message that its router stores.
enum class StoredDelivery {
  stored,    ///< As other branches: when the last flit has come.
  arriving,  ///< As the message arrives, as where router and processor share a memory; its header
             ///< decides.
};
std::vector<std::string> names_of(StoredDelivery);

/// When a router's branches begin.
enum class Selecting {
  overlapped,  ///< Each when it is selected.
  sequential,  ///< All after the last selection.
};
std::vector<std::string> names_of(Selecting);

/// How a router sends its branches.
enum class Branching {
  parallel,  ///< All at once.
  serial,    ///< One after the other; the copy for the local processor first.
};
std::vector<std::string> names_of(Branching);

/// The settings of relay routers, as a job has them. The router kind's schema, routers, their
/// blocks and the closed form of their times read the same struct.
/// Source: Lan 1988, chapter 6; what it leaves open is ours
struct RelaySettings {
  RelayPreset preset = RelayPreset::none;
  RelayDetail detail = RelayDetail::compact;
  /// m: rows of the Store; messages for so many destinations are served greedily, those for more
  /// by broadcast.
  int capacity = 4;
  bool broadcaster = true;      ///< Without one, a message for more than m nodes is an error.
  bool fault_tolerant = false;  ///< Control vectors instead of sources, and support of faults.
  Ties ties = Ties::lowest;
  TieScript script;
  MessageBuffers buffers = MessageBuffers::faithful;
  Grant grant = Grant::acknowledged;
  GatewayRule arbitration = GatewayRule::fcfs;
  int field = 1;      ///< T_f: a field crosses a link. Unit: cycle, and flits of a field
  int link_bits = 0;  ///< Bits of a field that a link carries in a cycle; 0: `field` holds.
  HandshakeTime handshake_time;  ///< T_hs
  Cycles selection{10};          ///< T_c: a dimension is selected.
  Relaying switching = Relaying::relay;
  StoredDelivery delivery = StoredDelivery::arriving;
  Selecting selecting = Selecting::overlapped;
  Branching branching = Branching::parallel;

  bool in_blocks() const { return detail == RelayDetail::blocks; }
  bool stores() const { return switching == Relaying::store_and_forward; }
  /// Whether a decision waits for the last flit, not for the header alone.
  bool decides_whole() const { return stores() && delivery == StoredDelivery::stored; }
  HeaderFormat header_format() const {
    return fault_tolerant ? HeaderFormat::control : HeaderFormat::source;
  }
  /// How they decide. `seed`: of random ties.
  /// Throws: as `tie_rule_of`.
  RelayRules rules(const Cube& cube, std::uint64_t seed) const;
  /// The flits of a field, which has a bit for each dimension.
  /// Throws: ConfigError on "link_bits" when a link carries more than a field has.
  int field_flits(int dimensions) const;
};

}  // namespace flitwave
