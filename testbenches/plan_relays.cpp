// testbenches/plan_relays.cpp: see plan_relays.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/testbenches/plan_relays.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "flitwave/algorithms/cube_multicast/cube_faults.hpp"
#include "flitwave/algorithms/cube_multicast/relay_dependencies.hpp"
#include "flitwave/routers/relay_model.hpp"

namespace flitwave {

namespace {

bool is_hypercube(const Topology& topology) {
  const Grid* grid = topology.grid();
  if (!grid || grid->dimensions() > most_cube_dimensions) return false;
  for (int dimension = 0; dimension < grid->dimensions(); ++dimension)
    if (grid->extent(dimension) != 2 || grid->wraps(dimension)) return false;
  return true;
}

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
    throw error_at(job, "node.ports",
                   "the router has one way in from its processor and one way out",
                   "set node.ports: 1");
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

/// The messages of the schedule as the routers see them.
RelayLoad load_of(const Job& job, const Plan& plan) {
  RelayLoad load;
  load.unicasts = job.traffic || job.trace || job.requests;
  if (!plan.schedule) return load;
  std::vector<int> place(plan.schedule->transfers().size(), -1);
  for (std::size_t i = 0; i < place.size(); ++i) {
    const Transfer& transfer = plan.schedule->transfer(static_cast<int>(i));
    const std::size_t original =
        transfer.copy_of < 0 ? i : static_cast<std::size_t>(transfer.copy_of);
    if (place[original] < 0) {
      place[original] = static_cast<int>(load.messages.size());
      load.messages.push_back({static_cast<CubeAddress>(transfer.from.value()), {}});
    }
    load.messages[static_cast<std::size_t>(place[original])].destinations.push_back(
        static_cast<CubeAddress>(transfer.to.value()));
  }
  return load;
}

/// Throws: ConfigError, located.
RelayRules rules_for(const Job& job, const Plan& plan) {
  try {
    return plan.router.relay->rules(Cube(plan.topology->grid()->dimensions()), job.top.seed);
  } catch (const ConfigError& error) {
    if (error.place().known()) throw;
    throw error_at(job, "router." + error.key(), error.problem(), error.remedy());
  }
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
             " hears of heads that wait, and these routers keep their waits to "
             "themselves");
    if (observer.traits().without_clock && plan.schedule && plan.schedule->copies())
      refuse(observer.kind(),
             " judges messages one by one, and these routers copy them on their "
             "ways");
  }
}

}  // namespace

void check_relay_channels(const Job& job, const Plan& plan) {
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
  if (!is_hypercube(*plan.topology))
    throw error_at(job, "topology", job.router.kind() + " reads addresses of a hypercube",
                   "use topology: {kind: hypercube, dimensions: N}");
  const int dimensions = plan.topology->grid()->dimensions();
  if (dimensions > plan.router.relay->most_dimensions)
    throw error_at(job, "router.detail",
                   fmt::format("routers of blocks are built for {} dimensions at most, and the "
                               "cube has {}",
                               plan.router.relay->most_dimensions, dimensions),
                   "use detail: compact");
  if (plan.router.relay->chip) check_chip(job, *plan.router.relay->chip, dimensions);
  check_unused(job);
}

void check_relayed_messages(const Job& job, const Plan& plan) {
  if (!plan.router.relay) return;
  check_observers(job, plan);
  if (job.top.evaluation == Evaluation::untimed && plan.schedule && plan.schedule->copies())
    throw error_at(job, "evaluation",
                   "routers grow the trees of this algorithm on the way, in time",
                   "leave evaluation out, or use `algorithm: {kind: greedy_multicast}`");
  const RelayModel& relay = *plan.router.relay;
  const Cube cube(plan.topology->grid()->dimensions());
  const RelayRules rules = rules_for(job, plan);
  const std::int64_t unicast = 3 * relay.format.field;
  const std::string remedy = std::string("leave ") + (relay.chip ? "the preset" : "broadcaster") +
                             " out, or name fewer destinations";
  const auto refuse_all = [&](const std::string& message) {
    throw error_at(job, "router.broadcaster",
                   message + " is for all other nodes, which takes a broadcaster", remedy);
  };
  if (!rules.broadcaster && cube.nodes() == 2) refuse_all("in a 1-cube every message");
  const auto check_unicast = [&](std::int64_t flits) { check_length(job, unicast, flits); };
  if (job.traffic) check_unicast(job.traffic->packet.count);
  if (job.requests) check_unicast(std::max(job.requests->request.count, job.requests->reply.count));
  if (plan.trace)
    for (const TracedPacket& packet : plan.trace->packets()) check_unicast(packet.flits);
  if (!plan.schedule) return;
  std::int64_t longest = 0;
  for (const auto& [bytes, addresses] : sizes_sent(*plan.schedule))
    for (const std::int64_t flits : plan.format->packets(Bytes{bytes}, addresses))
      longest = std::max(longest, flits);
  for (const RelayLoad::Message& message : load_of(job, plan).messages) {
    const CubeHeader header =
        header_for(cube, message.source, message.destinations, relay.format.header);
    if (!rules.broadcaster && header.for_all(cube))
      refuse_all(fmt::format("a message from node {}", message.source));
    if (!rules.broadcaster && !rules.greedy(header))
      throw error_at(job, "router.broadcaster",
                     fmt::format("a message from node {} has {} destinations, and routers without "
                                 "a broadcaster serve {}",
                                 message.source, header.count, rules.capacity),
                     remedy);
    check_length(job, relay.format.leads(header), longest);
  }
}

DependencyReport check_relayed_dependencies(const Job& job, const Plan& plan) {
  const RelayModel& relay = *plan.router.relay;
  const Topology& topology = *plan.topology;
  const CubeFaults broken = cube_faults(topology, job.router.kind());
  const auto faults = [&broken](CubeAddress here) {
    return broken.faulty(here) ? broken.cube().all() : broken.vector_of(here);
  };
  return check_relays(topology, rules_for(job, plan), relay.hop_classes, load_of(job, plan),
                      faults);
}

}  // namespace flitwave
