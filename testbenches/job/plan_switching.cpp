// testbenches/job/plan_switching.cpp: see plan_switching.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/plan_switching.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "configs/input_file.hpp"

namespace flitwave {

namespace {

template <class Holds>
int count_routers(const Plan& plan, Holds holds) {
  int count = 0;
  for (int i = 0; i < plan.topology->nodes(); ++i) count += holds(plan.model(NodeId(i))) ? 1 : 0;
  return count;
}

bool makes_circuit(const RouterModel& model) { return model.switching == Switching::circuit; }

/// How the routing does with one virtual channel.
std::string one_vc_remedy(const Job& job) {
  const bool written = job.written.find_path("routing.kind") != nullptr;
  for (const auto& [key, value] : job.routing.parameters())
    if (written && key == "vc_rule") return "set routing.vc_rule to none";
  return "use routing: {kind: dimension_order, vc_rule: none}";
}

/// `reason` says why the routing must do with one virtual channel.
void check_one_vc_routing(const Job& job, const Plan& plan, const char* reason) {
  if (plan.routing->least_vcs() > 1)
    throw error_at(job, "routing",
                   fmt::format("the routing needs {} virtual channels on this topology, and {}",
                               plan.routing->least_vcs(), reason),
                   one_vc_remedy(job));
}

/// Circuits have channels of their own, without buffers; their virtual channels are time slots.
void check_circuit_channels(const Job& job, const Plan& plan) {
  const int circuits = count_routers(plan, makes_circuit);
  const bool answers = job.channel.handshake == Handshake::acknowledge;
  if (circuits == 0 && !answers) return;
  if (circuits < plan.topology->nodes())
    throw error_at(
        job, "router",
        "circuits and buffered packets cannot share channels: some routers make circuits or "
        "the handshake is acknowledge, and others buffer packets",
        "use kind: circuit for all routers, or another handshake");
  if (!answers)
    throw error_at(job, "channel.handshake",
                   "a circuit is granted by an answer on a wire of its own",
                   "set channel.handshake to acknowledge");
  if (job.requests && job.requests->message_classes > 1)
    throw error_at(job, "requests.message_classes",
                   "virtual channels of circuits are time slots, so that replies cannot have a "
                   "class of their own",
                   "set requests.message_classes to 1 and requests.reply_queue to 0");
  check_one_vc_routing(job, plan, "those of circuits are time slots, which they cannot choose");
  if (job.channel.buffer.count != ChannelParams{}.buffer.count)
    throw error_at(job, "channel.buffer", "data of a circuit flow without buffers",
                   "leave channel.buffer out");
  if (job.node.injection_vc != NodeParams{}.injection_vc)
    throw error_at(job, "node.injection_vc",
                   "a circuit takes the time slot in which its probe is sent",
                   "leave node.injection_vc out");
}

/// Bubbles are counted in rings of one virtual channel.
void check_bubble_channels(const Job& job, const Plan& plan) {
  if (count_routers(plan, [](const RouterModel& model) { return model.bubble; }) == 0) return;
  const Grid* grid = plan.topology->grid();
  bool rings = false;
  for (int dimension = 0; grid && dimension < grid->dimensions(); ++dimension)
    rings = rings || grid->wraps(dimension);
  if (!rings)
    throw error_at(job, "router.torus",
                   "bubble flow control needs a ring, and the topology has none",
                   "leave out torus: bubble, or use a torus or ring");
  if (job.channel.handshake != Handshake::credit)
    throw error_at(job, "router.torus", "a bubble is counted in credits, and ready_valid has none",
                   "set channel.handshake to credit");
  if (job.channel.vcs != 1)
    throw error_at(job, "router.torus",
                   fmt::format("a bubble needs rings of one virtual channel, and a channel has {}",
                               job.channel.vcs),
                   "set channel.vcs to 1 and use routing: {kind: dimension_order, vc_rule: none}");
  check_one_vc_routing(job, plan, "a bubble rings of one");
}

/// Two nodes between which packets pass a third, if any.
std::optional<std::pair<NodeId, NodeId>> relayed_pair(const Plan& plan) {
  for (NodeId from : all_nodes(*plan.topology))
    for (NodeId to : all_but(from, *plan.topology))
      for (const std::uint32_t choice : plan.routing->all_choices()) {
        if (!plan.routing->may_choose(from, choice)) continue;
        Header header;
        header.source = from;
        header.destination = to;
        header.choice = choice;
        if (path(*plan.routing, *plan.topology, header).size() > 1) return std::pair(from, to);
      }
  return std::nullopt;
}

/// Stations on one medium are alike, and each reaches each other without a third.
void check_shared_medium(const Job& job, const Plan& plan) {
  const int sharing =
      count_routers(plan, [](const RouterModel& model) { return model.share != nullptr; });
  if (sharing == 0) return;
  if (!plan.override_models.empty())
    throw error_at(job, "router",
                   "stations share a medium and cannot be mixed with other router kinds",
                   "use kind: station for all nodes, without overrides");
  if (job.channel.handshake != Handshake::credit)
    throw error_at(job, "channel.handshake",
                   "a station begins a frame when it has credits for all of it",
                   "set channel.handshake to credit");
  if (job.requests && job.requests->message_classes > 1)
    throw error_at(job, "requests.message_classes",
                   "the medium carries one frame at a time, and replies cannot have virtual "
                   "channels of their own",
                   "set requests.message_classes to 1 and requests.reply_queue to 0");
  if (job.channel.vcs != 1)
    throw error_at(job, "channel.vcs", "the medium carries one frame at a time",
                   "set channel.vcs to 1");
  check_one_vc_routing(job, plan, "the medium carries one frame at a time");
  const int nodes = plan.topology->nodes();
  const bool all_pairs = nodes <= max_ports + 1;
  const auto relayed =
      all_pairs ? relayed_pair(plan) : std::optional(std::pair(NodeId(0), NodeId(nodes - 1)));
  if (relayed)
    throw error_at(
        job, "topology",
        fmt::format("a station sends straight to every other, and the way from node {} "
                    "to node {} leads through a third",
                    plan.topology->label(relayed->first), plan.topology->label(relayed->second)),
        "use topology: {kind: complete} and routing: {kind: shortest_path}");
}

/// A router of one dimension after the other has no way back, and one way in.
void check_cascades(const Job& job, const Plan& plan) {
  if (count_routers(plan, [](const RouterModel& model) { return model.cascaded; }) == 0) return;
  if (!plan.override_models.empty())
    throw error_at(
        job, "router",
        "cascade routers do not report waits and cannot be mixed with other router kinds",
        "use kind: cascade for all nodes, without overrides");
  if (job.top.allow_deadlock)
    throw error_at(job, "allow_deadlock",
                   "cascade routers do not report waits, so that no deadlock would be found",
                   "leave allow_deadlock out, or use router.kind: wormhole");
  if (job.requests && job.requests->message_classes > 1)
    throw error_at(job, "requests.message_classes",
                   "cascade routers do not separate message classes",
                   "set requests.message_classes: 1 and reply_queue: 0, or use router.kind: "
                   "wormhole");
  const Grid* grid = plan.topology->grid();
  if (!grid)
    throw error_at(job, "router", "cascade routers have a stage for each dimension and need a grid",
                   "use topology.kind: mesh, torus or hypercube, or router.kind: wormhole");
  if (job.node.ports.of(2 * grid->dimensions()) != 1)
    throw error_at(job, "node.ports", "cascade routers have one local port",
                   "set node.ports: 1, or router.kind: wormhole");
  std::vector<int> order;
  if (const ConfigNode* written = job.written.find_path("routing.order"))
    order = Codec<std::vector<int>>::read(*written);
  if (job.routing.kind() != "dimension_order" || !std::is_sorted(order.begin(), order.end()))
    throw error_at(job, "routing", "cascade routers pass dimensions once, in ascending order",
                   "use routing: {kind: dimension_order}, or router.kind: wormhole");
}

/// Routers that find a worm's next destination in the routing's order of stops, and part worms by
/// direction at ejection channels.
void check_path_multicast(const Job& job, const Plan& plan) {
  if (count_routers(plan, [](const RouterModel& model) { return model.copies_on_way; }) == 0)
    return;
  if (!plan.routing->stop_order())
    throw error_at(job, "routing",
                   "path_multicast routers find a worm's next destination by labels or along the "
                   "dimension that is routed last, and this routing has neither",
                   "use routing: {kind: label_order} or routing: {kind: dimension_order}");
  if (job.channel.handshake != Handshake::credit)
    throw error_at(job, "channel.handshake",
                   "a flit that leaves by two outputs at once needs free slots behind both",
                   "set channel.handshake to credit");
  if (job.requests && job.requests->message_classes > 1)
    throw error_at(
        job, "requests.message_classes",
        "path_multicast routers divide ejection channels by direction, not by message class",
        "set requests.message_classes: 1 and reply_queue: 0");
  const auto lacks_vcs = [&](const RouterModel& model) {
    return model.consumption_classes > job.channel.vcs;
  };
  if (count_routers(plan, lacks_vcs) > 0)
    throw error_at(job, "router.consumption_classes",
                   "two classes of consumption channels are two virtual channels of an ejection "
                   "channel, and a channel has 1",
                   "set channel.vcs to 2 or more");
}

/// Lengths of the packets that the job sends. Unit: flit
std::vector<std::int64_t> packet_lengths(const Job& job, const Plan& plan) {
  std::vector<std::int64_t> lengths;
  if (job.traffic) lengths.push_back(job.traffic->packet.count);
  if (job.requests) {
    lengths.push_back(job.requests->request.count);
    lengths.push_back(job.requests->reply.count);
  }
  if (plan.trace)
    for (const TracedPacket& packet : plan.trace->packets()) lengths.push_back(packet.flits);
  if (!plan.schedule || !job.is_clocked()) return lengths;
  for (const auto& [bytes, addresses] : sizes_sent(*plan.schedule))
    for (std::int64_t flits : plan.format->packets(Bytes{bytes}, addresses))
      lengths.push_back(flits);
  return lengths;
}

std::int64_t longest_packet(const Job& job, const Plan& plan) {
  std::int64_t longest = 0;
  for (std::int64_t flits : packet_lengths(job, plan)) longest = std::max(longest, flits);
  return longest;
}

void check_bubble(const Job& job, const Plan& plan, std::int64_t longest) {
  if (plan.channel.buffer.count < 2 * longest)
    throw error_at(
        job, "channel.buffer",
        fmt::format("a bubble needs two slots for packets in every buffer, and the longest "
                    "packet has {} flits",
                    longest),
        fmt::format("set channel.buffer to {} flit or more", 2 * longest));
}

/// As the job has it.
const std::string& router_kind(const Job& job, const Plan& plan, NodeId node) {
  const int number = plan.model_of_node[node.index()];
  return number < 0 ? job.router.kind()
                    : job.router_overrides[static_cast<std::size_t>(number)].router.kind();
}

/// Of routers that keep packets whole.
void check_buffers(const Job& job, Plan& plan) {
  plan.channel = job.channel;
  const std::int64_t longest = longest_packet(job, plan);
  int whole = 0;
  for (int i = 0; i < plan.topology->nodes(); ++i) {
    const RouterModel& model = plan.model(NodeId(i));
    if (model.switching == Switching::wormhole || model.switching == Switching::circuit) continue;
    if (model.relay) continue;  // see plan_relays
    ++whole;
    if (job.channel.buffer.count < longest)
      throw error_at(
          job, "channel.buffer",
          fmt::format("{} keeps whole packets in its buffers, and the longest has {} flits",
                      router_kind(job, plan, NodeId(i)), longest),
          fmt::format("set channel.buffer to {} flit or more, or send shorter packets", longest));
    if (model.bubble) check_bubble(job, plan, longest);
  }
  if (whole == 0) return;
  plan.channel.whole_packet = static_cast<int>(longest);
  if (job.channel.handshake == Handshake::credit) return;
  if (whole < plan.topology->nodes())
    throw error_at(job, "router",
                   "under ready_valid a wormhole router cannot tell one that keeps "
                   "packets whole that it has room for one",
                   "set channel.handshake to credit");
  if (job.channel.latency.count > 1)
    throw error_at(
        job, "channel.latency",
        "the registers of a longer ready_valid channel take flits without knowing whether "
        "the buffer has room for a packet",
        "set channel.latency to 1 cycle, or channel.handshake to credit");
}

const char* const lone_probe =
    "the first flit of a packet is the probe of its circuit, and one has no other";
const char* const longer_packets = "send packets of at least 2 flits";

/// The least flits of a packet: a circuit's probe, and something to follow it.
std::int64_t least_packet(const Plan& plan) { return makes_circuits(plan) ? 2 : 1; }

/// The setting that makes packets shorter than they may be; empty when there is none. Those of a
/// trace were looked at when it was read.
std::string too_short(const Job& job, const Plan& plan) {
  const std::int64_t least = least_packet(plan);
  if (job.traffic && job.traffic->packet.count < least) return "traffic.packet";
  if (job.requests && job.requests->request.count < least) return "requests.request";
  if (job.requests && job.requests->reply.count < least) return "requests.reply";
  if (!plan.schedule) return "";
  for (const auto& [bytes, addresses] : sizes_sent(*plan.schedule))
    for (const std::int64_t flits : plan.format->packets(Bytes{bytes}, addresses))
      if (flits < least) return "operation.message";
  return "";
}

void check_circuit_packets(const Job& job, const Plan& plan) {
  if (!makes_circuits(plan)) return;
  if (job.node.ejection != Ejection::drains || job.node.overhead == Overhead::path_held)
    throw error_at(job, "node", "data of a circuit cannot wait for the receiver's software",
                   "use ejection: drains and overhead: serialized or overlapped");
  const std::string short_one = too_short(job, plan);
  if (!short_one.empty()) throw error_at(job, short_one, lone_probe, longer_packets);
}

}  // namespace

bool makes_circuits(const Plan& plan) { return count_routers(plan, makes_circuit) > 0; }

bool parts_message_classes(const Plan& plan) {
  return count_routers(plan, [](const RouterModel& model) {
           return makes_circuit(model) || model.share || model.cascaded || model.relay ||
                  model.copies_on_way;
         }) == 0;
}

void check_switching_channels(const Job& job, const Plan& plan) {
  check_circuit_channels(job, plan);
  check_bubble_channels(job, plan);
  check_shared_medium(job, plan);
  check_cascades(job, plan);
  check_path_multicast(job, plan);
}

void check_trace_lengths(const Job& job, const Plan& plan) {
  const std::int64_t least = least_packet(plan);
  if (least == 1) return;
  for_each_line(job.trace->file, "file", 4, "CYCLE SOURCE DESTINATION FLITS",
                [least](const WordLine& line) {
                  if (line.number(3, "number of flits") < least)
                    throw line.error(lone_probe, longer_packets);
                });
}

void check_switched_packets(const Job& job, Plan& plan) {
  check_buffers(job, plan);
  check_circuit_packets(job, plan);
}

}  // namespace flitwave
