// routers/relay/mhu/input_module.cpp: see input_module.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/relay/mhu/input_module.hpp"

#include <algorithm>
#include <string>

#include "configs/error.hpp"
#include "routers/relay/mhu/mhu_controller.hpp"

namespace flitwave {

InputModule::InputModule(const sc_core::sc_module_name& name, const BlockParams& params)
    : sc_module(name),
      params_(params),
      fields_("fields", bus_value(wires_for(static_cast<std::uint64_t>(params.everybody()) + 2))) {
  SC_METHOD(distribute);
  sensitive << flit_i << valid_i << k_reg << is_bcast << fields_;
  SC_METHOD(count);
  sensitive << clk.pos();
  dont_initialize();
}

void InputModule::distribute() {
  const std::uint64_t number = fields_.read().to_uint64();
  const bool arrives = valid_i.read();
  const bool address = number >= 1 && number <= addresses();
  fld_k.write(arrives && number == 0);
  fld_d.write(arrives && address);
  fld_s.write(arrives && number == addresses() + 1);
  fld_data.write(arrives && number > addresses() + 1);
  drive(d_index, address
                     ? std::min<std::uint64_t>(number, static_cast<std::uint64_t>(params_.capacity))
                     : 0);
  fld.write(flit_i.read());
}

void InputModule::count() {
  if (clear.read()) {
    drive(fields_, 0);
    hdr_done.write(false);
    msg_done.write(false);
  } else if (valid_i.read()) {
    require_order();
    if (!fld_data.read()) drive(fields_, fields_.read().to_uint64() + 1);
    if (fld_s.read()) hdr_done.write(true);
    if (eom_i.read()) msg_done.write(true);
  }
}

void InputModule::require_order() const {
  const std::string here = std::string(name()) + ": ";
  if (state_of(state.read()) == MhuState::wait || msg_done.read())
    throw ModelError(here + "a field arrived that was not requested");
  if (!eom_i.read() || fld_data.read()) return;
  if (!fld_s.read())
    throw ModelError(here + "header.k: the message ends before the fields that k announces");
  if (params_.fault_tolerant)
    throw ModelError(here + "data: a message without data has nothing to deliver");
}

}  // namespace flitwave
