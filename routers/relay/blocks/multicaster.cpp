// routers/relay/blocks/multicaster.cpp: see multicaster.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/relay/blocks/multicaster.hpp"

#include <string>

#include "algorithms/cube_multicast/relay/blocks.hpp"

namespace flitwave {
namespace {

template <class Wide>
std::vector<Wide> levels(const BusIns& buses) {
  std::vector<Wide> all;
  for (const BusIn& bus : buses) all.push_back(static_cast<Wide>(bus.read().to_uint64()));
  return all;
}

void follow(sc_core::sc_sensitive& sensitive, BusIns& buses) {
  for (BusIn& bus : buses) sensitive << bus;
}

}  // namespace

Decr::Decr(const sc_core::sc_module_name& name) : sc_module(name) {
  SC_METHOD(decode);
  sensitive << a_col;
}

void Decr::decode() { drive(c, count_lines(a_col.read().to_uint64())); }

DecrFT::DecrFT(const sc_core::sc_module_name& name, int dimension)
    : sc_module(name), dimension_(dimension) {
  SC_METHOD(decode);
  sensitive << a_col << f;
}

void DecrFT::decode() {
  drive(c, count_lines(a_col.read().to_uint64(), has_bit(cube_bits(f.read()), dimension_)));
}

Maxc::Maxc(const sc_core::sc_module_name& name, const BlockParams& params)
    : sc_module(name), c("c", static_cast<std::size_t>(params.dimensions)) {
  SC_METHOD(compare);
  follow(sensitive, c);
}

void Maxc::compare() {
  const Fullest fullest = fullest_column(levels<Lines>(c));
  drive(s_star, fullest.found);
  drive(s, fullest.highest);
}

Clms::Clms(const sc_core::sc_module_name& name, const BlockParams& params)
    : sc_module(name), c("c", static_cast<std::size_t>(params.dimensions)) {
  SC_METHOD(select);
  follow(sensitive, c);
  sensitive << s;
}

void Clms::select() {
  const ColumnSelect column = select_column(levels<Lines>(c), s.read().to_uint64());
  drive(y_star, column.fullest);
  drive(y, column.lowest);
}

Adsc::Adsc(const sc_core::sc_module_name& name, const BlockParams& params)
    : sc_module(name), a("a", static_cast<std::size_t>(params.capacity)) {
  SC_METHOD(select);
  follow(sensitive, a);
  sensitive << y;
}

void Adsc::select() { drive(r, select_rows(levels<CubeBits>(a), cube_bits(y.read()))); }

Multicaster::Multicaster(const sc_core::sc_module_name& name, const BlockParams& params)
    : sc_module(name),
      a("a", static_cast<std::size_t>(params.capacity)),
      column("column", static_cast<std::size_t>(params.dimensions)),
      maxc_("maxc", params),
      clms_("clms", params),
      adsc_("adsc", params),
      c_("c", static_cast<std::size_t>(params.dimensions), of_width(params.capacity + 1)),
      s_star_("s_star", bus_value(params.capacity + 1)),
      s_("s", bus_value(params.capacity + 1)),
      y_star_("y_star", bus_value(params.dimensions)) {
  build_decoders(params);
  maxc_.c(c_);
  maxc_.s_star(s_star_);
  maxc_.s(s_);
  clms_.c(c_);
  clms_.s(s_);
  clms_.y_star(y_star_);
  clms_.y(y);
  adsc_.a(a);
  adsc_.y(y);
  adsc_.r(r);
  SC_METHOD(lead_out);
  sensitive << s_ << r << cycle;
  SC_METHOD(latch);
  sensitive << clk.pos();
  dont_initialize();
}

void Multicaster::build_decoders(const BlockParams& params) {
  for (int j = 0; j < params.dimensions; ++j) {
    const auto dimension = static_cast<std::size_t>(j);
    const std::string decr_name = "decr_" + std::to_string(j);
    if (params.fault_tolerant) {
      auto decr = std::make_unique<DecrFT>(decr_name.c_str(), j);
      decr->a_col(column[dimension]);
      decr->f(fault_vector);
      decr->c(c_[dimension]);
      decr_.push_back(std::move(decr));
    } else {
      auto decr = std::make_unique<Decr>(decr_name.c_str());
      decr->a_col(column[dimension]);
      decr->c(c_[dimension]);
      decr_.push_back(std::move(decr));
    }
  }
}

void Multicaster::lead_out() {
  const bool none = Fullest{0, s_.read().to_uint64()}.terminates();
  term.write(none);
  drive(row_clear, cycle.read() && !none ? r.read().to_uint64() : 0);
}

void Multicaster::latch() {
  if (!cycle.read() || term.read()) return;
  y_q.write(y.read());
  r_q.write(r.read());
}

}  // namespace flitwave
