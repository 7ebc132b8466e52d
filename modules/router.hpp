// modules/router.hpp: what every router shows the network, whatever is inside.
// channel -> [input_port -> router -> output_port] -> channel
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/deadlock/flow_control.hpp"
#include "algorithms/routing.hpp"
#include "configs/registry.hpp"
#include "modules/channel/circuit.hpp"
#include "modules/channel/ports.hpp"
#include "modules/clock/shared_module.hpp"
#include "modules/interface/fault_log.hpp"
#include "modules/packet/packet_pool.hpp"
#include "modules/passage.hpp"
#include "modules/unit_probe.hpp"

namespace flitwave {

class PortStalls;
class RelayedMessages;
struct NetworkFacts;
struct RelayModel;

/// A virtual channel's buffer that holds flits, and what its front flit waits for.
struct WaitPoint {
  /// Any one of a branch would do, and every branch must have one: a virtual channel held by
  /// another input of this router, or room in the buffer behind an output.
  struct Alternative {
    bool downstream = false;
    PortId port;  ///< Input port of this router, or output port when downstream.
    int vc = 0;
    int room = 1;    ///< Downstream: how many slots must be free. Unit: flit
    int branch = 0;  ///< Of a flit that leaves by several outputs at once, which of them.
  };

  PortId input;
  int vc = 0;
  Flit front;
  int free = 0;         ///< Slots. Unit: flit
  bool movable = true;  ///< It can go on, or something on the wires may let it.
  std::vector<Alternative> waits_for;
};

/// What the netlist tells a router about its place in the network.
struct RouterSite {
  ClockDomain& domain;
  NodeId node;
  int network_ports = 0;           ///< Network ports are 0 .. network_ports - 1, then local ports.
  std::vector<Channel*> inputs;    ///< Shape: [ports]; null where no channel enters.
  std::vector<Channel*> outputs;   ///< Shape: [ports]; null where no channel leaves.
  const RoutingFunction& routing;  ///< Outlives the router.
  const PacketPool& packets;       ///< Outlives the router.
  std::uint64_t seed = 0;
  PassageListener* listener = nullptr;  ///< Null unless stalls or passages are observed.

  /// The dimension of whose rings a port's channels are a part, -1 for others. Shape: [ports]
  std::vector<int> rings;

  /// What RouterModel::share has made, null if nothing; outlives the router.
  SharedModule* shared = nullptr;

  RelayedMessages* relayed = nullptr;  ///< Of a RouterModel::relay; outlives the router.

  /// From when on the channels of a port, both ways, are broken; of a local port: the node itself.
  /// FaultSet::never: they never are. Shape: [ports]
  std::vector<Cycle> breaks{};
  FaultLog* fault_log = nullptr;  ///< Null where nothing ever breaks.
  UnitProbe* units = nullptr;     ///< Null unless units of routers are observed.
  /// Ejection channels take one packet of a message class at a time.
  bool ejects_packets = false;

  int ports() const { return static_cast<int>(inputs.size()); }
  /// What all channels of the router have in common; of a router without channels, the defaults.
  const ChannelParams& channel() const;
  int local_ports() const { return ports() - network_ports; }
};

/// A base, so that the ports of a router and what its kind adds are next to each other in memory.
class RouterPlace {
 protected:
  explicit RouterPlace(const RouterSite& site);
  ~RouterPlace();

  RouterSite site_;
  std::unique_ptr<PortStalls> stalls_;  // made by the first tick in which they are observed
};

/// A router: its ports on the wires of channels.
///
/// A kind of router overrides `tick`, in which it accepts the flits that have arrived, and routes,
/// claims virtual channels and sends. Before it credits are counted and offers that were taken are
/// removed; after it flits that cross the switch are put on the wires. A router is ticked again in
/// the cycle after its ports have changed (accept, pop, claim, release, send, and what circuits and
/// requests exchange); else it sleeps until something arrives, or a virtual channel on which it
/// could send nothing can be sent on. What it waits for besides, e.g. the end of a delay, it says
/// by `stay_awake` or `wake_at`.
///
/// Timing: one tick per cycle; no path from an input to an output is combinational, so routers
///   may be built in any order.
/// Throws: ModelError when a flit arrives at a full buffer.
class Router : public Clocked, private RouterPlace, protected Ports {
 public:
  ~Router() override;

  NodeId node() const { return site_.node; }
  int ports() const { return site_.ports(); }
  using Ports::input;   // null where no channel enters
  using Ports::output;  // null where no channel leaves

  /// Appends a point for each buffer that holds flits. For the watchdog. A router that buffers
  /// flits elsewhere than at its ports overrides it.
  virtual void report_waits(std::vector<WaitPoint>& points) const;
  /// Flits inside, wires not counted.
  virtual int flits_inside() const { return flits_in_ports(); }
  /// Flits that its buffers hold. It grows in cycles only in which a flit arrives.
  virtual std::int64_t flits_held() const { return flits_inside(); }
  /// Appends its message handling units, which report to RouterSite::units.
  virtual void add_units(std::vector<UnitSite>& /*units*/) const {}
  /// Flits taken off the network: probes of circuits that were taken down.
  virtual std::int64_t flits_dropped() const { return 0; }
  /// Flits sent beyond those that came in: of packets that it copied.
  virtual std::int64_t flits_copied() const { return 0; }
  /// Whether nothing is inside and all credits are back.
  virtual bool at_rest() const { return flits_inside() == 0 && ports_at_rest(); }

 protected:
  /// `traversal`: cycles from leaving a buffer to the wires. `ticks`: false when the inside has a
  /// clocked process of its own.
  Router(const sc_core::sc_module_name& name, const RouterSite& site, int traversal,
         VcReallocation reallocation, bool ticks = true);

  const RouterSite& site() const { return site_; }
  /// As now(), for a tick.
  Cycle this_cycle() const { return commits_.plain ? now() : commits_.cycle; }

  /// The number by which an output knows the packet in a buffer of an input: see
  /// OutputPort::claim.
  int holder_of(int port, int vc) const { return port * vcs() + vc; }
  /// begin_tick, tick, end_tick, and stalls where they are observed. A router that decides by
  /// itself when it sleeps, or reports its stalls, overrides it.
  bool run_tick() override;

  /// Adds to the point of a buffer at a port what its front flit waits for. By default it follows
  /// from the packet's claims, or else from the routing function; a router with rules of its own
  /// overrides it.
  virtual void add_waits(WaitPoint& point) const;

 private:
  friend class PortStalls;

  void end_pulses() override { end_port_pulses(); }
  PortStalls* observed_stalls();
  void add_claims(int port, int vc, WaitPoint& point) const;
  void add_candidates(int port, int vc, WaitPoint& point) const;
  void add_outputs(int output, std::uint64_t wanted, WaitPoint& point) const;
};

/// "2" for a network port, "local_0" for a local one.
std::string port_label(int port, int network_ports);

/// What must be free in the next buffer before a head moves, and when it may ask.
enum class Switching {
  wormhole,             ///< One flit's room.
  virtual_cut_through,  ///< Room for its whole packet.
  store_and_forward,    ///< The same, and its packet's last flit must have come.
  circuit,              ///< Nothing: a probe has reserved the whole way.
};
std::vector<std::string> names_of(Switching);

/// How a router serves a packet that has copies (PacketPool::copies).
enum class Copying {
  none,
  at_once,  ///< It sends each copy on its route.
  /// The packet visits its receivers in the routing's order of stops (RoutingFunction::stop_order),
  /// and is copied where it passes one.
  on_way,
};

/// What jobs may ask of routers beyond carrying packets. A job that asks for what a kind does not
/// support is rejected, so that a new kind need not know of it.
struct RouterSupport {
  Copying copying = Copying::none;
  bool faults = false;          ///< RouterSite::breaks that are 0, reported to the FaultLog.
  bool later_faults = false;    ///< All of RouterSite::breaks.
  bool ejects_packets = false;  ///< RouterSite::ejects_packets.
  /// To RouterSite::listener; else a packet's time in the router is known as a whole. Stalls of
  /// heads are reported of every router, see PortStalls.
  bool reports_passages = false;
};

/// What the check for deadlock must know of a router.
struct DeadlockAvoidance {
  FlowControl control;
  /// A head always comes to the front of its buffer, whatever packets before it wait for; see
  /// RoutingFunction::relies_on_escape.
  bool serves_escape = false;
  /// What to change where dependencies are cyclic.
  std::string remedy = "choose another routing or virtual-channel rule";
};

/// Throws: ConfigError on the setting that does not fit the router, with a path from the top of the
///   job, e.g. "channel.vcs".
using RouterNeeds = std::function<void(const NetworkFacts&)>;

/// A kind of router with its parameters bound.
struct RouterModel {
  Switching switching = Switching::wormhole;
  /// Absent for a router whose inside has no closed form.
  std::optional<PipelineTiming> timing;
  /// What it needs of the network that it is a part of. Empty: nothing beyond what all routers
  /// need, see `check_needs`; routers/parts/needs.hpp has what several kinds need.
  RouterNeeds needs;
  RouterSupport supports;
  DeadlockAvoidance avoidance;
  CircuitRetry retry;  ///< Of circuits.
  /// Of a router that keeps whole messages, which list their destinations, else null. Its handshake
  /// is request.
  std::shared_ptr<const RelayModel> relay;
  /// Makes what all routers of a network are attached to; empty where they have their channels
  /// only. Such routers cannot be mixed with others, and send straight to every other node.
  std::function<std::unique_ptr<SharedModule>(ClockDomain& domain, int routers)> share;
  /// `name`: the SystemC instance name, e.g. "router_3_5".
  std::function<std::unique_ptr<Router>(const char* name, const RouterSite& site)> build;

  /// Whether a packet moves on only where there is space for all of it.
  bool keeps_whole_packets() const {
    return !relay && (switching == Switching::virtual_cut_through ||
                      switching == Switching::store_and_forward);
  }
};

/// Kinds of router: parameters -> RouterModel.
using Routers = Registry<RouterModel()>;

}  // namespace flitwave
