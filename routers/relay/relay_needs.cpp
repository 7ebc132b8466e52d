// routers/relay/relay_needs.cpp: see relay_needs.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/relay/relay_needs.hpp"

#include <set>
#include <utility>

#include <fmt/format.h>

#include "routers/parts/needs.hpp"
#include "routers/relay/blocks/block_params.hpp"

namespace flitwave {

namespace {

/// A kind of relay router.
struct RelayKind {
  std::string name;
  std::shared_ptr<const RelayModel> relay;
  RelaySettings settings;

  /// Needs: a hypercube
  Cube cube(const NetworkFacts& facts) const { return Cube(facts.topology.grid()->dimensions()); }
};

/// Rejects settings of virtual channels, flits or circuits, which have no effect here.
void check_unused(const NetworkFacts& facts) {
  if (facts.node.overhead == Overhead::path_held)
    throw ConfigError("node.overhead", "a message is sent without a pause once it is acknowledged",
                      "use overhead: serialized or overlapped");
  if (facts.packet_format.address.count > 0)
    throw ConfigError("packet_format.address",
                      "the router's messages list their destinations in fields of their own",
                      "leave it out; router.field is the length of a field");
  if (facts.reply_queue > 0 || facts.message_classes > 1)
    throw ConfigError("requests", "requests and replies share the router's buffers",
                      "set requests.message_classes: 1 and reply_queue: 0");
}

/// A request and its acknowledgement cross one channel each.
void check_handshake_time(const NetworkFacts& facts, const RelayFormat& format) {
  const Cycle wires = 2 * facts.channel.latency.count;
  if (!format.handshake || *format.handshake >= wires) return;
  throw ConfigError(
      "router.handshake_time",
      fmt::format("a request and its acknowledgement take {} on the channels' wires; "
                  "T_hs = 0 is for the pure formula",
                  counted(wires, "cycle")),
      fmt::format("set router.handshake_time to {} cycle or more, or to wires", wires));
}

/// The size of the chip is fixed, and so is the duration of a selection, whatever the clock period.
void check_chip(const NetworkFacts& facts, Cycles selection, int dimensions) {
  const BlockParams chip = prototype_chip();
  if (dimensions != chip.dimensions)
    throw ConfigError(
        "topology",
        fmt::format("the chip is for {}-cubes; this topology has {} dimensions", chip.dimensions,
                    dimensions),
        fmt::format("use topology: {{kind: hypercube, dimensions: {}}}", chip.dimensions));
  const std::int64_t picoseconds = prototype_cycle.picoseconds;
  const std::int64_t cycles = selection.count;
  if (picoseconds % cycles == 0 && picoseconds / cycles == facts.period.picoseconds) return;
  throw ConfigError(
      "clock.period",
      fmt::format("a selection of the chip takes {}; router.selection is {} of {}",
                  to_string(prototype_cycle), to_string(selection), to_string(facts.period)),
      "choose clock.period and router.selection so that their product is that time, e.g. 100 ns "
      "and 10 cycle");
}

/// Needs: a hypercube
void check_cube(const NetworkFacts& facts, const RelayKind& kind) {
  const int dimensions = facts.topology.grid()->dimensions();
  if (dimensions > most_cube_dimensions)
    throw ConfigError(
        "topology",
        fmt::format("{} reads addresses of at most {} dimensions", kind.name, most_cube_dimensions),
        "use topology: {kind: hypercube, dimensions: N}");
  if (kind.settings.in_blocks() && dimensions > most_block_dimensions)
    throw ConfigError("router.detail",
                      fmt::format("routers of blocks are built for {} dimensions at most, and the "
                                  "cube has {}",
                                  most_block_dimensions, dimensions),
                      "use detail: compact");
  if (kind.settings.preset != RelayPreset::none)
    check_chip(facts, kind.settings.selection, dimensions);
  try {
    const Cube cube = kind.cube(facts);
    check_handshake_time(facts, kind.relay->format(cube));
    kind.relay->rules(cube, facts.seed);
  } catch (const ConfigError& error) {
    if (error.place().known() || error.key().rfind("router.", 0) == 0) throw;
    throw ConfigError("router." + error.key(), error.problem(), error.remedy());
  }
}

/// Without a broadcaster, messages to more destinations than it serves, or to all other nodes, are
/// rejected.
void check_list(const NetworkFacts& facts, const RelayKind& kind, NodeId source, int destinations) {
  const Cube cube = kind.cube(facts);
  const int capacity = kind.relay->rules(cube, facts.seed).capacity;
  const std::string without =
      kind.settings.preset == RelayPreset::none ? "broadcaster" : "the preset";
  const auto reject = [&](const std::string& problem) {
    throw ConfigError(
        "router.broadcaster",
        fmt::format("a message from node {} {}", facts.topology.label(source), problem),
        "leave " + without + (cube.nodes() == 2 ? " out" : " out, or name fewer destinations"));
  };
  if (static_cast<CubeBits>(destinations) == cube.all())
    reject("is for all other nodes, which needs a broadcaster");
  if (destinations > capacity)
    reject(fmt::format("has {} destinations, and routers without a broadcaster serve {}",
                       destinations, capacity));
}

void check_lists(const NetworkFacts& facts, const RelayKind& kind) {
  if (!facts.schedule || kind.relay->rules(kind.cube(facts), facts.seed).broadcaster) return;
  // Of many messages with the same number of receivers, the first.
  std::set<int> seen;
  const Schedule& schedule = *facts.schedule;
  for (int i = 0; i < static_cast<int>(schedule.transfers().size()); ++i)
    if (const int receivers = schedule.receivers_of(i);
        receivers > 0 && seen.insert(receivers).second)
      check_list(facts, kind, schedule.transfer(i).from, receivers);
}

/// Checks a message's packets and its list. `field`, `header`, and `data` of a message: flits.
void check_length(const NetworkFacts& facts, const RelayKind& kind, std::int64_t field,
                  std::int64_t header, std::int64_t data) {
  if (kind.settings.in_blocks() && data % field != 0)
    throw ConfigError("router.detail",
                      fmt::format("routers of blocks take whole fields, of {} flits here, and a "
                                  "message has {} flits of data",
                                  field, data),
                      "send other messages, or use detail: compact");
  const std::int64_t flits = header + data;
  if (flits <= facts.channel.buffer.count) return;
  throw ConfigError(
      "channel.buffer",
      fmt::format("{} routers buffer whole messages; a message has {} flits, {} of which are "
                  "its header",
                  kind.name, flits, header),
      fmt::format("set channel.buffer to {} flit or more, or send shorter messages", flits));
}

/// A node of a 1-cube sends no packets to itself.
void check_two_nodes(const NetworkFacts& facts, const RelayKind& kind) {
  if (!kind.relay->rules(kind.cube(facts), facts.seed).broadcaster)
    throw ConfigError("router.broadcaster",
                      "in a 1-cube every message is for all other nodes, which needs a broadcaster",
                      "leave broadcaster out");
  const auto reject = [&](const std::string& key, NodeId node) {
    throw ConfigError(key,
                      fmt::format("node {} of a 1-cube sends to itself, and a list of one "
                                  "destination is that of a broadcast to the other node",
                                  facts.topology.label(node)),
                      "send to the other node, or use a larger cube");
  };
  if (facts.trace)
    for (const TracedPacket& packet : facts.trace->packets())
      if (packet.source == packet.destination) reject("trace", packet.source);
  if (!facts.pattern) return;
  for (const NodeId node : {NodeId(0), NodeId(1)}) {
    const std::vector<double> shares = facts.pattern->shares(node);
    if (!shares.empty() && shares[node.index()] > 0) reject("traffic", node);
  }
}

/// The header of a message to so many nodes. Unit: field
std::int64_t header_fields(const Cube& cube, int destinations) {
  const bool for_all = static_cast<CubeBits>(destinations) == cube.all();
  return (for_all ? 0 : destinations) + 2;
}

void check_messages(const NetworkFacts& facts, const RelayKind& kind) {
  if (!facts.lengths) return;
  const Cube cube = kind.cube(facts);
  const std::int64_t field = kind.relay->format(cube).field;
  if (cube.nodes() == 2) check_two_nodes(facts, kind);
  for (const PacketLength& length : *facts.lengths)
    if (length.key != PacketLength::of_operation)
      check_length(facts, kind, field, 3 * field, length.flits);
  if (!facts.schedule) return;
  // Many messages have the same size and number of receivers.
  std::set<std::pair<int, std::int64_t>> sizes;
  for (int i = 0; i < static_cast<int>(facts.schedule->transfers().size()); ++i)
    if (const int receivers = facts.schedule->receivers_of(i); receivers > 0)
      sizes.emplace(receivers, facts.schedule->transfer(i).size.count);
  for (const auto& [receivers, bytes] : sizes)
    for (const std::int64_t flits : facts.format->packets(Bytes{bytes}, 1))
      check_length(facts, kind, field, header_fields(cube, receivers) * field, flits);
}

}  // namespace

RouterNeeds relay_needs(const std::string& kind, std::shared_ptr<const RelayModel> relay,
                        const RelaySettings& settings) {
  const RelayKind own{kind, std::move(relay), settings};
  const std::string whole_channel = "a message takes the whole channel";
  return needs::all(
      {needs::no_other_routers("the request handshake needs routers of one kind, which reads the "
                               "destination lists of messages",
                               kind),
       needs::handshake(Handshake::request, "a message is requested and acknowledged as a whole"),
       needs::hypercube(kind + " routers need a hypercube"),
       [own](const NetworkFacts& facts) { check_cube(facts, own); },
       // The routing keeps its default, so that it does not require several channels.
       [whole_channel](const NetworkFacts& facts) {
         if (facts.channel.vcs != 1)
           throw ConfigError("channel.vcs", whole_channel, "set channel.vcs to 1");
       },
       needs::no_choice_of_injection_vc(whole_channel + ", and there is no choice"),
       needs::one_local_port("the router has one local port"),
       needs::ascending_dimension_order("the router itself decides where a message goes",
                                        "leave routing out"),
       check_unused, [own](const NetworkFacts& facts) { check_lists(facts, own); },
       [own](const NetworkFacts& facts) { check_messages(facts, own); }});
}

}  // namespace flitwave
