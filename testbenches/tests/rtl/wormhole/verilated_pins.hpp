// testbenches/tests/rtl/wormhole/verilated_pins.hpp: a verilated top module as RouterPins.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>
#include <verilated.h>

#include "testbenches/tests/rtl/wormhole/router_pins.hpp"

namespace flitwave::rtl_test {

/// `width` bits of a port from bit `lsb` on. Verilator stores ports least byte first.
template <class Port>
std::uint64_t bits_of(const Port& port, int lsb, int width) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(&port);
  std::uint64_t value = 0;
  for (int i = 0; i < width; ++i)
    value |= static_cast<std::uint64_t>(bytes[(lsb + i) / 8] >> (lsb + i) % 8 & 1) << i;
  return value;
}

template <class Port>
void set_bits(Port& port, int lsb, int width, std::uint64_t value) {
  auto* bytes = reinterpret_cast<unsigned char*>(&port);
  for (int i = 0; i < width; ++i) {
    const int mask = 1 << (lsb + i) % 8;
    unsigned char& byte = bytes[(lsb + i) / 8];
    byte = static_cast<unsigned char>((value >> i & 1) != 0 ? byte | mask : byte & ~mask);
  }
}

/// `Top`: the class that Verilator generated for a wormhole router.
template <class Top, bool ReadyValid>
class VerilatedPins final : public RouterPins {
 public:
  VerilatedPins(const RouterParameters& parameters, int seed) : parameters_(parameters) {
    context_->randReset(2);  // registers begin with random values
    context_->randSeed(seed);
    Verilated::threadContextp(context_.get());
    top_ = std::make_unique<Top>(context_.get());
    clear_inputs();
  }

  void set_reset(bool high) override { top_->reset = high; }
  void set_position(std::uint64_t here, std::uint64_t size) override {
    const int width = parameters_.dimensions * parameters_.coordinate_width;
    set_bits(top_->here, 0, width, here);
    set_bits(top_->size, 0, width, size);
  }

  void set_input(int port, bool valid, std::uint64_t flit) override {
    set_bits(top_->in_valid, port, 1, valid ? 1 : 0);
    set_bits(top_->in_flit, port * parameters_.flit_width, parameters_.flit_width, flit);
  }
  bool out_valid(int port) const override { return bits_of(top_->out_valid, port, 1) != 0; }
  std::uint64_t out_flit(int port) const override {
    return bits_of(top_->out_flit, port * parameters_.flit_width, parameters_.flit_width);
  }

  void set_credit(int port, bool valid, int vc) override {
    if constexpr (!ReadyValid) {
      set_bits(top_->out_credit, port, 1, valid ? 1 : 0);
      set_bits(top_->out_credit_vc, port * number_width(), number_width(),
               static_cast<std::uint64_t>(vc));
    }
  }
  bool credit(int port) const override {
    if constexpr (ReadyValid)
      return false;
    else
      return bits_of(top_->in_credit, port, 1) != 0;
  }
  int credit_vc(int port) const override {
    if constexpr (ReadyValid)
      return 0;
    else
      return static_cast<int>(bits_of(top_->in_credit_vc, port * number_width(), number_width()));
  }

  void set_ready(int port, std::uint64_t ready) override {
    if constexpr (ReadyValid)
      set_bits(top_->out_ready, port * parameters_.vcs, parameters_.vcs, ready);
  }
  std::uint64_t ready(int port) const override {
    if constexpr (!ReadyValid)
      return 0;
    else
      return bits_of(top_->in_ready, port * parameters_.vcs, parameters_.vcs);
  }

  void step() override {
    top_->clk = 0;
    top_->eval();
    top_->clk = 1;
    top_->eval();
  }

 private:
  int number_width() const {
    int width = 1;
    while (1 << width < parameters_.vcs) ++width;
    return width;
  }
  void clear_inputs() {
    for (int port = 0; port < parameters_.ports(); ++port) {
      set_input(port, false, 0);
      set_credit(port, false, 0);
      set_ready(port, 0);
    }
  }

  RouterParameters parameters_;
  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<Top> top_;
};

template <class Top, bool ReadyValid>
std::unique_ptr<RouterPins> make_pins(const RouterParameters& parameters, int seed) {
  return std::make_unique<VerilatedPins<Top, ReadyValid>>(parameters, seed);
}

}  // namespace flitwave::rtl_test
