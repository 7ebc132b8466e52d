// modules/router.hpp: the interface of all routers to the network.
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
#include "modules/interface/fault_log.hpp"
#include "modules/packet/packet_pool.hpp"
#include "modules/passage.hpp"
#include "modules/shared_part.hpp"

namespace flitwave {

class PortStalls;
struct NetworkFacts;

/// The buffer of a virtual channel that holds flits, and what its front flit waits for.
struct WaitPoint {
  /// Every branch needs one of its alternatives: a virtual channel that another input of this
  /// router holds, or space in the buffer behind an output.
  struct Alternative {
    bool downstream = false;
    PortId port;  ///< Input port of this router, or output port when downstream.
    int vc = 0;
    int room = 1;     ///< Downstream: number of slots that must be free. Unit: flit
    int branch = 0;   ///< The branch of a flit that leaves by several outputs at once.
    PortId output{};  ///< Not downstream: the output of the virtual channel, if it is known.
  };

  PortId input;
  int vc = 0;
  Flit front;
  int free = 0;         ///< Slots. Unit: flit
  bool movable = true;  ///< It can move, or signals on the wires may enable it to move.
  std::vector<Alternative> waits_for;
};

/// A packet in a router that is opaque: see Router::is_opaque.
struct OpaquePacket {
  Flit flit;          ///< Its first flit that is inside.
  Cycle entered = 0;  ///< When that flit arrived.
  PortId port;        ///< The input port.
};

/// The parameters of a router that depend on its node and channels; set by the netlist.
struct RouterSite {
  ClockDomain& domain;
  NodeId node;
  int network_ports = 0;           ///< Network ports are 0 .. network_ports - 1, then local ports.
  std::vector<Channel*> inputs;    ///< Shape: [ports]; null where no channel enters.
  std::vector<Channel*> outputs;   ///< Shape: [ports]; null where no channel leaves.
  const RoutingFunction& routing;  ///< Outlives the router.
  const PacketPool& packets;       ///< Outlives the router.
  std::uint64_t seed = 0;          ///< Of the random choices of routers; see Random.
  PassageListener* listener = nullptr;  ///< Null unless stalls or passages are observed.

  /// The dimension of whose rings a port's channels are a part, -1 for others. Shape: [ports]
  std::vector<int> rings;

  /// What RouterModel::share has made, null if nothing; outlives the router.
  SharedPart* shared = nullptr;

  /// The cycle from which both channels of a port are faulty; of a local port: the node itself.
  /// FaultSet::never: never. Shape: [ports]
  std::vector<Cycle> breaks{};
  FaultLog* fault_log = nullptr;  ///< Null where nothing ever breaks.
  /// Ejection channels take one packet of a message class at a time.
  bool ejects_packets = false;
  const Topology* topology = nullptr;  ///< Outlives the router; null where there is none.
  /// Of the initial values of registers that RTL does not initialize; no result depends on it.
  std::uint64_t init_seed = 1;

  int ports() const { return static_cast<int>(inputs.size()); }
  /// The common parameters of all channels of the router; the defaults for a router without
  /// channels.
  const ChannelParams& channel() const;
  int local_ports() const { return ports() - network_ports; }
};

/// A base class, so that the ports of a router and the members of its kind are adjacent in memory.
class RouterPlace {
 protected:
  explicit RouterPlace(const RouterSite& site);
  ~RouterPlace();

  RouterSite site_;
  std::unique_ptr<PortStalls> stalls_;  // created by the first tick in which they are observed
};

/// A router: its ports on the wires of channels.
///
/// A kind of router overrides `tick`, in which it accepts the flits that have arrived, routes,
/// claims virtual channels and sends. Before the tick, credits are counted and accepted offers are
/// removed; after it, flits that cross the switch are driven on the wires. A router is ticked again
/// in the cycle after its ports have changed (accept, pop, claim, release, send, and the exchanges
/// of circuits and requests); otherwise it sleeps until a signal arrives, or until a virtual
/// channel that was blocked can be sent on. For any other event, e.g. the end of a delay, it calls
/// `stay_awake` or `wake_at`.
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

  /// Appends a point for each buffer that holds flits; for the watchdog. A router with buffers
  /// other than those of its ports overrides it.
  virtual void report_waits(std::vector<WaitPoint>& points) const;
  /// The point of the virtual channel of an input port that holds flits.
  WaitPoint wait_point(PortId input, int vc) const;
  /// Whether the front flit there had all that it needs to cross the switch in the last tick, but
  /// others crossed it. False for a router that does not know.
  virtual bool lost_switch(PortId, int) const { return false; }
  /// The outputs of which the head at the front there requested a virtual channel in the last tick,
  /// but got none; a bit for each. None for a router that does not know.
  virtual std::uint64_t lost_claims(PortId, int) const { return 0; }
  /// Whether its state is not known, as that of a router in RTL: it reports the packets inside, but
  /// not what they wait for, and the watchdog does not call `report_waits`.
  virtual bool is_opaque() const { return false; }
  /// Of an opaque router: appends the packets of which a flit has been inside since cycle `until`
  /// or longer, those that entered first in front.
  virtual void report_opaque(Cycle until, std::vector<OpaquePacket>& packets) const;
  /// Number of flits inside, without those on wires.
  virtual int flits_inside() const { return flits_in_ports(); }
  /// Number of flits in its buffers. It grows only in cycles in which a flit arrives.
  virtual std::int64_t flits_held() const { return flits_inside(); }
  /// Flits taken off the network: probes of circuits that were taken down.
  virtual std::int64_t flits_dropped() const { return 0; }
  /// Number of flits sent in excess of the received ones: those of copies.
  virtual std::int64_t flits_copied() const { return 0; }
  /// Whether no flit is inside and all credits have returned.
  virtual bool at_rest() const { return flits_inside() == 0 && ports_at_rest(); }

 protected:
  /// `traversal`: cycles from leaving a buffer to the wires. `ticks`: false when the router has its
  /// own clocked process.
  Router(const sc_core::sc_module_name& name, const RouterSite& site, int traversal,
         VcReallocation reallocation, bool ticks = true);

  const RouterSite& site() const { return site_; }
  /// The same as now(), faster; within a tick only.
  Cycle this_cycle() const { return commits_.plain ? now() : commits_.cycle; }

  /// The number by which an output identifies the packet in a buffer of an input; see
  /// OutputPort::claim.
  int holder_of(int port, int vc) const { return port * vcs() + vc; }
  /// begin_tick, tick, end_tick, and stalls where they are observed. A router that determines by
  /// itself when it sleeps, or that reports its stalls itself, overrides it.
  bool run_tick() override;

  /// Adds to the point of a buffer at a port what its front flit waits for. By default this follows
  /// from the claims of the packet, or, without claims, from the routing function; a router with
  /// other rules overrides it.
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

/// The space that a head needs in the next buffer before it moves, and when it may request it.
enum class Switching {
  wormhole,             ///< Space for one flit.
  virtual_cut_through,  ///< Space for the whole packet.
  store_and_forward,    ///< The same, after the last flit of the packet has arrived.
  circuit,              ///< None: a probe has reserved the whole path.
};
std::vector<std::string> names_of(Switching);

/// How a router serves a packet that has copies (PacketPool::copies).
enum class Copying {
  none,
  at_once,  ///< It sends each copy on the route of the copy.
  /// The packet visits its receivers in the routing's order of stops (RoutingFunction::stop_order)
  /// and is copied at each receiver that it passes.
  on_way,
};

/// Optional features of routers. A job that needs a feature that a kind does not support is
/// rejected, so that a new kind need not implement it.
struct RouterSupport {
  Copying copying = Copying::none;
  bool faults = false;          ///< Faults from the start (RouterSite::breaks of 0); uses FaultLog.
  bool later_faults = false;    ///< All faults of RouterSite::breaks.
  bool ejects_packets = false;  ///< RouterSite::ejects_packets.
  bool requests = false;        ///< The handshake request.
  /// Whether passages are reported to RouterSite::listener; otherwise only a packet's total time in
  /// the router is known. The stalls of heads are reported for every router, see PortStalls.
  bool reports_passages = false;
  /// Whether RouterModel::timing, `switching` and `reallocation` say all that a network without
  /// flits needs of it (modules/transaction/).
  bool transactions = false;
};

/// Properties of a router for the deadlock check.
struct DeadlockAvoidance {
  FlowControl control;
  /// Whether a head always reaches the front of its buffer, whatever earlier packets wait for; see
  /// RoutingFunction::relies_on_escape.
  bool serves_escape = false;
  /// The proposed change where dependencies are cyclic.
  std::string remedy = "choose another routing or virtual-channel rule";
};

/// Throws: ConfigError on the setting that the router does not support, with a path from the top of
///   the job, e.g. "channel.vcs".
using RouterNeeds = std::function<void(const NetworkFacts&)>;

/// Base of what a kind of router adds to its model, for those that plan with this kind.
struct KindFacts {
  virtual ~KindFacts() = default;
};

/// A kind of router with its parameters bound.
struct RouterModel {
  Switching switching = Switching::wormhole;
  /// Absent for a router without a closed form.
  std::optional<PipelineTiming> timing;
  VcReallocation reallocation = VcReallocation::non_atomic;
  /// Its needs of the network. Empty: no needs beyond those of all routers, see `check_needs`. The
  /// needs of several kinds are in routers/parts/needs.hpp.
  RouterNeeds needs;
  RouterSupport supports;
  DeadlockAvoidance avoidance;
  CircuitRetry retry;                      ///< For circuits.
  std::shared_ptr<const KindFacts> facts;  ///< Null where the kind adds nothing.
  /// Creates the part that all routers of a network share; empty where they have channels only.
  /// Such routers cannot be mixed with others, and route packets without the routing function.
  std::function<std::unique_ptr<SharedPart>(const SharedSite& site)> share;
  /// `name`: the SystemC instance name, e.g. "router_3_5".
  std::function<std::unique_ptr<Router>(const char* name, const RouterSite& site)> build;

  /// Whether a packet moves only if the next buffer has space for all of it; false under the
  /// request handshake, which grants a buffer for a whole message.
  bool keeps_whole_packets() const {
    return !supports.requests && (switching == Switching::virtual_cut_through ||
                                  switching == Switching::store_and_forward);
  }
};

/// Kinds of router: parameters -> RouterModel.
using Routers = Registry<RouterModel()>;

}  // namespace flitwave
