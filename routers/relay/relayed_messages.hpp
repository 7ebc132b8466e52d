// routers/relay/relayed_messages.hpp: the messages in transit among relay routers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/cube_multicast/relay/header.hpp"
#include "modules/channel/flit_words.hpp"
#include "modules/interface/fault_log.hpp"
#include "modules/interface/request_protocol.hpp"
#include "modules/packet/packet_pool.hpp"
#include "modules/router.hpp"
#include "modules/shared_part.hpp"
#include "routers/relay/unit_probe.hpp"
#include "topologies/fault_set.hpp"

namespace flitwave {

/// How the messages of relay routers are requested, and which header precedes them.
struct RelayFormat {
  HeaderFormat header = HeaderFormat::source;
  std::int64_t field = 1;  ///< Flits in a field of the header.
  /// T_hs: from a request to the first flit in an idle router; none: the time that the wires take,
  /// which is the least.
  std::optional<Cycle> handshake{};

  /// T_hs over a channel of the given latency.
  Cycle handshake_over(Cycle latency) const { return handshake.value_or(2 * latency); }
  /// How long a receiver at the end of such a channel takes to acknowledge.
  Cycle acknowledges_after(Cycle latency) const { return handshake_over(latency) - 2 * latency; }

  /// The header on a channel between routers, or to the first one. Unit: flit
  std::int64_t leads(const CubeHeader& fields) const { return fields.length() * field; }
  /// The words of its flits: each flit of a field carries the field. Shape: [leads]
  std::vector<FlitWord> words(const CubeHeader& fields) const;
  /// The header on the channel to a processor: the source, if it follows the destinations. Unit:
  /// flit
  std::int64_t leads_to_processor() const { return header == HeaderFormat::source ? field : 0; }
};

/// The messages in transit among relay routers, which list their destinations.
///
/// Between routers, the flits of all branches of a message name one packet group; a copy for a
/// processor is a packet of its own. Routers read the fields of a header from the flits that carry
/// them. The header that was sent is also stored here for each router that the message enters, from
/// the decision to send it there until that router has finished with it, for conservation checks
/// and for reports of losses by faults. A message enters a router at most once, because its
/// branches form a tree.
class RelayedMessages final : public SharedPart, public RequestProtocol, public UnitReports {
 public:
  /// Of a network of relay routers, which is a hypercube.
  RelayedMessages(const RelayFormat& format, const SharedSite& site);
  /// Of the network of a relay router. Throws: ModelError when the network has other routers.
  static RelayedMessages& of(const RouterSite& site);

  RequestProtocol* requests() override { return this; }
  Cycle acknowledges_after(Cycle latency) const override {
    return format_.acknowledges_after(latency);
  }
  Lead lead(NodeId source, const std::vector<NodeId>& destinations) const override;
  void add(Flit group, const std::vector<FlitWord>& words) override;
  void lose(Flit group, Cycle now) override;

  std::string label(NodeId node) const { return topology_.label(node); }
  const RelayFormat& format() const { return format_; }

  /// Announces that it will enter a node's router, with the given header.
  void announce(Flit group, NodeId router, CubeHeader header);
  /// The header that was sent to a router. Throws: ModelError when none was.
  const CubeHeader& header(Flit group, NodeId router) const;
  /// What follows the header. Unit: flit
  std::int64_t data(Flit group) const;
  /// The slot of a destination's packet, which is now sent to it.
  /// Throws: ModelError when the node is no destination, or was served.
  int serve(Flit group, NodeId destination);
  /// A router cannot serve some destinations, because the paths to them are faulty: logs them, and
  /// their packets are lost.
  /// Throws: ModelError when there are no faults.
  void give_up(Flit group, NodeId router, const CubeNodes& destinations, Cycle now);
  /// A router has finished with it. A message that is in no router is removed; destinations that no
  /// router has served by then are abandoned.
  void finish(Flit group, NodeId router, Cycle now);

  // Faults that begin while messages are in transit.

  /// A fault prevents the message from reaching destinations, none of which has received it
  /// completely. Logs those that have not been abandoned before. `place`: at, port, cycle and hops.
  /// Throws: ModelError when there are no faults.
  void truncate(Flit group, const CubeNodes& destinations, FaultedMessage place);
  /// It will not enter a router for which it was announced.
  /// Needs: another router has it.
  void withdraw(Flit group, NodeId router);
  /// The copy for a destination that was to be served was not sent, or its flits were discarded.
  void lose_copy(Flit group, NodeId destination, Cycle now);
  /// Flits of the group are on a faulty channel into a router: it counts as in transit until
  /// `drain`.
  void hold(Flit group, NodeId router);
  void drain(Flit group, NodeId router, Cycle now);

 private:
  struct Target {
    NodeId destination;
    int slot = 0;
    bool open = true;              // not served, and not abandoned
    bool given_up = false;         // unreachable
    Cycle lost = FaultSet::never;  // since when
  };
  struct Message {
    std::vector<Target> targets;          // by destination
    std::map<NodeId, CubeHeader> coming;  // by router
    std::vector<NodeId> held;             // routers for which it is kept
    NodeId left;                          // the router that finished with it last, and when
    Cycle left_at = 0;
  };

  const Message& message(Flit group) const;
  Target* target(Flit group, NodeId destination);
  Target* open_target(Flit group, NodeId destination);
  void lose(Flit group, Target& target, Cycle now);
  void settle(Flit group, NodeId router, Cycle now);

  RelayFormat format_;
  Cube cube_;
  const Topology& topology_;
  PacketPool& packets_;
  FaultLog* log_;
  std::map<std::uint64_t, Message> messages_;  // by Flit::packet_bits of the group
};

}  // namespace flitwave
