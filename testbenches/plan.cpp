// testbenches/plan.cpp: see plan.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/plan.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "flitwave/algorithms/message_classes.hpp"
#include "flitwave/configs/input_file.hpp"

namespace flitwave {

namespace {

ConfigError at(const Job& job, const std::string& path, std::string problem,
               std::string remedy = "") {
  const ConfigNode* node = job.written.find_path(path);
  // The nearest section that was written stands for a default.
  std::string parent = path;
  while (!node && parent.find('.') != std::string::npos) {
    parent.resize(parent.rfind('.'));
    node = job.written.find_path(parent);
  }
  return ConfigError(node ? node->place() : job.written.place(), path, std::move(problem),
                     std::move(remedy));
}

void place_routers(const Job& job, Plan& plan) {
  plan.router = job.router.build();
  plan.model_of_node.assign(static_cast<std::size_t>(plan.topology->nodes()), -1);
  for (const Job::RouterOverride& entry : job.router_overrides) {
    plan.override_models.push_back(entry.router.build());
    for (const ConfigNode& node : entry.nodes)
      plan.model_of_node[plan.topology->find(node).index()] =
          static_cast<int>(plan.override_models.size()) - 1;
  }
}

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

/// Circuits have channels of their own, without buffers and virtual channels.
void check_circuit_channels(const Job& job, const Plan& plan) {
  const int circuits = count_routers(plan, makes_circuit);
  const bool answers = job.channel.handshake == Handshake::acknowledge;
  if (circuits == 0 && !answers) return;
  if (circuits < plan.topology->nodes())
    throw at(job, "router",
             "circuits and buffered packets cannot share channels: some routers make circuits or "
             "the handshake is acknowledge, and others buffer packets",
             "use kind: circuit for all routers, or another handshake");
  if (!answers)
    throw at(job, "channel.handshake", "a circuit is granted by an answer on a wire of its own",
             "set channel.handshake to acknowledge");
  if (job.requests && job.requests->message_classes > 1)
    throw at(job, "requests.message_classes",
             "a circuit takes the whole channel, and replies cannot have virtual channels of their "
             "own",
             "set requests.message_classes to 1 and requests.reply_queue to 0");
  if (job.channel.vcs != 1)
    throw at(job, "channel.vcs", "a circuit takes the whole channel", "set channel.vcs to 1");
  if (plan.routing->least_vcs() > 1)
    throw at(job, "routing",
             fmt::format("the routing needs {} virtual channels on this topology, and a circuit "
                         "takes the whole channel",
                         plan.routing->least_vcs()),
             one_vc_remedy(job));
  if (job.channel.buffer.count != ChannelParams{}.buffer.count)
    throw at(job, "channel.buffer", "data of a circuit flow without buffers",
             "leave channel.buffer out");
  if (job.node.injection_vc != NodeParams{}.injection_vc)
    throw at(job, "node.injection_vc", "a circuit takes the whole channel, and there is no choice",
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
    throw at(job, "router.torus", "there is no ring in which a bubble could be kept",
             "leave out torus: bubble, or use a torus or ring");
  if (job.channel.handshake != Handshake::credit)
    throw at(job, "router.torus", "a bubble is counted in credits, and ready_valid has none",
             "set channel.handshake to credit");
  if (job.channel.vcs != 1)
    throw at(job, "router.torus",
             fmt::format("a bubble needs rings of one virtual channel, and a channel has {}",
                         job.channel.vcs),
             "set channel.vcs to 1 and use routing: {kind: dimension_order, vc_rule: none}");
  if (plan.routing->least_vcs() > 1)
    throw at(job, "routing",
             fmt::format("the routing needs {} virtual channels on this topology, and a bubble "
                         "rings of one",
                         plan.routing->least_vcs()),
             one_vc_remedy(job));
}

void check_channels(const Job& job, const Plan& plan) {
  check_circuit_channels(job, plan);
  check_bubble_channels(job, plan);
  try {
    require_vcs(*plan.routing, job.channel.vcs);
  } catch (const ConfigError& error) {
    throw at(job, error.key(), error.problem(), error.remedy());
  }
  for (int i = 0; i < plan.topology->nodes(); ++i)
    if (plan.model(NodeId(i)).needs_credit && job.channel.handshake != Handshake::credit)
      throw at(job, "router.vc_reallocation",
               "atomic re-allocation waits for credits, and a ready_valid channel has none",
               "set channel.handshake to credit, or vc_reallocation to non_atomic");
}

/// Credits that are counted late need credits.
void check_credit_delay(const Job& job) {
  if (job.channel.handshake == Handshake::credit) return;
  for (const auto& [section, delay] :
       {std::pair("channel", job.channel.credit_delay), std::pair("node", job.node.credit_delay)})
    if (delay.count > 0)
      throw at(job, std::string(section) + ".credit_delay",
               "credits can be counted late only where there are credits",
               "set channel.handshake to credit, or credit_delay to 0 cycle");
}

/// What is sent of a schedule, each size and number of addresses once: many transfers of one
/// message, cut into many packets, are much to look at.
std::set<std::pair<std::int64_t, int>> sizes_sent(const Schedule& schedule) {
  std::set<std::pair<std::int64_t, int>> sizes;
  for (const Transfer& transfer : schedule.transfers())
    sizes.emplace(
        schedule.demand().deliveries[static_cast<std::size_t>(transfer.message)].size.count,
        transfer.addresses);
  return sizes;
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
  if (!plan.schedule) return lengths;
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
    throw at(job, "channel.buffer",
             fmt::format("a bubble needs two slots for packets in every buffer, and the longest "
                         "packet has {} flits",
                         longest),
             fmt::format("set channel.buffer to {} flit or more", 2 * longest));
}

/// Of routers that keep packets whole.
void check_buffers(const Job& job, Plan& plan) {
  plan.channel = job.channel;
  const std::int64_t longest = longest_packet(job, plan);
  int whole = 0;
  for (int i = 0; i < plan.topology->nodes(); ++i) {
    const RouterModel& model = plan.model(NodeId(i));
    if (model.switching == Switching::wormhole || model.switching == Switching::circuit) continue;
    ++whole;
    if (job.channel.buffer.count < longest)
      throw at(
          job, "channel.buffer",
          fmt::format("{} keeps whole packets in its buffers, and the longest has {} flits",
                      names_of(Switching{})[static_cast<std::size_t>(model.switching)], longest),
          fmt::format("set channel.buffer to {} flit or more, or send shorter packets", longest));
    if (model.bubble) check_bubble(job, plan, longest);
  }
  if (whole == 0) return;
  plan.channel.whole_packet = static_cast<int>(longest);
  if (job.channel.handshake == Handshake::credit) return;
  if (whole < plan.topology->nodes())
    throw at(job, "router",
             "under ready_valid a wormhole router cannot tell one that keeps "
             "packets whole that it has room for one",
             "set channel.handshake to credit");
  if (job.channel.latency.count > 1)
    throw at(job, "channel.latency",
             "the registers of a longer ready_valid channel take flits without knowing whether "
             "the buffer has room for a packet",
             "set channel.latency to 1 cycle, or channel.handshake to credit");
}

const char* const lone_probe =
    "the first flit of a packet is the probe of its circuit, and one has no other";
const char* const longer_packets = "send packets of at least 2 flits";

/// The least flits of a packet: a circuit's probe, and something to follow it.
std::int64_t least_packet(const Plan& plan) {
  return count_routers(plan, makes_circuit) > 0 ? 2 : 1;
}

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

void check_circuits(const Job& job, const Plan& plan) {
  if (count_routers(plan, makes_circuit) == 0) return;
  if (job.node.ejection == Ejection::held || job.node.overhead == Overhead::path_held)
    throw at(job, "node", "data of a circuit cannot wait for the receiver's software",
             "use ejection: drains and overhead: serialized or overlapped");
  const std::string short_one = too_short(job, plan);
  if (!short_one.empty()) throw at(job, short_one, lone_probe, longer_packets);
}

/// Escapes help a head only once it is at the front of its buffer.
void check_escape(const Job& job, Plan& plan) {
  if (!plan.routing->relies_on_escape()) return;
  for (int i = 0; i < plan.topology->nodes(); ++i) {
    if (plan.model(NodeId(i)).serves_escape) continue;
    const std::string problem = fmt::format(
        "routing `{}` is free of deadlock by its escape channels, and a head behind another packet "
        "in one buffer cannot use them",
        job.routing.kind());
    if (!job.top.allow_deadlock)
      throw at(job, "router.vc_reallocation", problem,
               "set vc_reallocation to atomic, or allow_deadlock: true");
    plan.warnings.push_back("router.vc_reallocation: " + problem);
    return;
  }
}

/// Throws: ConfigError at the first line of the trace whose packet is shorter than `least`.
void check_trace(const InputFile& file, std::int64_t least) {
  for_each_line(file, "file", 4, "CYCLE SOURCE DESTINATION FLITS", [least](const WordLine& line) {
    if (line.number(3, "number of flits") < least) throw line.error(lone_probe, longer_packets);
  });
}

void plan_trace(const Job& job, Plan& plan) {
  try {
    if (least_packet(plan) > 1) check_trace(job.trace->file, least_packet(plan));
    plan.trace.emplace(job.trace->file, *plan.topology, Flit::max_length);
  } catch (const ConfigError& error) {
    throw detail::located(error, job.written.at("trace"));
  }
}

void plan_load(const Job& job, Plan& plan) {
  try {
    plan.format.emplace(job.packet_format, job.channel.width);
  } catch (const ConfigError& error) {
    throw detail::located(error, job.written);
  }
  if (job.pattern) plan.pattern = job.pattern->build(*plan.topology);
  if (job.traffic)
    plan.injection =
        job.injection->build({job.traffic->rate.flits_per_node_cycle, job.traffic->packet.count});
  if (job.trace) plan_trace(job, plan);
  if (!job.operation) return;
  Random random(job.top.seed, "operation");
  const Demand demand = job.operation->build(*plan.topology, random);
  // Nodes at a border have fewer channels; what counts is what an inner node can do.
  int channels = 1;
  for (int i = 0; i < plan.topology->nodes(); ++i)
    channels = std::max(channels, plan.topology->degree(NodeId(i)));
  const CollectiveContext context{*plan.topology, *plan.routing, job.node.ports.of(channels)};
  plan.schedule = job.algorithm->build(demand, context);
  plan.untimed = evaluate(*plan.schedule, *plan.topology, *plan.routing, context.ports);
  if (!plan.untimed->satisfies_demand())
    throw at(job, "algorithm",
             "the schedule does not serve the operation: " + plan.untimed->faults.front());
  for (const auto& [bytes, addresses] : sizes_sent(*plan.schedule)) {
    std::vector<std::int64_t> packets;
    try {
      packets = plan.format->packets(Bytes{bytes}, addresses);
    } catch (const ConfigError& error) {
      throw detail::located(error, job.written);
    }
    if (job.node.overhead == Overhead::path_held && packets.front() < 2)
      throw at(job, "node.overhead",
               "path_held holds a path between a head and the rest, and a message of " +
                   to_string(Bytes{bytes}) + " is a single flit",
               "use longer messages, or overhead: overlapped");
  }
}

void check_rates(const Job& job, Plan& plan) {
  if (!plan.override_models.empty() || !plan.router.timing) return;
  plan.closed_form.emplace(*plan.router.timing, job.channel, plan.router.switching);
  if (plan.router.switching != Switching::wormhole) return;
  const Cycle round_trip = plan.closed_form->round_trip();
  if (job.channel.buffer.count < round_trip)
    plan.warnings.push_back(fmt::format(
        "channel.buffer: {} flits per virtual channel carry at most {}/{} flit per cycle, for a "
        "slot's round trip is {} cycles; {} flit is the least depth for full rate",
        job.channel.buffer.count, job.channel.buffer.count, round_trip, round_trip, round_trip));
}

void check_rounding(const Job& job, const char* name, Delay delay, Plan& plan) {
  if (delay.in_cycles || delay.picoseconds == 0) return;
  const auto exact = static_cast<double>(delay.picoseconds);
  const double rounded = static_cast<double>(delay.rounded(job.clock.period)) *
                         static_cast<double>(job.clock.period.picoseconds);
  if (std::abs(rounded - exact) > 0.01 * exact)
    plan.warnings.push_back(fmt::format(
        "node.{}: {} is {:.4g} cycles and is rounded to {}, which is off by {:.1f} %", name,
        to_string(delay), exact / static_cast<double>(job.clock.period.picoseconds),
        delay.rounded(job.clock.period), 100 * (rounded - exact) / exact));
}

/// Simulated time is counted in picoseconds, and its sums must not overflow.
void check_times(const Job& job) {
  const Cycle most = longest_time / job.clock.period.picoseconds;
  const auto check = [&](const std::string& path, Cycle cycles) {
    if (cycles > most)
      throw at(job, path,
               fmt::format("{} cycles of {} are longer than the {} that can be simulated", cycles,
                           to_string(job.clock.period), to_string(Duration{longest_time})),
               "shorten it, or set a shorter clock.period");
  };
  if (job.written.find_path("stop.limit"))
    check("stop.limit", job.stop.limit.rounded(job.clock.period));
  check("node.send_overhead", job.node.send_overhead.rounded(job.clock.period));
  check("node.receive_overhead", job.node.receive_overhead.rounded(job.clock.period));
  if (!job.measurement) return;
  const std::string section = job.traffic ? "traffic" : job.trace ? "trace" : "requests";
  check(section + ".warmup", job.measurement->warmup.count);
  check(section + ".measure", job.measurement->measure.count);
  check(section + ".drain", job.measurement->drain.count);
}

/// Open-loop packets have no software at their ends.
void check_traffic(const Job& job, Plan& plan) {
  if (!job.traffic && !job.trace) return;
  if (job.node.ejection == Ejection::held)
    throw at(job, "node.ejection",
             "open-loop packets have no software that would let a held ejection channel go",
             "leave out ejection: held, or the open-loop load");
  const bool overheads = job.node.send_overhead.rounded(job.clock.period) > 0 ||
                         job.node.receive_overhead.rounded(job.clock.period) > 0;
  if (overheads && !job.operation)
    plan.warnings.push_back(
        "node: open-loop packets are charged neither send nor receive overhead");
}

/// What all routers do against circles.
FlowControl flow_control(const Plan& plan) {
  FlowControl control{true, true};
  for (int i = 0; i < plan.topology->nodes(); ++i) {
    const RouterModel& model = plan.model(NodeId(i));
    control.bubble = control.bubble && model.bubble;
    control.teardown = control.teardown && model.teardown;
  }
  return control;
}

/// Requests that wait for replies at an interface, and replies that wait for requests on the way:
/// on shared virtual channels that is a circle between any two nodes.
void check_protocol(const Job& job, Plan& plan) {
  if (!job.requests || job.requests->reply_queue == 0 || job.requests->message_classes > 1) return;
  const std::string problem =
      "requests and replies share virtual channels, and an interface takes "
      "no request while its replies cannot leave: " +
      protocol_circle(*plan.topology, *plan.routing);
  const bool circuits = count_routers(plan, makes_circuit) > 0;
  if (!job.top.allow_deadlock)
    throw at(job, "requests.reply_queue", problem,
             circuits ? "set requests.reply_queue: 0, or allow_deadlock: true"
                      : "set requests.message_classes: 2, or reply_queue: 0, or allow_deadlock: "
                        "true");
  plan.warnings.push_back("packets may wait for each other in a circle: " + problem);
}

void check_deadlock(const Job& job, Plan& plan, Plan::Check check) {
  // By way of every node, or with escapes, the check takes some ten times as long.
  const bool long_check =
      plan.routing->relies_on_escape() ||
      static_cast<int>(plan.routing->all_choices().size()) > plan.topology->nodes();
  const int most = long_check ? Plan::checked_nodes / 4 : Plan::checked_nodes;
  if (check == Plan::Check::when_small && plan.topology->nodes() > most) {
    plan.warnings.push_back(
        fmt::format("the network has {} nodes: its dependency check is left to `flitwave check`",
                    plan.topology->nodes()));
    return;
  }
  plan.dependencies = check_dependencies(*plan.topology, *plan.routing, flow_control(plan));
  if (plan.dependencies->verdict != DependencyVerdict::cyclic) return;
  if (job.top.allow_deadlock) {
    plan.warnings.push_back("packets may wait for each other in a circle: " +
                            plan.dependencies->text(*plan.topology));
    return;
  }
  throw at(
      job, "routing",
      "packets may wait for each other in a circle: " + plan.dependencies->text(*plan.topology),
      count_routers(plan, makes_circuit) > 0
          ? "set router.busy: teardown, choose another routing, or set allow_deadlock: true"
          : "choose another routing or virtual-channel rule, or set allow_deadlock: true");
}

}  // namespace

Plan Plan::make(const Job& job, Check check) {
  Plan plan;
  plan.topology = std::make_unique<Topology>(job.topology.build());
  if (plan.topology->nodes() < 2)
    throw at(job, "topology", "a network of one node has nobody to send to",
             "use at least two nodes");
  plan.routing = job.routing.build(*plan.topology);
  if (job.requests && job.requests->message_classes > 1)
    plan.routing =
        std::make_unique<MessageClasses>(std::move(plan.routing), job.requests->message_classes);
  place_routers(job, plan);
  check_channels(job, plan);
  check_credit_delay(job);
  check_escape(job, plan);
  check_protocol(job, plan);
  plan_load(job, plan);
  check_buffers(job, plan);
  check_circuits(job, plan);
  check_times(job);
  check_traffic(job, plan);
  check_rates(job, plan);
  check_rounding(job, "send_overhead", job.node.send_overhead, plan);
  check_rounding(job, "receive_overhead", job.node.receive_overhead, plan);
  if (check != Check::skip) check_deadlock(job, plan, check);
  return plan;
}

}  // namespace flitwave
