// testbenches/job/plan_relays.cpp: see plan_relays.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/job/plan_relays.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "algorithms/cube_multicast/cube_schedule.hpp"
#include "algorithms/cube_multicast/relay/relay_dependencies.hpp"
#include "algorithms/deadlock/dependency_graph.hpp"
#include "modules/interface/relay_model.hpp"

namespace flitwave {

namespace {

/// What is about virtual channels, flits or circuits, and means nothing here.
void check_unused(const Job& job) {
  if (job.channel.vcs != 1)
    throw error_at(job, "channel.vcs", "a message takes the whole channel", "set channel.vcs to 1");
  if (job.node.injection_vc != NodeParams{}.injection_vc)
    throw error_at(job, "node.injection_vc",
                   "a message takes the whole channel, and there is no choice",
                   "leave node.injection_vc out");
  if (job.node.overhead == Overhead::path_held)
    throw error_at(job, "node.overhead",
                   "a message is sent without a pause once it is acknowledged",
                   "use overhead: serialized or overlapped");
  if (job.node.ports.of(2) > 1)
    throw error_at(job, "node.ports", "the router has one local port", "set node.ports: 1");
  std::vector<int> order;
  if (const ConfigNode* written = job.written.find_path("routing.order"))
    order = Codec<std::vector<int>>::read(*written);
  if (job.routing.kind() != "dimension_order" || !std::is_sorted(order.begin(), order.end()))
    throw error_at(job, "routing", "the router itself decides where a message goes",
                   "leave routing out");
  if (job.packet_format.address.count > 0)
    throw error_at(job, "packet_format.address",
                   "the router's messages list their destinations in fields of their own",
                   "leave it out; router.field is the length of a field");
  if (job.requests && (job.requests->reply_queue > 0 || job.requests->message_classes > 1))
    throw error_at(job, "requests", "requests and replies share the router's buffers",
                   "set requests.message_classes: 1 and reply_queue: 0");
}

/// A request and its acknowledgement cross a channel each.
void check_handshake(const Job& job, const RelayFormat& format) {
  const Cycle wires = 2 * job.channel.latency.count;
  if (!format.handshake || *format.handshake >= wires) return;
  throw error_at(job, "router.handshake_time",
                 fmt::format("a request and its acknowledgement take {} on the channels' wires; "
                             "T_hs = 0 is for the pure formula",
                             counted(wires, "cycle")),
                 fmt::format("set router.handshake_time to {} cycle or more, or to wires", wires));
}

/// A chip has its size, and its time whatever the clock.
void check_chip(const Job& job, const RelayChip& chip, int dimensions) {
  if (dimensions != chip.dimensions)
    throw error_at(
        job, "topology",
        fmt::format("the chip is for {}-cubes, and this has {} dimensions", chip.dimensions,
                    dimensions),
        fmt::format("use topology: {{kind: hypercube, dimensions: {}}}", chip.dimensions));
  const std::int64_t picoseconds = chip.takes.picoseconds;
  const std::int64_t cycles = chip.selection.count;
  if (picoseconds % cycles == 0 && picoseconds / cycles == job.clock.period.picoseconds) return;
  throw error_at(
      job, "clock.period",
      fmt::format("the chip takes {} for a selection, and {} of {} are not that",
                  to_string(chip.takes), to_string(chip.selection), to_string(job.clock.period)),
      "set clock.period and router.selection so, e.g. 100 ns and 10 cycle");
}

/// The messages of the job as the routers see them.
RelayLoad load_of(const Job& job, const Schedule* schedule) {
  RelayLoad load;
  load.unicasts = job.traffic || job.trace || job.requests;
  if (!schedule) return load;
  const int transfers = static_cast<int>(schedule->transfers().size());
  for (int i = 0; i < transfers;) {
    load.messages.push_back({address_of(schedule->transfer(i).from), {}});
    for (const int end = i + schedule->receivers_of(i); i < end; ++i)
      load.messages.back().destinations.push_back(address_of(schedule->transfer(i).to));
  }
  return load;
}

/// Where routers take whole fields only. `field`, and `data` of a message: flits.
void check_fields(const Job& job, const Plan& plan, std::int64_t field, std::int64_t data) {
  if (!plan.router.relay->whole_fields || data % field == 0) return;
  throw error_at(job, "router.detail",
                 fmt::format("routers of blocks take whole fields, of {} flits here, and a message "
                             "has {} flits of data",
                             field, data),
                 "send other messages, or use detail: compact");
}

/// Throws: ConfigError, located.
RelayedCube relayed_cube(const Job& job, const Topology& topology, const RelayModel& relay) {
  const std::string& kind = job.router.kind();
  const Grid* grid = topology.grid();
  if (!is_hypercube(topology) || grid->dimensions() > most_cube_dimensions)
    throw error_at(job, "topology", kind + " reads addresses of a hypercube",
                   "use topology: {kind: hypercube, dimensions: N}");
  if (grid->dimensions() > relay.most_dimensions)
    throw error_at(job, "router.detail",
                   fmt::format("routers of blocks are built for {} dimensions at most, and the "
                               "cube has {}",
                               relay.most_dimensions, grid->dimensions()),
                   "use detail: compact");
  if (relay.chip) check_chip(job, *relay.chip, grid->dimensions());
  try {
    const Cube cube(grid->dimensions());
    check_handshake(job, relay.format(cube));
    return RelayedCube(topology, kind, relay.rules(cube, job.top.seed));
  } catch (const ConfigError& error) {
    if (error.place().known()) throw;
    throw error_at(job, "router." + error.key(), error.problem(), error.remedy());
  }
}

/// Without a broadcaster, messages to more than it serves, or to all others, are refused.
void check_list(const Job& job, const Plan& plan, NodeId source, int destinations) {
  const RelayedCube& relayed = *plan.relayed;
  const std::string without = plan.router.relay->chip ? "the preset" : "broadcaster";
  const auto refuse = [&](const std::string& problem) {
    throw error_at(job, "router.broadcaster", problem,
                   "leave " + without + " out, or name fewer destinations");
  };
  const auto count = static_cast<CubeBits>(destinations);
  const std::string message =
      fmt::format("a message from node {}", relayed.network().label(source));
  if (count == relayed.cube().all())
    refuse(message + " is for all other nodes, which takes a broadcaster");
  if (destinations > relayed.rules().capacity)
    refuse(fmt::format("{} has {} destinations, and routers without a broadcaster serve {}",
                       message, destinations, relayed.rules().capacity));
}

/// Of a message's packets, with its list. Unit: flit
void check_length(const Job& job, std::int64_t header, std::int64_t data) {
  if (header + data <= job.channel.buffer.count) return;
  throw error_at(
      job, "channel.buffer",
      fmt::format("{} keeps a whole message in a buffer, and one has {} flits, {} of which are "
                  "its header",
                  job.router.kind(), header + data, header),
      fmt::format("set channel.buffer to {} flit or more, or send shorter messages",
                  header + data));
}

void check_observers(const Job& job, const Plan& plan) {
  const auto refuse = [&job](const std::string& kind, const std::string& problem) {
    throw error_at(job, "observe", kind + problem, "leave " + kind + " out");
  };
  for (const auto& observer : job.observers) {
    if (!plan.concerns(observer.traits())) continue;
    if (observer.traits().from_injection)
      refuse(observer.kind(),
             " follows a packet from its injection, and what is injected carries "
             "packets for several destinations");
    if (observer.traits().stalls)
      refuse(observer.kind(),
             " observes heads that wait, and these routers keep their waits to "
             "themselves");
  }
}

}  // namespace

void plan_relays(const Job& job, Plan& plan) {
  if (!plan.router.relay && job.channel.handshake != Handshake::request &&
      std::none_of(plan.override_models.begin(), plan.override_models.end(),
                   [](const RouterModel& model) { return model.relay != nullptr; }))
    return;
  if (!plan.router.relay || !plan.override_models.empty())
    throw error_at(job, "router",
                   "messages that are requested and list their destinations need routers that "
                   "all read these lists alike",
                   "use kind: greedy_multicast for all nodes, without overrides, or another "
                   "channel.handshake");
  if (job.channel.handshake != Handshake::request)
    throw error_at(job, "channel.handshake", "a message is requested and acknowledged as a whole",
                   "set channel.handshake to request");
  plan.relayed.emplace(relayed_cube(job, *plan.topology, *plan.router.relay));
  check_unused(job);
}

void check_relayed_lists(const Job& job, const Plan& plan, const Schedule& schedule) {
  if (plan.relayed->rules().broadcaster) return;
  for (int i = 0; i < static_cast<int>(schedule.transfers().size()); ++i)
    if (const int receivers = schedule.receivers_of(i); receivers > 0)
      check_list(job, plan, schedule.transfer(i).from, receivers);
}

namespace {

/// Throws: ConfigError, located, when a node of a 1-cube sends packets to itself.
void check_two_nodes(const Job& job, const Plan& plan) {
  if (!plan.relayed->rules().broadcaster)
    throw error_at(job, "router.broadcaster",
                   "in a 1-cube every message is for all other nodes, which takes a broadcaster",
                   "leave broadcaster out");
  const auto refuse = [&](const std::string& key, NodeId node) {
    throw error_at(job, key,
                   fmt::format("node {} of a 1-cube sends to itself, and a list of one destination "
                               "is that of a broadcast to the other node",
                               plan.topology->label(node)),
                   "send to the other node, or use a larger cube");
  };
  if (plan.trace)
    for (const TracedPacket& packet : plan.trace->packets())
      if (packet.source == packet.destination) refuse("trace", packet.source);
  if (!plan.pattern) return;
  for (const NodeId node : {NodeId(0), NodeId(1)}) {
    const std::vector<double> shares = plan.pattern->shares(node);
    if (!shares.empty() && shares[node.index()] > 0) refuse("traffic", node);
  }
}

}  // namespace

void check_relayed_messages(const Job& job, const Plan& plan) {
  if (!plan.relayed) return;
  check_observers(job, plan);
  const Cube& cube = plan.relayed->cube();
  const std::int64_t field = plan.router.relay->format(cube).field;
  const auto check_unicast = [&](std::int64_t flits) {
    check_fields(job, plan, field, flits);
    check_length(job, 3 * field, flits);
  };
  if (cube.nodes() == 2) check_two_nodes(job, plan);
  if (job.traffic) check_unicast(job.traffic->packet.count);
  if (job.requests)
    for (const Flits& message : {job.requests->request, job.requests->reply})
      check_unicast(message.count);
  if (plan.trace)
    for (const TracedPacket& packet : plan.trace->packets()) check_unicast(packet.flits);
  if (!plan.schedule) return;
  // Many messages have one size, and as many receivers.
  std::set<std::pair<int, std::int64_t>> kinds;
  for (int i = 0; i < static_cast<int>(plan.schedule->transfers().size()); ++i)
    if (const int receivers = plan.schedule->receivers_of(i); receivers > 0)
      kinds.emplace(receivers, plan.schedule->transfer(i).size.count);
  for (const auto& [count, bytes] : kinds) {
    const bool for_all = static_cast<CubeBits>(count) == cube.all();
    const std::int64_t fields = (for_all ? 0 : count) + 2;
    for (const std::int64_t flits : plan.format->packets(Bytes{bytes}, 1)) {
      check_fields(job, plan, field, flits);
      check_length(job, fields * field, flits);
    }
  }
}

DependencyReport check_relayed_dependencies(const Job& job, const Plan& plan) {
  RelayLoad load = load_of(job, plan.schedule ? &*plan.schedule : nullptr);
  // What breaks later may lead a message along other ways than those that are known now.
  const std::vector<Cycle> onsets = plan.topology->faults().onsets();
  if (!onsets.empty() && onsets.back() > 0) load.unicasts = true;
  return check_relays(*plan.relayed, plan.router.relay->hop_classes, load);
}

}  // namespace flitwave
