// testbenches/waves/channel_state.hpp: what a channel does in a cycle, as a wave shows it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace flitwave {

/// What a channel does in a cycle, or why it does nothing; of several reasons the last in this
/// list, so that a channel is blocked only if nothing is about to move.
enum class ChannelState : std::uint8_t {
  idle,              ///< No flit at the sender has, or waits for, a virtual channel of it.
  waiting_for_vc,    ///< A head waits, since others hold the virtual channels that it could take.
  no_credit,         ///< The buffer behind the virtual channel is full; its flit waits.
  lost_arbitration,  ///< A flit could cross the switch, but others did.
  pipeline,          ///< A flit for it is in a stage of the router.
  moving,            ///< A flit is on its wires, and is taken.
};
inline std::vector<std::string> names_of(ChannelState) {
  return {"idle", "waiting_for_vc", "no_credit", "lost_arbitration", "pipeline", "moving"};
}

/// Whether flits wait that cannot move.
inline bool is_blocked(ChannelState state) {
  return state == ChannelState::waiting_for_vc || state == ChannelState::no_credit ||
         state == ChannelState::lost_arbitration;
}

}  // namespace flitwave
