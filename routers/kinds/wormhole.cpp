// routers/kinds/wormhole.cpp: flits follow their head through small buffers.
// SPDX-License-Identifier: Apache-2.0
#include "flitwave/routers/input_queued.hpp"

namespace flitwave {
namespace {

enum class Preset { pipelined, single_cycle };
[[maybe_unused]] std::vector<std::string> names_of(Preset) { return {"pipelined", "single_cycle"}; }

struct WormholeParams {
  Preset preset = Preset::pipelined;
  Cycles route_delay{1};
  Cycles vc_delay{1};
  Cycles switch_delay{1};
  Cycles traversal_delay{1};
  Arbitration arbitration = Arbitration::round_robin;
  VcReallocation vc_reallocation = VcReallocation::non_atomic;
};

/// A blocked packet keeps the buffers and virtual channels that it stands in.
/// Source: Dally & Seitz 1987.
class Wormhole final : public InputQueued {
 public:
  Wormhole(const sc_core::sc_module_name& name, const PipelineParams& params,
           const RouterSite& site)
      : InputQueued(name, params, site) {}
};

PipelineParams pipeline_of(const WormholeParams& params) {
  PipelineParams pipeline;
  pipeline.arbitration = params.arbitration;
  pipeline.vc_reallocation = params.vc_reallocation;
  if (params.preset == Preset::single_cycle) return pipeline;
  pipeline.timing.route = static_cast<int>(params.route_delay.count);
  pipeline.timing.vc = static_cast<int>(params.vc_delay.count);
  pipeline.timing.passage = static_cast<int>(params.switch_delay.count);
  pipeline.timing.traversal = static_cast<int>(params.traversal_delay.count);
  return pipeline;
}

RouterModel wormhole(const WormholeParams& params) {
  const PipelineParams pipeline = pipeline_of(params);
  RouterModel model;
  model.timing = pipeline.timing;
  model.needs_credit = params.vc_reallocation == VcReallocation::atomic;
  model.serves_escape = params.vc_reallocation == VcReallocation::atomic;
  model.build = [pipeline](const char* name, const RouterSite& site) {
    return std::unique_ptr<Router>(std::make_unique<Wormhole>(name, pipeline, site));
  };
  return model;
}

}  // namespace

void register_wormhole(Routers& routers) {
  constexpr int longest = 64;
  routers.add(
      "wormhole",
      {"input-queued, virtual channels; a blocked packet stays where it is",
       "Dally & Seitz 1987; Dally & Towles 2004, chapter 16"},
      Schema<WormholeParams>{}
          .optional("preset", &WormholeParams::preset,
                    "single_cycle: all four delays are 0, so that a hop takes the "
                    "channel's latency; pipelined: the delays below")
          .optional("route_delay", &WormholeParams::route_delay,
                    "from a head at the front of its buffer to its route", between(0, longest))
          .optional("vc_delay", &WormholeParams::vc_delay, "from the route to a virtual channel",
                    between(0, longest))
          .optional("switch_delay", &WormholeParams::switch_delay,
                    "from a virtual channel (head) or the buffer (body) to leaving the "
                    "buffer",
                    between(0, longest))
          .optional("traversal_delay", &WormholeParams::traversal_delay,
                    "from leaving the buffer to the wires", between(0, longest))
          .optional("arbitration", &WormholeParams::arbitration,
                    "which of several packets gets a virtual channel or the switch")
          .optional("vc_reallocation", &WormholeParams::vc_reallocation,
                    "when a virtual channel may be given to the next packet; atomic "
                    "needs the credit handshake"),
      wormhole);
}

}  // namespace flitwave
