// routers/relay/mhu/mhu.cpp: see mhu.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/relay/mhu/mhu.hpp"

namespace flitwave {

Mhu::Mhu(const sc_core::sc_module_name& name, const BlockParams& params, int port)
    : sc_module(name),
      outputs("outputs", static_cast<std::size_t>(params.outputs())),
      fault_tolerant_(params.fault_tolerant),
      controller_("controller", params, port == params.dimensions),
      input_("input", params),
      processing_("processing", params, port == params.dimensions),
      data_buffer_("data_buffer", params),
      output_("output", params, port),
      fld_("fld", bus_value(params.dimensions)),
      d_index_("d_index", bus_value(wires_for(static_cast<std::uint64_t>(params.capacity)))),
      k_reg_("k_reg", bus_value(params.dimensions)),
      sel_dim_("sel_dim", bus_value(params.dimensions)),
      sel_k_("sel_k", bus_value(params.dimensions)),
      sel_addr_("sel_addr", static_cast<std::size_t>(params.capacity), of_width(params.dimensions)),
      sel_ctrl_("sel_ctrl", bus_value(params.dimensions)),
      rd_ptr_("rd_ptr", static_cast<std::size_t>(params.outputs()),
              of_width(DataBufferModule::pointer_width(params))),
      rd_en_("rd_en", static_cast<std::size_t>(params.outputs())),
      dout_("dout", static_cast<std::size_t>(params.outputs()), of_width(params.dimensions)),
      avail_("avail", static_cast<std::size_t>(params.outputs())),
      ends_("ends", static_cast<std::size_t>(params.outputs())),
      level_("level", bus_value(DataBufferModule::pointer_width(params))) {
  connect_controller();
  connect_input();
  connect_processing();
  connect_buffer();
  connect_output();
  SC_METHOD(fill_buffer);
  sensitive << state_ << fld_d_ << fld_s_ << fld_data_ << type_;
}

void Mhu::connect_controller() {
  controller_.clk(clk);
  controller_.rts(received.rts);
  controller_.valid(received.valid);
  controller_.eom(received.eom);
  controller_.fld_s(fld_s_);
  controller_.msg_done(msg_done_);
  controller_.type(type_);
  controller_.term(term_);
  controller_.left(left_);
  controller_.all_done(all_done_);
  controller_.ack(received.ack);
  controller_.state(state_);
  controller_.cycle(cycle_);
  controller_.clear(clear_);
}

void Mhu::connect_input() {
  input_.clk(clk);
  input_.flit_i(received.flit);
  input_.valid_i(received.valid);
  input_.eom_i(received.eom);
  input_.state(state_);
  input_.k_reg(k_reg_);
  input_.is_bcast(is_bcast_);
  input_.clear(clear_);
  input_.fld_k(fld_k_);
  input_.fld_d(fld_d_);
  input_.fld_s(fld_s_);
  input_.fld_data(fld_data_);
  input_.fld(fld_);
  input_.d_index(d_index_);
  input_.hdr_done(hdr_done_);
  input_.msg_done(msg_done_);
}

void Mhu::connect_processing() {
  processing_.clk(clk);
  processing_.fld(fld_);
  processing_.fld_k(fld_k_);
  processing_.fld_d(fld_d_);
  processing_.fld_s(fld_s_);
  processing_.d_index(d_index_);
  processing_.local_addr(local_addr);
  processing_.fault_vector(fault_vector);
  processing_.cycle(cycle_);
  processing_.clear(clear_);
  processing_.type(type_);
  processing_.is_bcast(is_bcast_);
  processing_.k_reg(k_reg_);
  processing_.match(match_);
  processing_.term(term_);
  processing_.left(left_);
  processing_.sel_valid(sel_valid_);
  processing_.sel_dim(sel_dim_);
  processing_.sel_k(sel_k_);
  processing_.sel_addr(sel_addr_);
  processing_.sel_ctrl(sel_ctrl_);
  processing_.sel_copy(sel_copy_);
}

void Mhu::connect_buffer() {
  data_buffer_.clk(clk);
  data_buffer_.wr(wr_);
  data_buffer_.din(fld_);
  data_buffer_.last(received.eom);
  data_buffer_.clear(clear_);
  data_buffer_.closed(closed_);
  data_buffer_.rd_ptr(rd_ptr_);
  data_buffer_.rd_en(rd_en_);
  data_buffer_.dout(dout_);
  data_buffer_.avail(avail_);
  data_buffer_.ends(ends_);
  data_buffer_.level(level_);
  data_buffer_.empty(empty_);
}

void Mhu::connect_output() {
  output_.clk(clk);
  output_.state(state_);
  output_.sel_valid(sel_valid_);
  output_.sel_dim(sel_dim_);
  output_.sel_k(sel_k_);
  output_.sel_addr(sel_addr_);
  output_.sel_ctrl(sel_ctrl_);
  output_.sel_copy(sel_copy_);
  output_.k_reg(k_reg_);
  output_.type(type_);
  output_.is_bcast(is_bcast_);
  output_.dout(dout_);
  output_.avail(avail_);
  output_.ends(ends_);
  output_.rd_ptr(rd_ptr_);
  output_.rd_en(rd_en_);
  output_.all_done(all_done_);
  for (std::size_t b = 0; b < outputs.size(); ++b) output_.outputs[b].bind(outputs[b]);
}

int Mhu::selected() const {
  return sel_valid_.read() ? lowest_bit(cube_bits(sel_dim_.read())) : -1;
}

CubeNodes Mhu::selected_nodes() const {
  CubeNodes nodes;
  for (std::size_t i = 0; i < sel_k_.read().to_uint64(); ++i)
    nodes.push_back(cube_bits(sel_addr_[i].read()));
  return nodes;
}

/// The data, the source unless a control vector replaces it, and a list that does not fit into the
/// Store.
void Mhu::fill_buffer() {
  const bool list = fld_d_.read() && !type_.read();
  wr_.write(fld_data_.read() || list || (fld_s_.read() && !fault_tolerant_));
  closed_.write(state_of(state_.read()) == MhuState::output);
}

}  // namespace flitwave
