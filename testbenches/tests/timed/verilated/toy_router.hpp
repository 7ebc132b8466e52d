// testbenches/tests/timed/verilated/toy_router.hpp: a router with pins, in C++, with planted
// faults.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "routers/verilated/pin_frame.hpp"
#include "routers/verilated/router_design.hpp"

namespace flitwave::test {

/// What is wrong with a toy router.
enum class ToyFault {
  none,
  no_credit,       ///< It sends without credit; under ready_valid, as if ready were high.
  no_channel,      ///< It sends a flit by a port without a channel.
  credit_twice,    ///< It returns a credit a second time.
  credit_lost,     ///< It does not return a credit.
  unknown_tag,     ///< It changes a tag to one that no flit has.
  changed_field,   ///< It changes a bit of a payload.
  changed_source,  ///< It changes a number.
  body_on_other_vc,
  head_on_missing_vc,
  wrong_output,
  lost_flit,    ///< It drops a body flit.
  lost_packet,  ///< It drops a packet.
  sent_twice,
  reordered,  ///< It swaps two flits of a packet.
  never_ready,
  falling_ready,   ///< It lowers ready without a flit.
  withdrawn,       ///< It withdraws an offer that was not accepted.
  moved_offer,     ///< It offers a flit that was not accepted on another virtual channel.
  combinational,   ///< A credit depends on an input in the same cycle.
  unknown_valid,   ///< X on a valid; on pins only.
  high_impedance,  ///< Z on a credit; on pins only.
  valid_in_reset,  ///< Reset does not clear valid.
};

struct ToyParams {
  Handshake handshake = Handshake::credit;
  int vcs = 1;
  int depth = 4;
  ToyFault fault = ToyFault::none;
  int after = 10;  ///< Number of flits that are sent before the fault.
};

/// A wormhole router for look-ahead routing: the field `route` names its output, and packets keep
/// their virtual channel. The lowest input wins an output. Four network ports and a local one.
///
/// Flits have 80 bits, and the pins of a direction are vectors.
RouterDesign toy_router(const std::string& name, const ToyParams& params);

/// While it lives, `model: NAME` is a toy router.
class ToyModel {
 public:
  ToyModel(const std::string& name, const ToyParams& params) : name_(name) {
    RouterDesigns::add(toy_router(name, params));
  }
  ~ToyModel() { RouterDesigns::remove(name_); }
  ToyModel(const ToyModel&) = delete;
  ToyModel& operator=(const ToyModel&) = delete;

 private:
  std::string name_;
};

}  // namespace flitwave::test
