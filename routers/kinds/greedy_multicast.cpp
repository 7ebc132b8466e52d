// routers/kinds/greedy_multicast.cpp: Lan's router, which copies messages to the destinations of
// their list.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cube_multicast/relay/blocks.hpp"
#include "algorithms/cube_multicast/relay/relay_settings.hpp"
#include "configs/error.hpp"
#include "modules/router.hpp"
#include "routers/relay/mhu/block_router.hpp"
#include "routers/relay/relay_faults.hpp"
#include "routers/relay/relay_model.hpp"
#include "routers/relay/relay_needs.hpp"
#include "routers/relay/relay_router.hpp"
#include "routers/relay/relayed_messages.hpp"

namespace flitwave {
namespace {

/// Throws: ConfigError on settings that the cube does not allow.
RelayFormat format_of(const RelaySettings& params, const Cube& cube) {
  const int field = params.field_flits(cube.dimensions());
  const std::int64_t first = params.selection.count + params.handshake_time.cycles.value_or(2);
  if (params.in_blocks() && params.fault_tolerant && params.switching == Relaying::relay &&
      field >= first)
    throw ConfigError(
        "selection",
        "a copy for the processor would begin before the first field of the data, of " +
            std::to_string(field) + " flits, has arrived",
        "select or acknowledge more slowly, or use detail: compact");
  return {params.header_format(), field, params.handshake_time.cycles};
}

/// Throws: ConfigError on settings for which there are no blocks.
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

/// The settings with those of the preset filled in.
/// Throws: ConfigError on settings that the chip does not have.
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

RouterModel greedy_multicast(const RelaySettings& given) {
  const RelaySettings params = settled(given);
  RouterModel model;
  if (params.buffers == MessageBuffers::faithful && params.grant == Grant::requested)
    throw ConfigError("grant",
                      "a channel with one buffer has one outstanding request at a time, so that "
                      "grant has no effect",
                      "leave grant out, or set buffers: hop_classes");
  if (params.link_bits != 0 && params.field != 1)
    throw ConfigError("link_bits", "link_bits and field both specify how long a field takes",
                      "leave one of them out");
  if (params.delivery == StoredDelivery::stored && !params.stores())
    throw ConfigError("delivery",
                      "the router stores no messages: processors receive them as they arrive",
                      "leave delivery out, or set switching: store_and_forward");
  if (params.in_blocks()) check_blocks(params);
  model.switching = params.stores() ? Switching::store_and_forward : Switching::virtual_cut_through;
  model.supports.copying = Copying::at_once;
  model.supports.faults = params.fault_tolerant;
  model.supports.later_faults = params.fault_tolerant && !params.in_blocks();
  model.avoidance.remedy = "set router.buffers: hop_classes and grant: acknowledged";
  model.supports.requests = true;
  const auto facts = std::make_shared<RelayModel>();
  facts->format = [params](const Cube& cube) { return format_of(params, cube); };
  facts->rules = [params](const Cube& cube, std::uint64_t seed) {
    return params.rules(cube, seed);
  };
  facts->hop_classes =
      params.buffers == MessageBuffers::hop_classes && params.grant == Grant::acknowledged;
  model.facts = facts;
  model.needs = relay_needs("greedy_multicast", facts, params);
  model.share = [params](const SharedSite& site) {
    const Cube cube(site.topology.grid()->dimensions());
    return std::make_unique<RelayedMessages>(format_of(params, cube), site);
  };
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
      {"a router for hypercubes that copies a message to the destinations of its list",
       "Lan 1988, chapter 6",
       {"{kind: greedy_multicast}", "{kind: greedy_multicast, detail: blocks}"}},
      Schema<P>{}
          .optional(
              "preset", &P::preset,
              "proto_mhu_q3: message handling units like the prototype chip, for 3-cubes: detail "
              "is blocks, capacity 4, there is no broadcaster, and a selection takes 1 us; "
              "none: the settings below")
          .optional("detail", &P::detail,
                    "whether its blocks are modules, whose wires can be observed")
          .optional(
              "capacity", &P::capacity,
              "m: messages for at most this many destinations are served greedily, those for more "
              "by broadcast",
              between(1, most_store_rows))
          .optional("broadcaster", &P::broadcaster,
                    "without one, messages for more than capacity destinations are rejected")
          .optional("fault_tolerant", &P::fault_tolerant,
                    "messages are routed by control vectors instead of sources")
          .optional("ties", &P::ties, "which of several equally good dimensions is taken")
          .optional(
              "script", &P::script,
              "dimensions in order of preference, by node; the lowest is taken at other nodes")
          .optional(
              "buffers", &P::buffers,
              "one buffer for the messages of each channel, or one for each number of hops that "
              "they have made")
          .optional("grant", &P::grant, "when an output is reserved for a branch")
          .optional("arbitration", &P::arbitration,
                    "which of several messages gets an output first")
          .optional("field", &P::field, "flits in a field of the header", between(1, 1024))
          .optional(
              "link_bits", &P::link_bits,
              "LINK_BITS: bits of an n-bit field that a link carries in a cycle, instead of field; "
              "0: field specifies the time of a field",
              between(0, most_cube_dimensions))
          .optional("handshake_time", &P::handshake_time,
                    "T_hs, from a request to the message's first flit without contention: "
                    "wires (2 x channel.latency), or more cycles, by which receivers wait")
          .optional("selection", &P::selection, "time in which a dimension is selected",
                    between(1, 1e9))
          .optional("switching", &P::switching, "when a message may be forwarded")
          .optional(
              "delivery", &P::delivery,
              "with store_and_forward: a processor receives a message as it arrives in its router, "
              "as in equation 3.4 of the source, or when it is stored there")
          .optional("selecting", &P::selecting,
                    "whether branches begin as they are selected, or after the last one")
          .optional("branching", &P::branching, "how the branches of a message are sent"),
      greedy_multicast);
}

}  // namespace flitwave
