// algorithms/cube_multicast/relay/relay_settings.cpp: see relay_settings.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cube_multicast/relay/relay_settings.hpp"

#include "configs/error.hpp"

namespace flitwave {

std::vector<std::string> names_of(RelayPreset) { return {"none", "proto_mhu_q3"}; }
std::vector<std::string> names_of(RelayDetail) { return {"compact", "blocks"}; }
std::vector<std::string> names_of(MessageBuffers) { return {"faithful", "hop_classes"}; }
std::vector<std::string> names_of(Grant) { return {"acknowledged", "requested"}; }
std::vector<std::string> names_of(GatewayRule) { return {"fcfs", "round_robin", "fixed"}; }
std::vector<std::string> names_of(Relaying) {
  return {"relay", "virtual_cut_through", "store_and_forward"};
}
std::vector<std::string> names_of(StoredDelivery) { return {"stored", "arriving"}; }
std::vector<std::string> names_of(Selecting) { return {"overlapped", "sequential"}; }
std::vector<std::string> names_of(Branching) { return {"parallel", "serial"}; }

RelayRules RelaySettings::rules(const Cube& cube, std::uint64_t seed) const {
  return {capacity, fault_tolerant, broadcaster, tie_rule_of(ties, script, cube, seed)};
}

int RelaySettings::field_flits(int dimensions) const {
  const std::string bits = std::to_string(dimensions);
  if (link_bits > dimensions)
    throw ConfigError("link_bits",
                      "a field has " + bits + " bits; a link cannot carry more in a cycle",
                      "set router.link_bits to " + bits + " or less, or leave it out");
  return link_bits == 0 ? field : (dimensions + link_bits - 1) / link_bits;
}

}  // namespace flitwave
