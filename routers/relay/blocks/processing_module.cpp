// routers/relay/blocks/processing_module.cpp: see processing_module.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/relay/blocks/processing_module.hpp"

namespace flitwave {

ProcessingModule::ProcessingModule(const sc_core::sc_module_name& name, const BlockParams& params,
                                   bool local)
    : sc_module(name),
      sel_addr("sel_addr", static_cast<std::size_t>(params.capacity)),
      input_port_("input_port", params, local),
      store_("store", params),
      type_checker_("type_checker", params),
      matching_checker_("matching_checker"),
      multicaster_("multicaster", params),
      output_port_("output_port", params, local),
      rel_("rel", bus_value(params.dimensions)),
      a_("a", static_cast<std::size_t>(params.capacity), of_width(params.dimensions)),
      column_("column", static_cast<std::size_t>(params.dimensions), of_width(params.capacity)),
      a_s_("a_s", bus_value(params.dimensions)),
      y_("y", bus_value(params.dimensions)),
      r_("r", bus_value(params.capacity)),
      row_clear_("row_clear", bus_value(params.capacity)),
      y_q_("y_q", bus_value(params.dimensions)),
      r_q_("r_q", bus_value(params.capacity)),
      g_("g", bus_value(params.dimensions)),
      control_o_("control_o",
                 static_cast<std::size_t>(params.fault_tolerant ? params.dimensions : 0),
                 of_width(params.dimensions)),
      next_("next", bus_value(params.dimensions)) {
  connect_inputs();
  connect_multicaster();
  connect_broadcaster(params);
  connect_output();
  SC_METHOD(enable_rows);
  sensitive << fld_d << type;
}

void ProcessingModule::connect_inputs() {
  input_port_.fld(fld);
  input_port_.fld_s(fld_s);
  input_port_.type(type);
  input_port_.local_addr(local_addr);
  input_port_.rel(rel_);
  store_.clk(clk);
  store_.rel(rel_);
  store_.we_d(we_d_);
  store_.d_index(d_index);
  store_.we_s(fld_s);
  store_.row_clear(row_clear_);
  store_.clear_all(clear);
  store_.a(a_);
  store_.column(column_);
  store_.a_s(a_s_);
  type_checker_.clk(clk);
  type_checker_.fld(fld);
  type_checker_.fld_k(fld_k);
  type_checker_.type(type);
  type_checker_.k_reg(k_reg);
  type_checker_.is_bcast(is_bcast);
  matching_checker_.clk(clk);
  matching_checker_.rel(rel_);
  matching_checker_.fld_d(fld_d);
  matching_checker_.clear(clear);
  matching_checker_.match(match);
}

void ProcessingModule::connect_multicaster() {
  multicaster_.clk(clk);
  multicaster_.a(a_);
  multicaster_.column(column_);
  multicaster_.fault_vector(fault_vector);
  multicaster_.cycle(cycle);
  multicaster_.y(y_);
  multicaster_.r(r_);
  multicaster_.row_clear(row_clear_);
  multicaster_.y_q(y_q_);
  multicaster_.r_q(r_q_);
  multicaster_.term(term);
}

void ProcessingModule::connect_broadcaster(const BlockParams& params) {
  if (!params.broadcaster) return;
  if (params.fault_tolerant) {
    broadcaster_ft_ = std::make_unique<BroadcasterFT>("broadcaster", params);
    broadcaster_ft_->control_i(a_s_);
    broadcaster_ft_->f(fault_vector);
    broadcaster_ft_->send(g_);
    broadcaster_ft_->control_o(control_o_);
  } else {
    broadcaster_ = std::make_unique<Broadcaster>("broadcaster", params);
    broadcaster_->a_s(a_s_);
    broadcaster_->g(g_);
  }
  sequencer_ = std::make_unique<FlagSequencer>("sequencer", params);
  sequencer_->clk(clk);
  sequencer_->flags(g_);
  sequencer_->cycle(cycle);
  sequencer_->clear(clear);
  sequencer_->next(next_);
  sequencer_->left(left);
}

void ProcessingModule::connect_output() {
  output_port_.clk(clk);
  output_port_.cycle(cycle);
  output_port_.clear(clear);
  output_port_.type(type);
  output_port_.is_bcast(is_bcast);
  output_port_.match(match);
  output_port_.term(term);
  output_port_.y(y_);
  output_port_.r(r_);
  output_port_.a(a_);
  output_port_.a_s(a_s_);
  output_port_.next(next_);
  if (control_o_.size() > 0) output_port_.control_o(control_o_);
  output_port_.local_addr(local_addr);
  output_port_.sel_valid(sel_valid);
  output_port_.sel_dim(sel_dim);
  output_port_.sel_k(sel_k);
  output_port_.sel_addr(sel_addr);
  output_port_.sel_ctrl(sel_ctrl);
  output_port_.sel_copy(sel_copy);
}

void ProcessingModule::enable_rows() { we_d_.write(fld_d.read() && type.read()); }

}  // namespace flitwave
