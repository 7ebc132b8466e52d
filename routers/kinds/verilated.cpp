// routers/kinds/verilated.cpp: a router in RTL in the place of one in C++.
// SPDX-License-Identifier: Apache-2.0
#include "routers/verilated/verilated_model.hpp"

namespace flitwave {

/// A design that was written in Verilog, or in SystemC with pins; all that leaves it is checked.
void register_verilated(Routers& routers) {
  routers.add("verilated",
              {"a router in RTL, whose flits and credits are checked as they leave",
               "",
               {"{kind: verilated, model: wormhole_1vc}"},
               why_no_designs()},
              verilated_schema(), verilated_model);
  routers.add_completion<VerilatedSettings>("verilated", read_compared);
}

}  // namespace flitwave
