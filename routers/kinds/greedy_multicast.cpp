// routers/kinds/greedy_multicast.cpp: Lan's router, which copies messages towards their list.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cube_multicast/relay/blocks.hpp"
#include "algorithms/cube_multicast/relay/tie_settings.hpp"
#include "configs/error.hpp"
#include "modules/router.hpp"
#include "routers/relay/handshake_time.hpp"
#include "routers/relay/mhu/block_router.hpp"
#include "routers/relay/relay_faults.hpp"
#include "routers/relay/relay_needs.hpp"
#include "routers/relay/relay_router.hpp"

namespace flitwave {
namespace {

/// What is inside.
enum class Detail {
  compact,  ///< All that a router does in a cycle is done at once.
  blocks,   ///< A module for each block of the hardware.
};
[[maybe_unused]] std::vector<std::string> names_of(Detail) { return {"compact", "blocks"}; }

/// What is built.
enum class Chip {
  none,          ///< What the settings say.
  proto_mhu_q3,  ///< Units as the one that was made: see `prototype_chip`.
};
[[maybe_unused]] std::vector<std::string> names_of(Chip) { return {"none", "proto_mhu_q3"}; }

struct GreedyMulticastParams {
  Chip preset = Chip::none;
  Detail detail = Detail::compact;
  int capacity = 4;
  bool broadcaster = true;
  bool fault_tolerant = false;
  Ties ties = Ties::lowest;
  TieScript script;
  MessageBuffers buffers = MessageBuffers::faithful;
  Grant grant = Grant::acknowledged;
  GatewayRule arbitration = GatewayRule::fcfs;
  int field = 1;
  int link_bits = 0;
  HandshakeTime handshake_time;
  Cycles selection{10};
  Relaying switching = Relaying::relay;
  StoredDelivery delivery = StoredDelivery::arriving;
  Selecting selecting = Selecting::overlapped;
  Branching branching = Branching::parallel;
};

RelayRules rules_of(const GreedyMulticastParams& params, const Cube& cube, std::uint64_t seed) {
  return {params.capacity, params.fault_tolerant, params.broadcaster,
          tie_rule_of(params.ties, params.script, cube, seed)};
}

/// Throws: ConfigError on what does not suit the cube.
RelayFormat format_of(const GreedyMulticastParams& params, const Cube& cube) {
  const std::string bits = std::to_string(cube.dimensions());
  if (params.link_bits > cube.dimensions())
    throw ConfigError("link_bits",
                      "a field has " + bits + " bits, and a link carries no more at once",
                      "set router.link_bits to " + bits + " or less, or leave it out");
  const int field = params.link_bits == 0
                        ? params.field
                        : (cube.dimensions() + params.link_bits - 1) / params.link_bits;
  const std::int64_t first = params.selection.count + params.handshake_time.cycles.value_or(2);
  if (params.detail == Detail::blocks && params.fault_tolerant &&
      params.switching == Relaying::relay && field >= first)
    throw ConfigError(
        "selection",
        "a copy for the processor would begin before the first field of the data, of " +
            std::to_string(field) + " flits, has come",
        "select or acknowledge more slowly, or use detail: compact");
  return {params.fault_tolerant ? HeaderFormat::control : HeaderFormat::source, field,
          params.handshake_time.cycles};
}

RelaySettings settings_of(const GreedyMulticastParams& params, const RouterSite& site) {
  return {rules_of(params, Cube(site.network_ports / 2), site.seed),
          {params.selection.count, params.selecting, params.branching, params.switching,
           params.delivery},
          params.buffers,
          params.grant,
          params.arbitration};
}

/// Throws: ConfigError on what there are no blocks for.
void check_blocks(const GreedyMulticastParams& params) {
  const auto only = [](const std::string& key, const std::string& blocks) {
    throw ConfigError(key, "routers of blocks are built for " + blocks + " only",
                      "use " + blocks + ", or detail: compact");
  };
  if (params.ties != Ties::lowest) only("ties", "lowest");
  if (!params.script.empty()) only("script", "the lowest dimension");
  if (params.buffers != MessageBuffers::faithful) only("buffers", "faithful");
  if (params.switching == Relaying::virtual_cut_through)
    only("switching", "relay and store_and_forward");
  if (params.switching == Relaying::store_and_forward && params.delivery != StoredDelivery::stored)
    only("delivery", "stored");
}

/// With what a preset knows filled in.
/// Throws: ConfigError on what the chip has not.
GreedyMulticastParams settled(GreedyMulticastParams params) {
  if (params.preset == Chip::none) return params;
  const BlockParams chip = prototype_chip();
  if (params.capacity != chip.rows)
    throw ConfigError("capacity",
                      "the Store of the chip has " + std::to_string(chip.rows) + " rows",
                      "leave capacity out, or the preset");
  if (params.fault_tolerant)
    throw ConfigError("fault_tolerant", "the chip does not support faults",
                      "leave fault_tolerant out, or the preset");
  params.detail = Detail::blocks;
  params.broadcaster = chip.broadcaster;
  return params;
}

std::optional<RelayChip> chip_of(const GreedyMulticastParams& params) {
  if (params.preset == Chip::none) return std::nullopt;
  return RelayChip{prototype_chip().dimensions, params.selection, prototype_cycle};
}

BlockParams blocks_of(const GreedyMulticastParams& params, const RouterSite& site) {
  BlockParams blocks;
  blocks.dimensions = site.network_ports / 2;
  blocks.rows = params.capacity;
  blocks.field = static_cast<int>(format_of(params, Cube(blocks.dimensions)).field);
  blocks.selection = static_cast<int>(params.selection.count);
  const int link = cube_port(static_cast<CubeAddress>(site.node.value()), 0);
  const ChannelParams& channel = site.inputs[static_cast<std::size_t>(link)]->params();
  blocks.data = static_cast<int>(channel.buffer.count);
  blocks.latency = static_cast<int>(channel.latency.count);
  if (const std::optional<Cycle> handshake = params.handshake_time.cycles)
    blocks.handshake = static_cast<int>(*handshake);
  blocks.fault_tolerant = blocks.gives_up = params.fault_tolerant;
  blocks.broadcaster = blocks.type_checker = params.broadcaster;
  blocks.selecting = params.selecting;
  blocks.branching = params.branching;
  blocks.arbitration = params.arbitration;
  if (params.switching == Relaying::store_and_forward)
    blocks.switching = RelaySwitching::whole_message;
  return blocks;
}

RouterModel greedy_multicast(const GreedyMulticastParams& given) {
  const GreedyMulticastParams params = settled(given);
  RouterModel model;
  if (params.buffers == MessageBuffers::faithful && params.grant == Grant::requested)
    throw ConfigError("grant",
                      "where a channel has one buffer, one request is out at a time anyway",
                      "leave grant out, or set buffers: hop_classes");
  if (params.link_bits != 0 && params.field != 1)
    throw ConfigError("link_bits", "it says how long a field takes, and so does field",
                      "leave one of them out");
  if (params.delivery == StoredDelivery::stored && params.switching != Relaying::store_and_forward)
    throw ConfigError("delivery", "the router stores no messages: processors get them as they come",
                      "leave delivery out, or set switching: store_and_forward");
  if (params.detail == Detail::blocks) check_blocks(params);
  model.switching = params.switching == Relaying::store_and_forward
                        ? Switching::store_and_forward
                        : Switching::virtual_cut_through;
  const bool blocks = params.detail == Detail::blocks;
  model.supports.copying = Copying::at_once;
  model.supports.faults = params.fault_tolerant;
  model.supports.later_faults = params.fault_tolerant && !blocks;
  model.avoidance.remedy = "set router.buffers: hop_classes and grant: acknowledged";
  model.relay = std::make_shared<RelayModel>(RelayModel{
      [params](const Cube& cube) { return format_of(params, cube); },
      [params](const Cube& cube, std::uint64_t seed) { return rules_of(params, cube, seed); },
      params.buffers == MessageBuffers::hop_classes && params.grant == Grant::acknowledged});
  model.needs =
      relay_needs("greedy_multicast", model.relay,
                  {blocks, blocks ? most_block_dimensions : most_cube_dimensions, chip_of(params)});
  model.build = [params](const char* name, const RouterSite& site) -> std::unique_ptr<Router> {
    if (params.detail == Detail::blocks)
      return make_block_router(name, blocks_of(params, site), site);
    return std::make_unique<RelayRouter>(name, settings_of(params, site), site);
  };
  return model;
}

}  // namespace

void register_greedy_multicast(Routers& routers) {
  using P = GreedyMulticastParams;
  routers.add(
      "greedy_multicast",
      {"a router for hypercubes that copies a message towards its list of destinations",
       "Lan 1988, chapter 6",
       {"{kind: greedy_multicast}", "{kind: greedy_multicast, detail: blocks}"}},
      Schema<P>{}
          .optional("preset", &P::preset,
                    "proto_mhu_q3: units as the chip that was built, for 3-cubes: detail is "
                    "blocks, capacity 4, there is no broadcaster, and a selection takes 1 us; "
                    "none: what follows")
          .optional("detail", &P::detail,
                    "whether its blocks are modules, whose wires can be looked at")
          .optional("capacity", &P::capacity,
                    "m: messages for so many destinations are served greedily, those for more by "
                    "broadcast",
                    between(1, most_store_rows))
          .optional("broadcaster", &P::broadcaster,
                    "without one, messages for more than capacity destinations are refused")
          .optional("fault_tolerant", &P::fault_tolerant,
                    "control vectors lead messages in place of sources")
          .optional("ties", &P::ties, "which of several equally good dimensions is taken")
          .optional("script", &P::script,
                    "dimensions in order of preference, by node; elsewhere the lowest is taken")
          .optional("buffers", &P::buffers,
                    "one buffer for the messages of each channel, or one for each number of hops "
                    "that they have come")
          .optional("grant", &P::grant, "from when on a branch has an output for itself")
          .optional("arbitration", &P::arbitration,
                    "which of several messages gets an output first")
          .optional("field", &P::field, "flits in a field of the header", between(1, 1024))
          .optional("link_bits", &P::link_bits,
                    "LINK_BITS: bits of a field that a link carries in a cycle, of n, in place of "
                    "field; 0: field says how long one takes",
                    between(0, most_cube_dimensions))
          .optional("handshake_time", &P::handshake_time,
                    "T_hs, from a request to the message's first flit where nothing is in the way: "
                    "wires (2 x channel.latency), or more cycles, by which receivers wait")
          .optional("selection", &P::selection, "time in which a dimension is selected",
                    between(1, 1e9))
          .optional("switching", &P::switching, "when a message may go on")
          .optional(
              "delivery", &P::delivery,
              "with store_and_forward: a processor gets a message as it arrives in its router, "
              "as in equation 3.4 of the source, or when it is stored there")
          .optional("selecting", &P::selecting,
                    "whether branches begin as they are selected, or after the last one")
          .optional("branching", &P::branching, "how the branches of a message are sent"),
      greedy_multicast);
}

}  // namespace flitwave
