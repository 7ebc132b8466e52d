// routers/parts/stage_delays.hpp: the delays of the stages of a router, as parameters of jobs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "configs/schema.hpp"
#include "modules/passage.hpp"

namespace flitwave {

/// Named sets of delays.
enum class Preset { pipelined, single_cycle };
std::vector<std::string> names_of(Preset);

/// The pipeline parameters of a router.
struct StageDelays {
  Preset preset = Preset::pipelined;
  Cycles route_delay{1};
  Cycles vc_delay{1};
  Cycles switch_delay{1};
  Cycles traversal_delay{1};

  /// Throws ConfigError at a delay beside single_cycle, if it is not the default.
  PipelineTiming timing() const;
};

/// Descriptions of the delays.
struct StageSentences {
  const char* route = "time from a head at the front of its buffer to its route";
  const char* vc = "time from the route to a virtual channel";  ///< Null: no such stage.
  const char* passage =
      "time from a virtual channel (head) or the buffer (body) to leaving the buffer";
  const char* traversal = "time from leaving the buffer to the wires";
};

/// Adds the delays to the schema of `Params`, which is derived from StageDelays.
template <class Params>
Schema<Params> with_delays(Schema<Params> schema, const StageSentences& sentences = {}) {
  using P = Params;
  const Range range = between(0, 64);
  const auto add = [&](const char* name, Cycles StageDelays::*delay, const char* sentence) {
    std::move(schema).optional(name, delay, sentence, range);  // adds to the schema itself
  };
  add("route_delay", &P::route_delay, sentences.route);
  if (sentences.vc) add("vc_delay", &P::vc_delay, sentences.vc);
  add("switch_delay", &P::switch_delay, sentences.passage);
  add("traversal_delay", &P::traversal_delay, sentences.traversal);
  return schema;
}

/// Adds the preset, then the delays.
template <class Params>
Schema<Params> with_preset_and_delays(Schema<Params> schema) {
  return with_delays(std::move(schema).optional(
      "preset", &Params::preset,
      "single_cycle: all four delays are 0, so that a hop takes the channel's latency; "
      "pipelined: the delays below"));
}

}  // namespace flitwave
