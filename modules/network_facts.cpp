// modules/network_facts.cpp: see network_facts.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/network_facts.hpp"

namespace flitwave {

namespace {

/// The handshakes `acknowledge` and `request` each need routers of their kind.
void check_handshake(const RouterModel& model, const NetworkFacts& facts) {
  const Handshake handshake = facts.channel.handshake;
  if (handshake == Handshake::acknowledge && model.switching != Switching::circuit)
    throw ConfigError("router",
                      "the acknowledge handshake is for circuits; packet-buffering routers cannot "
                      "share channels with circuits",
                      "use kind: circuit for all routers, or another handshake");
  if (handshake == Handshake::request && !model.supports.requests)
    throw ConfigError(
        "router",
        "the request handshake needs routers of one kind, which reads the destination "
        "lists of messages",
        "use kind: greedy_multicast for all nodes, without overrides, or another "
        "channel.handshake");
}

}  // namespace

void check_needs(const RouterModel& model, const NetworkFacts& facts) {
  check_handshake(model, facts);
  if (model.needs) model.needs(facts);
}

}  // namespace flitwave
