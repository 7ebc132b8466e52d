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
                "merged: delays are least times, after which all decisions are made in one cycle; "
                "clocked: route, vc and switch are stages that accept all waiting requests and are "
                "busy for their delay, so that vc_delay and switch_delay are at least 1")
      .optional("allocator", &P::allocator,
                "how virtual channels and the switch are allocated; merged stages are "
                "separable_input_first: a head selects one virtual channel and an input one of its "
                "packets before outputs choose; clocked stages match all requests")
      .optional(
          "iterations", &P::iterations,
          "iterations after the first match the remaining requests; more than 1 needs clocked "
          "stages",
          between(1, 16))
      .optional(
          "speculative", &P::speculative,
          "a head requests the switch while it requests a virtual channel, with lower priority "
          "than all others; without one its passage is lost; needs clocked stages")
      .optional("arbitration", &P::arbitration,
                "which of several packets gets a virtual channel or the switch")
      .optional(
          "vc_reallocation", &P::vc_reallocation,
          "when a virtual channel may be allocated to the next packet; atomic needs the credit "
          "handshake")
      .optional(
          "torus", &P::torus,
          "how deadlock of rings is avoided; bubble: a packet enters a ring only with two free "
          "packet slots, which needs whole packets in buffers (virtual_cut_through or "
          "store_and_forward), credits and one virtual channel");
}

namespace {

void check_stages(const PipelineSettings& settings) {
  const auto reject = [](const char* key, const char* problem) {
    throw ConfigError(key, problem, "set stages: clocked");
  };
  if (settings.stages == StageModel::merged) {
    if (settings.speculative) reject("speculative", "merged stages have nothing to speculate on");
    if (settings.iterations > 1)
      reject("iterations",
             "in merged stages every head selects one request, so that a second "
             "iteration would have none");
    if (settings.allocator != AllocatorKind::separable_input_first)
      reject("allocator", "in merged stages inputs choose before outputs");
    return;
  }
  if (settings.preset != Preset::pipelined)
    throw ConfigError("preset", "clocked stages need delays; single_cycle has none",
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
    throw ConfigError(
        "torus",
        "bubble flow control needs whole packets in buffers; wormhole packets span several buffers",
        "use kind: virtual_cut_through or store_and_forward, or torus: classes");
  if (settings.torus == RingRule::bubble && settings.vc_reallocation == VcReallocation::atomic)
    throw ConfigError("vc_reallocation",
                      "bubble flow control needs buffers that a packet can enter behind another; "
                      "atomic re-allocation waits until the buffer is empty",
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
  // Where one buffer holds whole packets, the packets before a head can leave it independently of
  // other buffers.
  model.avoidance.serves_escape =
      switching != Switching::wormhole || settings.vc_reallocation == VcReallocation::atomic;
  model.switching = switching;
  model.avoidance.control.bubble = pipeline.bubble;
  model.needs = input_queued_needs(settings, switching, model.avoidance.serves_escape);
  model.supports.reports_passages = true;
  model.supports.ejects_packets = true;
  model.supports.transactions = !pipeline.bubble;
  model.reallocation = settings.vc_reallocation;
  model.build = [pipeline](const char* name, const RouterSite& site) {
    return input_queued(name, pipeline, site);
  };
  return model;
}

}  // namespace flitwave
