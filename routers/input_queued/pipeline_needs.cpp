// routers/input_queued/pipeline_needs.cpp: see pipeline_needs.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/input_queued/pipeline_needs.hpp"

#include <string>
#include <utility>
#include <vector>

#include "configs/codec.hpp"
#include "routers/parts/needs.hpp"

namespace flitwave {

namespace {

/// A head can use escape channels only at the front of its buffer.
void check_escapes(const NetworkFacts& facts) {
  if (!facts.routing.relies_on_escape() || facts.allow_deadlock) return;
  throw ConfigError("router.vc_reallocation",
                    "routing `" + facts.routing_kind +
                        "` is free of deadlock by its escape channels; a head behind another "
                        "packet in one buffer cannot use them",
                    "set vc_reallocation to atomic, or allow_deadlock: true");
}

void check_atomic(const NetworkFacts& facts) {
  if (facts.channel.handshake == Handshake::credit) return;
  throw ConfigError("router.vc_reallocation",
                    "atomic re-allocation needs credit flow control; channel.handshake is " +
                        Codec<Handshake>::print(facts.channel.handshake),
                    "set channel.handshake to credit, or vc_reallocation to non_atomic");
}

/// Bubble flow control counts the credits of rings that have one virtual channel.
void check_bubble(const NetworkFacts& facts) {
  const Grid* grid = facts.topology.grid();
  bool rings = false;
  for (int dimension = 0; grid && dimension < grid->dimensions(); ++dimension)
    rings = rings || grid->wraps(dimension);
  if (!rings)
    throw ConfigError("router.torus", "bubble flow control needs a ring; the topology has none",
                      "leave out torus: bubble, or use a torus or ring");
  if (facts.channel.handshake != Handshake::credit)
    throw ConfigError("router.torus",
                      "bubble flow control counts credits; channel.handshake ready_valid has none",
                      "set channel.handshake to credit");
  const int vcs = facts.channel.vcs;
  if (vcs != 1)
    throw ConfigError(
        "router.torus",
        "bubble flow control works on one virtual channel per ring; channel.vcs is " +
            std::to_string(vcs),
        "set channel.vcs to 1 and use routing: {kind: dimension_order, vc_rule: none}");
}

void check_space_for_bubble(const NetworkFacts& facts) {
  const std::int64_t longest = longest_packet(facts);
  if (facts.channel.buffer.count >= 2 * longest) return;
  throw ConfigError(
      "channel.buffer",
      "bubble flow control needs space for two packets in every buffer; the longest packet "
      "has " +
          std::to_string(longest) + " flits",
      "set channel.buffer to " + std::to_string(2 * longest) + " flit or more");
}

}  // namespace

RouterNeeds input_queued_needs(const PipelineSettings& settings, Switching switching,
                               bool serves_escape) {
  const bool bubble = settings.torus == RingRule::bubble;
  std::vector<RouterNeeds> all;
  if (bubble) {
    all.emplace_back(check_bubble);
    all.push_back(
        needs::routing_of_one_class("bubble flow control works on one virtual channel per ring"));
  }
  if (settings.vc_reallocation == VcReallocation::atomic) all.emplace_back(check_atomic);
  if (!serves_escape) all.emplace_back(check_escapes);
  if (switching != Switching::wormhole)
    all.push_back(needs::buffers_of_whole_packets(Codec<Switching>::print(switching)));
  if (bubble) all.emplace_back(check_space_for_bubble);
  return needs::all(std::move(all));
}

}  // namespace flitwave
