// routers/kinds/greedy_multicast.cpp: Lan's router, which copies messages towards their list.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cube_multicast/relay/blocks.hpp"
#include "algorithms/cube_multicast/relay/relay_settings.hpp"
#include "configs/error.hpp"
#include "modules/router.hpp"
#include "routers/relay/mhu/block_router.hpp"
#include "routers/relay/relay_faults.hpp"
#include "routers/relay/relay_needs.hpp"
#include "routers/relay/relay_router.hpp"

namespace flitwave {
namespace {

/// Throws: ConfigError on what does not suit the cube.
RelayFormat format_of(const RelaySettings& params, const Cube& cube) {
  const int field = params.field_flits(cube.dimensions());
  const std::int64_t first = params.selection.count + params.handshake_time.cycles.value_or(2);
  if (params.in_blocks() && params.fault_tolerant && params.switching == Relaying::relay &&
      field >= first)
    throw ConfigError(
        "selection",
        "a copy for the processor would begin before the first field of the data, of " +
            std::to_string(field) + " flits, has come",
        "select or acknowledge more slowly, or use detail: compact");
  return {params.header_format(), field, params.handshake_time.cycles};
}

/// Throws: ConfigError on what there are no blocks for.
void check_blocks(const RelaySettings& params) {
  const auto only = [](const std::string& key, const std::string& blocks) {
    throw ConfigError(key, "routers of blocks are built for " + blocks + " only",
                      "use " + blocks + ", or detail: compact");
  };
  if (params.ties != Ties::lowest) only("ties", "lowest");
  if (!params.script.empty()) only("script", "the lowest dimension");
  if (params.buffers != MessageBuffers::faithful) only("buffers", "faithful");
  if (params.switching == Relaying::virtual_cut_through)
    only("switching", "relay and store_and_forward");
  if (params.stores() && params.delivery != StoredDelivery::stored) only("delivery", "stored");
}

/// With what a preset knows filled in.
/// Throws: ConfigError on what the chip has not.
RelaySettings settled(RelaySettings params) {
  if (params.preset == RelayPreset::none) return params;
  const BlockParams chip = prototype_chip();
  if (params.capacity != chip.capacity)
    throw ConfigError("capacity",
                      "the Store of the chip has " + std::to_string(chip.capacity) + " rows",
                      "leave capacity out, or the preset");
  if (params.fault_tolerant)
    throw ConfigError("fault_tolerant", "the chip does not support faults",
                      "leave fault_tolerant out, or the preset");
  params.detail = RelayDetail::blocks;
  params.broadcaster = chip.broadcaster;
  return params;
}

BlockParams blocks_of(const RelaySettings& params, const RouterSite& site) {
  BlockParams blocks{params};
  blocks.dimensions = site.network_ports / 2;
  blocks.field = params.field_flits(blocks.dimensions);
  const int link = cube_port(static_cast<CubeAddress>(site.node.value()), 0);
  const ChannelParams& channel = site.inputs[index(link)]->params();
  blocks.data = static_cast<int>(channel.buffer.count);
  blocks.latency = static_cast<int>(channel.latency.count);
  blocks.gives_up = params.fault_tolerant;
  return blocks;
}

RouterModel greedy_multicast(const RelaySettings& given) {
  const RelaySettings params = settled(given);
  RouterModel model;
  if (params.buffers == MessageBuffers::faithful && params.grant == Grant::requested)
    throw ConfigError("grant",
                      "where a channel has one buffer, one request is out at a time anyway",
                      "leave grant out, or set buffers: hop_classes");
  if (params.link_bits != 0 && params.field != 1)
    throw ConfigError("link_bits", "it says how long a field takes, and so does field",
                      "leave one of them out");
  if (params.delivery == StoredDelivery::stored && !params.stores())
    throw ConfigError("delivery", "the router stores no messages: processors get them as they come",
                      "leave delivery out, or set switching: store_and_forward");
  if (params.in_blocks()) check_blocks(params);
  model.switching = params.stores() ? Switching::store_and_forward : Switching::virtual_cut_through;
  model.supports.copying = Copying::at_once;
  model.supports.faults = params.fault_tolerant;
  model.supports.later_faults = params.fault_tolerant && !params.in_blocks();
  model.avoidance.remedy = "set router.buffers: hop_classes and grant: acknowledged";
  model.relay = std::make_shared<RelayModel>(RelayModel{
      [params](const Cube& cube) { return format_of(params, cube); },
      [params](const Cube& cube, std::uint64_t seed) { return params.rules(cube, seed); },
      params.buffers == MessageBuffers::hop_classes && params.grant == Grant::acknowledged});
  model.needs = relay_needs("greedy_multicast", model.relay, params);
  model.build = [params](const char* name, const RouterSite& site) -> std::unique_ptr<Router> {
    if (params.in_blocks()) return make_block_router(name, blocks_of(params, site), site);
    return std::make_unique<RelayRouter>(name, params, site);
  };
  return model;
}

}  // namespace

void register_greedy_multicast(Routers& routers) {
  using P = RelaySettings;
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
