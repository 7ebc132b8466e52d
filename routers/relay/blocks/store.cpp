// routers/relay/blocks/store.cpp: see store.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/relay/blocks/store.hpp"

#include "configs/error.hpp"

namespace flitwave {

AddressInputPort::AddressInputPort(const sc_core::sc_module_name& name, const BlockParams& params,
                                   bool local)
    : sc_module(name), params_(params), local_(local) {
  SC_METHOD(compare);
  sensitive << fld << fld_s << type << local_addr;
}

void AddressInputPort::compare() {
  if (!params_.fault_tolerant || !fld_s.read())
    drive(rel, cube_bits(fld.read()) ^ cube_bits(local_addr.read()));
  else if (local_ && !type.read())
    drive(rel, static_cast<CubeBits>(params_.everybody()));
  else
    drive(rel, cube_bits(fld.read()));
}

Store::Store(const sc_core::sc_module_name& name, const BlockParams& params)
    : sc_module(name),
      a("a", static_cast<std::size_t>(params.capacity)),
      column("column", static_cast<std::size_t>(params.dimensions)),
      gives_up_(params.gives_up),
      contents_{std::vector<CubeBits>(static_cast<std::size_t>(params.capacity)), 0} {
  SC_METHOD(write);
  sensitive << clk.pos();
  dont_initialize();
}

void Store::write() {
  if (clear_all.read()) {
    for (std::size_t i = 0; i < contents_.rows.size(); ++i)
      if (!gives_up_ && contents_.rows[i] != 0)
        throw ModelError(std::string(name()) + ": undeliverable: the destination in row " +
                         std::to_string(i + 1) + " is a faulty neighbour");
    contents_ = {std::vector<CubeBits>(contents_.rows.size(), 0), 0};
  } else {
    clear_rows(contents_, row_clear.read().to_uint64());
    if (we_d.read()) contents_.rows.at(d_index.read().to_uint64() - 1) = cube_bits(rel.read());
    if (we_s.read()) contents_.source = cube_bits(rel.read());
  }
  lead_out();
}

void Store::lead_out() {
  for (std::size_t i = 0; i < a.size(); ++i) drive(a[i], contents_.rows[i]);
  for (std::size_t j = 0; j < column.size(); ++j)
    drive(column[j], select_rows(contents_.rows, bit(static_cast<int>(j))));
  drive(a_s, contents_.source);
}

}  // namespace flitwave
