// routers/input_queued/pipeline_settings.cpp: see pipeline_settings.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/input_queued/pipeline_settings.hpp"

#include "configs/error.hpp"
#include "routers/input_queued/pipeline_needs.hpp"

namespace flitwave {

std::vector<std::string> names_of(RingRule) { return {"classes", "bubble"}; }

Schema<PipelineSettings> pipeline_schema() {
  using P = PipelineSettings;
  return with_preset_and_delays(Schema<P>{})
      .optional("stages", &P::stages,
                "merged: delays are least times, after which all is decided in one cycle; clocked: "
                "route, vc and switch are stages that take all that waits and are busy for their "
                "delay, so that vc_delay and switch_delay are at least 1")
      .optional("allocator", &P::allocator,
                "how virtual channels and the switch are shared out; merged stages are "
                "separable_input_first: a head settles on one virtual channel and an input on one "
                "of its packets before outputs choose; clocked ones match all requests")
      .optional("iterations", &P::iterations,
                "further ones match what the first left over; more than 1 needs clocked stages",
                between(1, 16))
      .optional("speculative", &P::speculative,
                "a head asks for the switch while it asks for a virtual channel, after all others; "
                "without one its passage is lost; needs clocked stages")
      .optional("arbitration", &P::arbitration,
                "which of several packets gets a virtual channel or the switch")
      .optional("vc_reallocation", &P::vc_reallocation,
                "when a virtual channel may be given to the next packet; atomic needs the credit "
                "handshake")
      .optional("torus", &P::torus,
                "what keeps rings from deadlock; bubble: entering one takes two free slots for "
                "packets, which needs whole packets in buffers (virtual_cut_through or "
                "store_and_forward), credits and one virtual channel");
}

namespace {

void check_stages(const PipelineSettings& settings) {
  const auto refuse = [](const char* key, const char* problem) {
    throw ConfigError(key, problem, "set stages: clocked");
  };
  if (settings.stages == StageModel::merged) {
    if (settings.speculative) refuse("speculative", "merged stages have nothing to speculate on");
    if (settings.iterations > 1)
      refuse("iterations",
             "in merged stages every head settles on one request, so that a second "
             "iteration would have none");
    if (settings.allocator != AllocatorKind::separable_input_first)
      refuse("allocator", "in merged stages inputs choose before outputs");
    return;
  }
  if (settings.preset != Preset::pipelined)
    throw ConfigError("preset", "clocked stages take their delays, and single_cycle has none",
                      "set preset: pipelined, or stages: merged");
  if (settings.vc_delay.count < 1)
    throw ConfigError("vc_delay", "a clocked stage takes at least one cycle",
                      "set 1 cycle or more, or stages: merged");
  if (settings.switch_delay.count < 1)
    throw ConfigError("switch_delay", "a clocked stage takes at least one cycle",
                      "set 1 cycle or more, or stages: merged");
}

StageRule stage_rule(const PipelineSettings& settings) {
  const PipelineTiming written = settings.timing();
  return {written.route,
          written.vc,
          written.passage,
          settings.speculative,
          {settings.allocator, settings.iterations, settings.arbitration}};
}

}  // namespace

RouterModel input_queued_model(const PipelineSettings& settings, Switching switching) {
  if (settings.torus == RingRule::bubble && switching == Switching::wormhole)
    throw ConfigError("torus",
                      "a bubble is a free slot for a whole packet, and a worm lies in many buffers",
                      "use kind: virtual_cut_through or store_and_forward, or torus: classes");
  if (settings.torus == RingRule::bubble && settings.vc_reallocation == VcReallocation::atomic)
    throw ConfigError("vc_reallocation",
                      "a bubble moves along a ring only if a packet may enter a buffer behind "
                      "another, and atomic re-allocation waits until it is empty",
                      "use vc_reallocation: non_atomic, or torus: classes");
  check_stages(settings);
  PipelineParams pipeline;
  pipeline.arbitration = settings.arbitration;
  pipeline.vc_reallocation = settings.vc_reallocation;
  pipeline.switching = switching;
  pipeline.bubble = settings.torus == RingRule::bubble;
  pipeline.timing = settings.timing();
  if (settings.stages == StageModel::clocked) {
    pipeline.stages = stage_rule(settings);
    pipeline.timing = pipeline.stages->timing(pipeline.timing.traversal);
  }
  RouterModel model;
  model.timing = pipeline.timing;
  // Where packets lie whole in one buffer, those before a head leave it without help from
  // elsewhere.
  model.avoidance.serves_escape =
      switching != Switching::wormhole || settings.vc_reallocation == VcReallocation::atomic;
  model.switching = switching;
  model.avoidance.control.bubble = pipeline.bubble;
  model.needs = input_queued_needs(settings, switching, model.avoidance.serves_escape);
  model.supports.reports_passages = true;
  model.supports.ejects_packets = true;
  model.build = [pipeline](const char* name, const RouterSite& site) {
    return input_queued(name, pipeline, site);
  };
  return model;
}

}  // namespace flitwave
