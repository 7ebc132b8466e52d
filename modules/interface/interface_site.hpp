// modules/interface/interface_site.hpp: the rules of a network interface and its position in the
// network.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "algorithms/routing.hpp"
#include "modules/channel/channel.hpp"
#include "modules/channel/circuit.hpp"
#include "modules/interface/message_port.hpp"
#include "modules/packet/packet_pool.hpp"
#include "topologies/fault_set.hpp"

namespace flitwave {

class RequestProtocol;

/// When an ejection channel accepts flits again after a message has arrived by it.
enum class Ejection {
  drains,  ///< It takes the next flits at once; receive overhead delays only the software.
  held,    ///< It takes no more until the software has processed the message.
  /// No packet is taken while the node sends one, and none is sent while it takes one.
  half_duplex,
};
std::vector<std::string> names_of(Ejection);

/// Which virtual channel of an injection channel a packet takes; of several, the next in turn.
enum class InjectionVc {
  free,       ///< One that no packet holds.
  with_room,  ///< A free one on which a flit can be sent now.
};
std::vector<std::string> names_of(InjectionVc);

/// How packets on several virtual channels share an ejection channel.
enum class EjectionSharing {
  flits,    ///< Flit by flit, in turn.
  packets,  ///< One packet of a message class holds it at a time; others wait in the router.
};
std::vector<std::string> names_of(EjectionSharing);

/// The position of an interface in the network.
struct InterfaceSite {
  ClockDomain& domain;
  NodeId node;
  std::vector<Channel*> injection;  ///< To the router. Shape: [ports]
  std::vector<Channel*> ejection;   ///< From the router. Shape: [ports]
  const Topology& topology;         ///< Outlives the interface; provides the names of nodes.
  const RoutingFunction& routing;   ///< Outlives the interface; makes oblivious choices.
  PacketPool& packets;              ///< Outlives the interface.
  Ejection rule = Ejection::drains;
  std::uint64_t seed = 0;
  CircuitRetry retry{};  ///< Under the handshake acknowledge.
  /// Requests that it holds until their replies have been sent; no further request is taken. 0:
  /// any.
  int reply_queue = 0;
  InjectionVc injection_vc = InjectionVc::free;
  QueueOrder queue = QueueOrder::fifo;
  RequestProtocol* requests = nullptr;  ///< Under the handshake request.
  /// The cycle from which the node is faulty; used under the handshake request.
  Cycle breaks = FaultSet::never;
};

/// A buffer at the interface whose front flit belongs to a request that is not taken, and the
/// injection channels by which a reply would have to leave. For the watchdog.
struct RefusedRequest {
  int port = 0;  ///< Ejection channel.
  int vc = 0;
  Flit front;
  int free = 0;                  ///< Slots of the buffer. Unit: flit
  bool reply_can_leave = false;  ///< The network does not block some reply.
  /// Space for which the flits to be sent wait, in the router's buffer at a local port.
  struct HoldUp {
    int port = 0;
    int vc = 0;
    int room = 1;  ///< Unit: flit
  };
  std::vector<HoldUp> held_up_by;  ///< Otherwise any one of these suffices.
};

}  // namespace flitwave
