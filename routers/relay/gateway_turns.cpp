// routers/relay/gateway_turns.cpp: see gateway_turns.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/relay/gateway_turns.hpp"

namespace flitwave {
namespace {

Arbitration arbitration_of(GatewayRule rule) {
  switch (rule) {
    case GatewayRule::fcfs:
      return Arbitration::first_come;  // served() is not called: the lowest wins a tie
    case GatewayRule::round_robin:
      return Arbitration::round_robin;
    case GatewayRule::fixed:
      break;
  }
  return Arbitration::fixed;
}

}  // namespace

GatewayTurns::GatewayTurns(GatewayRule rule, int units)
    : in_turn_(rule == GatewayRule::round_robin),
      arbiter_(arbitration_of(rule), units, Random(0, "none")) {}

}  // namespace flitwave
