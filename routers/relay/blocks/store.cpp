// routers/relay/blocks/store.cpp: see store.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/relay/blocks/store.hpp"

#include <string>
#include <vector>

#include "algorithms/cube_multicast/relay/blocks.hpp"
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
      gives_up_(params.gives_up) {
  SC_METHOD(write);
  sensitive << clk.pos();
  dont_initialize();
  SC_METHOD(lead_out);
  for (BusOut& row : a) sensitive << row;
}

void Store::write() {
  if (clear_all.read()) return forget();
  const std::uint64_t served = row_clear.read().to_uint64();
  for (std::size_t i = 0; i < a.size(); ++i)
    if ((served >> i & 1) != 0) drive(a[i], 0);
  if (we_d.read()) a.at(d_index.read().to_uint64() - 1).write(rel.read());
  if (we_s.read()) a_s.write(rel.read());
}

void Store::forget() {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!gives_up_ && a[i].read() != 0)
      throw ModelError(std::string(name()) + ": undeliverable: the destination in row " +
                       std::to_string(i + 1) + " is a faulty neighbour");
    drive(a[i], 0);
  }
  drive(a_s, 0);
}

void Store::lead_out() {
  std::vector<CubeBits> rows;
  for (const BusOut& row : a) rows.push_back(cube_bits(row.read()));
  for (std::size_t j = 0; j < column.size(); ++j)
    drive(column[j], select_rows(rows, bit(static_cast<int>(j))));
}

}  // namespace flitwave
