// routers/kinds/path_multicast.cpp: wormhole; worms leave copies at destinations on their path.
// channel -> [input_port -> router -> output_port] -> channel
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "algorithms/stop_order.hpp"
#include "configs/error.hpp"
#include "modules/router.hpp"
#include "modules/signals/bits.hpp"
#include "routers/parts/needs.hpp"
#include "routers/parts/stage_delays.hpp"

namespace flitwave {
namespace {

struct PathMulticastParams : StageDelays {
  int consumption_classes = 2;
};

/// A buffer per input and virtual channel, with the timing of the wormhole router. A worm follows
/// the routing from one destination to the next, in the routing's order of stops. At a destination
/// other than its last it leaves by two outputs at once: its head first claims a virtual channel of
/// an ejection channel, a consumption channel, then a virtual channel to the next destination; each
/// flit then leaves when both have free slots. The list of destinations stays in the header to the
/// end, so that every copy is as long as the worm.
///
/// Of two classes of consumption channels, the first is for worms towards greater labels, or
/// towards greater coordinates of the dimension that is routed last, the second for worms in the
/// other direction; in a node of one port they share its ejection channel. Heads claim virtual
/// channels first come, first served; at the switch, the input that was served last has the lowest
/// priority.
/// Source: Lin & Ni 1993; consumption channels: Boppana, Chalasani & Raghavendra 1998
class PathMulticast final : public Router {
 public:
  PathMulticast(const sc_core::sc_module_name& name, const PathMulticastParams& params,
                const RouterSite& site);

  std::int64_t flits_copied() const override { return copied_; }

 private:
  /// An output of a worm, with the slot of the worm itself or of the copy for this node.
  struct Branch {
    bool local = false;
    PortId onward;  // unless local
    int vc_class = 0;
    int slot = 0;
    int port = -1;  // once claimed
    int vc = 0;
  };
  /// The worm at the front of one buffer.
  struct InputVc {
    bool busy = false;
    int consumption_class = 0;
    int branches = 0;
    int claimed = 0;  // number of branches, from the first on, that have a virtual channel
    std::array<Branch, 2> branch;
    Cycle ready_at = 0;  // when the current stage can end at the earliest
    Flit head;
  };

  void tick() override;
  void add_waits(WaitPoint& point) const override;
  bool lost_switch(PortId input, int vc) const override;
  std::uint64_t lost_claims(PortId input, int vc) const override;
  void accept();
  void start_worm(int input);
  void find_branches(int input);
  void add_onward_branch(int input, NodeId to);
  int consumption_class_of(const VirtualChannel& on) const {
    return order_.consumption_class(on).value_or(0);
  }
  Arrival arrival_of(int input) const;
  void add_branch(InputVc& in, const Branch& branch);
  void claim_outputs();
  bool claim(int input);
  std::uint64_t mask_of(const InputVc& in, const Branch& branch) const {
    return branch.local ? local_masks_[index(in.consumption_class)]
                        : network_masks_[index(branch.vc_class)];
  }
  template <class Visit>
  void for_each_output(int input, const Branch& branch, Visit visit) const;
  void cross_switch();
  bool can_cross(int input);
  void cross(int input);

  int port_of(int input) const { return input / vcs_; }
  int vc_of(int input) const { return input % vcs_; }
  InputVc& at(int input) { return inputs_[index(input)]; }

  const StopOrder& order_;
  PipelineTiming timing_;
  int vcs_;
  std::vector<int> class_of_vc_;              // Shape: [vcs]
  std::vector<std::uint64_t> network_masks_;  // Shape: [classes]
  std::array<std::uint64_t, 2> local_masks_;  // by consumption class
  std::vector<InputVc> inputs_;               // Shape: [ports * vcs]
  std::vector<int> heads_;                    // inputs whose head claims, in order of arrival
  std::vector<int> worms_;                    // inputs with all claims; the last served is last
  std::vector<int> served_;                   // scratch
  std::uint64_t inputs_used_ = 0;             // ports that sent a flit in this cycle
  std::uint64_t outputs_used_ = 0;
  Route route_;              // scratch
  std::int64_t copied_ = 0;  // flits
  Cycle now_ = 0;
};

const StopOrder& order_of(const RouterSite& site) {
  if (const StopOrder* order = site.routing.stop_order()) return *order;
  throw ModelError("a path_multicast router needs a routing with an order of stops");
}

std::uint64_t mask(VcRange range) { return (word_bit(range.count) - 1) << range.first; }

PathMulticast::PathMulticast(const sc_core::sc_module_name& name, const PathMulticastParams& params,
                             const RouterSite& site)
    : Router(name, site, params.timing().traversal, VcReallocation::non_atomic),
      order_(order_of(site)),
      timing_(params.timing()),
      vcs_(vcs()),
      network_masks_(class_masks(site.routing, vcs_)),
      inputs_(index(site.ports() * vcs_)) {
  for (int vc = 0; vc < vcs_; ++vc) class_of_vc_.push_back(site.routing.class_of_vc(vc, vcs_));
  for (int down = 0; down < 2; ++down)
    local_masks_[index(down)] = mask(vcs_of_class(std::min(down, params.consumption_classes - 1),
                                                  params.consumption_classes, vcs_));
}

void PathMulticast::tick() {
  now_ = this_cycle();
  accept();
  if (!heads_.empty()) claim_outputs();
  if (!worms_.empty()) cross_switch();
}

void PathMulticast::accept() {
  for_each_bit(arrivals_, [this](int port) {
    const int input = port * vcs_ + in_port(port).accept(now_);
    if (!at(input).busy) start_worm(input);
  });
}

void PathMulticast::start_worm(int input) {
  InputVc& in = at(input);
  in = {};
  in.busy = true;
  in.head = in_port(port_of(input)).front(vc_of(input)).flit;
  if (!in.head.head())
    throw ModelError(std::string(name()) + ": a packet does not start with its head");
  in.ready_at = now_ + timing_.route + timing_.vc;
  heads_.push_back(input);
}

/// The remaining destinations are those ahead in the order of stops: the last copies in the order
/// of visits, then the worm's own.
void PathMulticast::find_branches(int input) {
  InputVc& in = at(input);
  const NodeId last = site().packets.packet(in.head).header.destination;
  const std::vector<NodeId>& stops = site().packets.copy_destinations(in.head);
  const auto next = std::find_if(stops.begin(), stops.end(), [&](NodeId stop) {
    return stop == node() || order_.ahead(node(), stop, last);
  });
  const bool leaves_copy = next != stops.end() && *next == node();
  const auto onward = leaves_copy ? next + 1 : next;
  const NodeId to = onward == stops.end() ? last : *onward;
  if (leaves_copy) {
    const std::vector<int>& copies = site().packets.copies(in.head);
    add_branch(in, {true, PortId(), 0, copies[index(next - stops.begin())]});
  }
  if (to != node()) return add_onward_branch(input, to);
  const Arrival arrival = arrival_of(input);
  in.consumption_class =
      arrival.injected() ? 1  // a packet of the node for itself has no direction
                         : consumption_class_of({order_.topology().channel_in(node(), arrival.port),
                                                 arrival.vc_class});
  add_branch(in, {true, PortId(), 0, in.head.slot()});
}

/// Adds the branch to the next destination; its channel determines the worm's class.
void PathMulticast::add_onward_branch(int input, NodeId to) {
  InputVc& in = at(input);
  Header header = site().packets.packet(in.head).header;
  header.destination = to;
  route_.clear();
  site().routing.route(node(), arrival_of(input), header, route_);
  const Candidate& onward = route_.candidates().front();
  in.consumption_class =
      consumption_class_of({order_.topology().channel_out(node(), onward.port), onward.vc_class});
  add_branch(in, {false, onward.port, onward.vc_class, in.head.slot()});
}

Arrival PathMulticast::arrival_of(int input) const {
  if (port_of(input) >= site().network_ports) return {};
  return {PortId(port_of(input)), class_of_vc_[index(vc_of(input))]};
}

void PathMulticast::add_branch(InputVc& in, const Branch& branch) {
  in.branch[index(in.branches++)] = branch;
}

void PathMulticast::claim_outputs() {
  heads_.erase(
      std::remove_if(heads_.begin(), heads_.end(), [this](int input) { return claim(input); }),
      heads_.end());
}

/// Returns: whether the worm has claimed all its virtual channels.
bool PathMulticast::claim(int input) {
  InputVc& in = at(input);
  if (now_ < in.ready_at) {
    stay_awake();
    return false;
  }
  if (in.branches == 0) find_branches(input);
  while (in.claimed < in.branches) {
    Branch& branch = in.branch[index(in.claimed)];
    for_each_output(input, branch, [&](int port) {
      const std::uint64_t free = out_port(port).free_vcs() & mask_of(in, branch);
      if (free == 0) return false;
      branch.port = port;
      branch.vc = lowest_of(free);
      return true;
    });
    if (branch.port < 0) return false;  // tried again when a worm has left
    out_port(branch.port).claim(branch.vc, input);
    ++in.claimed;
  }
  in.ready_at = now_ + timing_.passage;
  worms_.push_back(input);
  return true;
}

/// Calls `visit(port)` for the outputs that a branch may take until it returns true.
template <class Visit>
void PathMulticast::for_each_output(int input, const Branch& branch, Visit visit) const {
  if (!branch.local) {
    visit(branch.onward.value());
    return;
  }
  const int locals = site().local_ports();
  for (int i = 0; i < locals; ++i)
    if (visit(site().network_ports + (port_of(input) + i) % locals)) return;
}

void PathMulticast::cross_switch() {
  inputs_used_ = outputs_used_ = 0;
  served_.clear();
  const auto leaves = [this](int input) {
    if (!can_cross(input)) return false;
    cross(input);
    return true;
  };
  worms_.erase(std::remove_if(worms_.begin(), worms_.end(), leaves), worms_.end());
  worms_.insert(worms_.end(), served_.begin(), served_.end());
}

bool PathMulticast::can_cross(int input) {
  const InputVc& in = at(input);
  const InputPort& unit = in_port(port_of(input));
  if (unit.empty(vc_of(input)) || (inputs_used_ & word_bit(port_of(input))) != 0) return false;
  const InputPort::Slot& slot = unit.front(vc_of(input));
  if (now_ < (slot.flit.head() ? in.ready_at : slot.arrived + timing_.passage)) {
    stay_awake();
    return false;
  }
  for (int i = 0; i < in.branches; ++i) {
    const Branch& branch = in.branch[index(i)];
    if ((outputs_used_ & word_bit(branch.port)) != 0) return false;
    if (!out_port(branch.port).can_send(branch.vc)) return false;
  }
  return true;
}

/// Sends the front flit on all its outputs.
void PathMulticast::cross(int input) {
  InputVc& in = at(input);
  const Flit flit = in_port(port_of(input)).pop(vc_of(input));
  inputs_used_ |= word_bit(port_of(input));
  for (int i = 0; i < in.branches; ++i) {
    const Branch& branch = in.branch[index(i)];
    const Flit copy(flit.source(), branch.slot, flit.sequence(), flit.head(), flit.tail(),
                    branch.vc);
    out_port(branch.port).send(copy, branch.vc, now_);
    outputs_used_ |= word_bit(branch.port);
  }
  copied_ += in.branches - 1;
  if (!flit.tail()) return served_.push_back(input);
  in.busy = false;
  if (!in_port(port_of(input)).empty(vc_of(input))) start_worm(input);
}

void PathMulticast::add_waits(WaitPoint& point) const {
  const int input = point.input.value() * vcs_ + point.vc;
  const InputVc& in = inputs_[index(input)];
  if (in.branches == 0) return;
  if (in.claimed == in.branches) {
    for (int i = 0; i < in.branches; ++i) {
      const Branch& branch = in.branch[index(i)];
      if (out_port(branch.port).can_send(branch.vc)) continue;
      point.movable = false;
      point.waits_for.push_back({true, PortId(branch.port), branch.vc, 1, i});
    }
    return;
  }
  const Branch& branch = in.branch[index(in.claimed)];
  point.movable = false;
  for_each_output(input, branch, [&](int port) {
    for_each_bit(mask_of(in, branch), [&](int vc) {
      const int holder = out_port(port).holder(vc);
      if (holder < 0) point.movable = true;
      if (holder >= 0)
        point.waits_for.push_back(
            {false, PortId(port_of(holder)), vc_of(holder), 1, 0, PortId(port)});
    });
    return false;
  });
}

std::uint64_t PathMulticast::lost_claims(PortId port, int vc) const {
  const int input = port.value() * vcs_ + vc;
  const InputVc& in = inputs_[index(input)];
  if (!in.busy || in.claimed == in.branches) return 0;
  std::uint64_t outputs = 0;
  for_each_output(input, in.branch[index(in.claimed)], [&](int output) {
    outputs |= word_bit(output);
    return false;
  });
  return outputs;
}

bool PathMulticast::lost_switch(PortId port, int vc) const {
  const InputVc& in = inputs_[index(port.value() * vcs_ + vc)];
  const InputPort& unit = in_port(port.value());
  if (!in.busy || in.branches == 0 || in.claimed < in.branches || unit.empty(vc)) return false;
  const InputPort::Slot& slot = unit.front(vc);
  if (now_ < (slot.flit.head() ? in.ready_at : slot.arrived + timing_.passage)) return false;
  for (int i = 0; i < in.branches; ++i) {
    const Branch& branch = in.branch[index(i)];
    if (!out_port(branch.port).can_send(branch.vc)) return false;
  }
  return true;
}

RouterNeeds path_multicast_needs(int consumption_classes) {
  const auto order_of_stops = [](const NetworkFacts& facts) {
    if (!facts.routing.stop_order())
      throw ConfigError("routing",
                        "path_multicast routers find a worm's next destination by labels or along "
                        "the dimension that is routed last; this routing has neither",
                        "use routing: {kind: label_order} or routing: {kind: dimension_order}");
  };
  const auto consumption_channels = [consumption_classes](const NetworkFacts& facts) {
    if (consumption_classes > facts.channel.vcs)
      throw ConfigError("router.consumption_classes",
                        "two classes of consumption channels are two virtual channels of an "
                        "ejection channel; a channel has 1",
                        "set channel.vcs to 2 or more");
  };
  return needs::all(
      {order_of_stops,
       needs::credit_flow_control(
           "a flit that leaves by two outputs at once needs free slots behind both"),
       needs::no_message_classes(
           "path_multicast routers divide ejection channels by direction, not by message class",
           "set requests.message_classes: 1 and reply_queue: 0"),
       consumption_channels});
}

RouterModel path_multicast(const PathMulticastParams& params) {
  RouterModel model;
  model.timing = params.timing();
  model.needs = path_multicast_needs(params.consumption_classes);
  model.supports.copying = Copying::on_way;
  model.avoidance.control.consumption_classes = params.consumption_classes;
  model.build = [params](const char* name, const RouterSite& site) {
    return std::make_unique<PathMulticast>(name, params, site);
  };
  return model;
}

}  // namespace

void register_path_multicast(Routers& routers) {
  using P = PathMulticastParams;
  routers.add(
      "path_multicast",
      {"wormhole; a worm visits its destinations by labels or along a column and leaves a copy at "
       "each",
       "Lin & Ni 1993; Lin, McKinley & Ni 1994; Boppana, Chalasani & Raghavendra 1998"},
      with_preset_and_delays(Schema<P>{})
          .optional(
              "consumption_classes", &P::consumption_classes,
              "2: worms towards greater labels, or greater coordinates, and worms in the other "
              "direction have separate virtual channels on ejection channels; 1: they share "
              "them, which can deadlock",
              between(1, 2)),
      path_multicast);
}

}  // namespace flitwave
