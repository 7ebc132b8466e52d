// modules/network_facts.hpp: a network and its load, against which the needs of routers are
// checked.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/schedule.hpp"
#include "algorithms/trace.hpp"
#include "algorithms/traffic.hpp"
#include "configs/error.hpp"
#include "configs/node.hpp"
#include "modules/packet/packet_format.hpp"
#include "modules/processor/processor_node.hpp"
#include "modules/router.hpp"

namespace flitwave {

/// A length of packets that a job sends.
struct PacketLength {
  static constexpr const char* of_operation = "operation.message";

  std::int64_t flits = 1;
  std::string key;  ///< The setting that determines it; "" for a line of a trace.
  Place place{};    ///< The position of the line of the trace.

  /// An error about packets of this length, to be thrown.
  ConfigError error(std::string problem, std::string remedy) const {
    return {place, key, std::move(problem), std::move(remedy)};
  }
};

/// A network and its load, as far as both are known. Needs are checked as soon as there are a
/// topology, a routing and routers, again for each schedule, and finally with all packets. All that
/// is referred to outlives the check.
struct NetworkFacts {
  const Topology& topology;  ///< With its faults.
  const RoutingFunction& routing;
  std::string routing_kind;       ///< Its name.
  ConfigNode routing_section;     ///< The section of the job, or its default.
  bool routing_written = false;   ///< Whether the job has this section.
  bool routing_has_rule = false;  ///< Whether a routing of this kind has the parameter `vc_rule`.
  const ChannelParams& channel;
  const NodeParams& node;
  const PacketFormatParams& packet_format;
  Duration period;
  std::uint64_t seed = 1;
  std::vector<const RouterModel*> routers{};  ///< Each model that a node uses, once.
  bool overrides = false;                     ///< Whether nodes may have different models.
  bool allow_deadlock = false;
  int message_classes = 1;  ///< 2: requests and replies have virtual channels of their own.
  int reply_queue = 0;      ///< Requests that an interface holds until replied to; 0: any number.

  // The load.
  const TrafficPattern* pattern = nullptr;  ///< Of open-loop packets, or null.
  const Trace* trace = nullptr;
  const Schedule* schedule = nullptr;    ///< Of a collective, or null.
  const PacketFormat* format = nullptr;  ///< Null until all lengths are known.
  /// Each length once for each setting, except for schedules that are not simulated.
  std::optional<std::vector<PacketLength>> lengths{};
};

/// Checks the needs of every router, then the needs of the model.
/// Throws: ConfigError on the setting that violates a need, with a path from the top of the job; it
///   has a position only if that is in another file.
void check_needs(const RouterModel& model, const NetworkFacts& facts);

}  // namespace flitwave
