// modules/interface/relayed_messages.hpp: what the header fields of messages say, router by router.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/cube_multicast/relay/header.hpp"
#include "modules/interface/fault_log.hpp"
#include "modules/packet/packet_pool.hpp"
#include "topologies/fault_set.hpp"

namespace flitwave {

/// How the messages of relay routers are asked for and led.
struct RelayFormat {
  HeaderFormat header = HeaderFormat::source;
  std::int64_t field = 1;  ///< Flits in a field of the header.
  /// T_hs: from a request to the first flit, if nothing else is in the way; none: as long as the
  /// wires take. At least that.
  std::optional<Cycle> handshake{};

  /// T_hs over a channel of some latency.
  Cycle handshake_over(Cycle latency) const { return handshake.value_or(2 * latency); }
  /// How long a receiver at the end of such a channel takes to acknowledge.
  Cycle answers_after(Cycle latency) const { return handshake_over(latency) - 2 * latency; }

  /// What leads a message on a channel between routers, or to the first one. Unit: flit
  std::int64_t leads(const CubeHeader& fields) const { return fields.length() * field; }
  /// What leads it to a processor: the source, if that is what stands behind the destinations.
  /// Unit: flit
  std::int64_t leads_to_processor() const { return header == HeaderFormat::source ? field : 0; }
};

/// The messages under way among relay routers, which list their destinations.
///
/// Between routers, the flits of all branches of a message name one bundle; a copy for a processor
/// is a packet of its own. As flits are handles, what the fields of a header say is kept here, for
/// each router that the message comes into, from the decision to send it there until that router
/// has done with it. A message comes into a router once, for its branches are a tree.
class RelayedMessages {
 public:
  /// `packets` and `log` outlive it. `log`: null where nothing ever breaks. `label`: what a node is
  /// called in errors.
  RelayedMessages(const RelayFormat& format, PacketPool& packets, FaultLog* log,
                  std::function<std::string(NodeId)> label)
      : format_(format), packets_(packets), log_(log), label_(std::move(label)) {}

  std::string label(NodeId node) const { return label_(node); }

  const RelayFormat& format() const { return format_; }

  /// A message of a bundle whose copies are in the pool. `data`: what follows the header.
  /// Unit: flit
  void add(Flit bundle, std::int64_t data);
  /// It is going to come into a node's router, led by `header`.
  void announce(Flit bundle, NodeId router, CubeHeader header);
  /// As it comes, or has come, into a router. Throws: ModelError when it does not.
  const CubeHeader& header(Flit bundle, NodeId router) const;
  std::int64_t data(Flit bundle) const { return message(bundle).data; }
  /// The slot of a destination's packet, which is sent to it now.
  /// Throws: ModelError when the node is none, or was served.
  int serve(Flit bundle, NodeId destination);
  /// Some destinations cannot be served by a router, whose ways to them are broken: that is logged,
  /// and their packets are lost.
  /// Throws: ModelError when nothing ever breaks.
  void give_up(Flit bundle, NodeId router, const CubeNodes& destinations, Cycle now);
  /// A router has done with it. Nothing is kept of a message that is in no router any more;
  /// destinations that no router has served by then are given up.
  void finish(Flit bundle, NodeId router, Cycle now);

  // Where something breaks while messages are under way.

  /// What broke keeps a message from destinations, none of which has got it whole: the log is told
  /// who has not been given up before. `place`: at, port, cycle and hops.
  /// Throws: ModelError when nothing ever breaks.
  void cut_off(Flit bundle, const CubeNodes& destinations, FaultedMessage place);
  /// It will not come into a router for which it was announced.
  /// Needs: another one has it.
  void withdraw(Flit bundle, NodeId router);
  /// All of a message's.
  CubeNodes destinations(Flit bundle) const;
  /// The copy for a destination that was to be served has not gone, or its flits are gone.
  void lose_copy(Flit bundle, NodeId destination, Cycle now);
  /// Flits of the bundle are on a broken channel into a router: it counts as under way until
  /// `drain`.
  void hold(Flit bundle, NodeId router);
  void drain(Flit bundle, NodeId router, Cycle now);

 private:
  struct Target {
    NodeId destination;
    int slot = 0;
    bool open = true;              // not served, and not given up
    bool given_up = false;         // unreachable
    Cycle lost = FaultSet::never;  // since when
  };
  struct Message {
    std::int64_t data = 0;
    std::vector<Target> targets;          // by destination
    std::map<NodeId, CubeHeader> coming;  // by router
    std::vector<NodeId> held;             // routers that it is kept for
    NodeId left;                          // the router that was done with it last, and when
    Cycle left_at = 0;
  };

  const Message& message(Flit bundle) const;
  Target* target(Flit bundle, NodeId destination);
  Target* open_target(Flit bundle, NodeId destination);
  void lose(Flit bundle, Target& target, Cycle now);
  void settle(Flit bundle, NodeId router, Cycle now);

  RelayFormat format_;
  PacketPool& packets_;
  FaultLog* log_;
  std::function<std::string(NodeId)> label_;
  std::map<std::uint64_t, Message> messages_;  // by Flit::packet_bits of the bundle
};

}  // namespace flitwave
