// routers/relay/blocks/selection_port.cpp: see selection_port.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/relay/blocks/selection_port.hpp"

#include "algorithms/cube_multicast/relay/blocks.hpp"

namespace flitwave {

SelectionPort::SelectionPort(const sc_core::sc_module_name& name, const BlockParams& params,
                             bool local)
    : sc_module(name),
      a("a", static_cast<std::size_t>(params.capacity)),
      control_o("control_o",
                static_cast<std::size_t>(params.fault_tolerant ? params.dimensions : 0)),
      sel_addr("sel_addr", static_cast<std::size_t>(params.capacity)),
      fault_tolerant_(params.fault_tolerant),
      local_(local) {
  SC_METHOD(hand_over);
  sensitive << clk.pos();
  dont_initialize();
}

void SelectionPort::hand_over() {
  const bool ends = cycle.read() && !clear.read();
  const bool list = ends && type.read() && !term.read();
  const bool flag = ends && !type.read() && next.read() != 0;
  const bool copy = ends && !copied_.read() && wants_copy();
  sel_valid.write(list || flag);
  sel_copy.write(copy);
  copied_.write(!clear.read() && (copied_.read() || copy));
  if (list) hand_over_list();
  if (flag) hand_over_flag();
}

bool SelectionPort::wants_copy() const {
  if (!is_bcast.read()) return match.read();
  return fault_tolerant_ ? !local_ : a_s.read() != 0;
}

void SelectionPort::hand_over_list() {
  StoreContents store;
  for (const BusIn& row : a) store.rows.push_back(cube_bits(row.read()));
  const CubeNodes addresses =
      output_port(store, r.read().to_uint64(), cube_bits(local_addr.read()));
  sel_dim.write(y.read());
  drive(sel_k, addresses.size());
  for (std::size_t i = 0; i < sel_addr.size(); ++i)
    drive(sel_addr[i], i < addresses.size() ? addresses[i] : 0);
  sel_ctrl.write(a_s.read());
}

void SelectionPort::hand_over_flag() {
  sel_dim.write(next.read());
  drive(sel_k, 0);
  if (!fault_tolerant_) return;
  const auto dimension = static_cast<std::size_t>(lowest_bit(cube_bits(next.read())));
  sel_ctrl.write(control_o[dimension].read());
}

}  // namespace flitwave
