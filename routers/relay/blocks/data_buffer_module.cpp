// routers/relay/blocks/data_buffer_module.cpp: see data_buffer_module.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/relay/blocks/data_buffer_module.hpp"

#include <algorithm>
#include <string>

#include "configs/error.hpp"

namespace flitwave {

int DataBufferModule::pointer_width(const BlockParams& params) {
  return wires_for(static_cast<std::uint64_t>(params.buffer()));
}

DataBufferModule::DataBufferModule(const sc_core::sc_module_name& name, const BlockParams& params)
    : sc_module(name),
      rd_ptr("rd_ptr", static_cast<std::size_t>(params.outputs())),
      rd_en("rd_en", static_cast<std::size_t>(params.outputs())),
      dout("dout", static_cast<std::size_t>(params.outputs())),
      avail("avail", static_cast<std::size_t>(params.outputs())),
      ends("ends", static_cast<std::size_t>(params.outputs())),
      capacity_(static_cast<std::size_t>(params.buffer())),
      written_("written", bus_value(pointer_width(params))) {
  SC_METHOD(write);
  sensitive << clk.pos();
  dont_initialize();
  SC_METHOD(read);
  sensitive << written_ << whole_;
  for (BusIn& pointer : rd_ptr) sensitive << pointer;
  SC_METHOD(drive_level);
  sensitive << written_ << closed;
  for (BusIn& pointer : rd_ptr) sensitive << pointer;
  for (WireIn& open : rd_en) sensitive << open;
}

void DataBufferModule::write() {
  high_water_ = std::max<std::uint64_t>(high_water_, level.read().to_uint64());
  if (clear.read()) {
    drive(written_, 0);
    whole_.write(false);
  } else if (wr.read()) {
    const std::size_t position = written();
    if (position == capacity_)
      throw ModelError(std::string(name()) + ": a message is longer than the buffer, which has " +
                       "room for " + std::to_string(capacity_) + " fields");
    memory_.resize(std::max(memory_.size(), position + 1));
    memory_[position] = cube_bits(din.read());
    drive(written_, position + 1);
    whole_.write(last.read());
  }
}

void DataBufferModule::read() {
  for (std::size_t b = 0; b < dout.size(); ++b) {
    const std::uint64_t next = rd_ptr[b].read().to_uint64();
    const bool there = next < written();
    drive(dout[b], there ? memory_[next] : 0);
    avail[b].write(there);
    ends[b].write(there && whole_.read() && next + 1 == written());
  }
}

void DataBufferModule::drive_level() {
  std::uint64_t left = closed.read() ? written() : 0;
  for (std::size_t b = 0; b < rd_en.size(); ++b)
    if (rd_en[b].read()) left = std::min<std::uint64_t>(left, rd_ptr[b].read().to_uint64());
  const std::uint64_t inside = written() - left;
  drive(level, inside);
  empty.write(inside == 0);
}

}  // namespace flitwave
