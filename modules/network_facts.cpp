// modules/network_facts.cpp: see network_facts.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/network_facts.hpp"

namespace flitwave {

namespace {

/// The handshakes of circuits and of messages that are requested as a whole are for their routers.
void check_handshake(const RouterModel& model, const NetworkFacts& facts) {
  const Handshake handshake = facts.channel.handshake;
  if (handshake == Handshake::acknowledge && model.switching != Switching::circuit)
    throw ConfigError("router",
                      "the handshake acknowledge is that of circuits, and routers that buffer "
                      "packets cannot share channels with them",
                      "use kind: circuit for all routers, or another handshake");
  if (handshake == Handshake::request && !model.supports.requests)
    throw ConfigError("router",
                      "messages that are requested and list their destinations need routers that "
                      "all read these lists alike",
                      "use kind: greedy_multicast for all nodes, without overrides, or another "
                      "channel.handshake");
}

}  // namespace

void check_needs(const RouterModel& model, const NetworkFacts& facts) {
  check_handshake(model, facts);
  if (model.needs) model.needs(facts);
}

}  // namespace flitwave
