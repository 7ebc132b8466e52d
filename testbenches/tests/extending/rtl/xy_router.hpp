// testbenches/tests/extending/rtl/xy_router.hpp: an example of a router in SystemC RTL.
// channel -> [xy_router] -> channel
// SPDX-License-Identifier: Apache-2.0
#pragma once

// [router]
#include <array>
#include <ostream>
#include <string>

#include <systemc>

namespace flitwave {

/// A wormhole router for 2-dimensional meshes: one virtual channel, credits, and routing along x
/// before y. Ports: +x, -x, +y, -y, the processor.
///
/// Timing: inputs are sampled, and outputs change, at the rising edge of `clk`; a flit that is
///   accepted at an edge is sent at this edge if it can be. `reset` is synchronous.
class XyRouter final : public sc_core::sc_module {
 public:
  static constexpr std::size_t ports = 5;
  static constexpr std::size_t slots = 4;  ///< Of the buffer of each input. Unit: flit

  // A flit: from the least bit 16 bits that are passed on, x and y of the destination, 14 bits that
  // are passed on, tail, head. With whole words of 32 bits SystemC's own code shifts by 32.
  using Flit = sc_dt::sc_lv<40>;
  using Coordinate = sc_dt::sc_uint<4>;
  using Number = sc_dt::sc_uint<3>;
  using Wire = sc_dt::sc_logic;

  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_in<bool> reset{"reset"};
  sc_core::sc_in<Coordinate> here_x{"here_x"};
  sc_core::sc_in<Coordinate> here_y{"here_y"};
  sc_core::sc_vector<sc_core::sc_in<Wire>> in_valid{"in_valid", ports};
  sc_core::sc_vector<sc_core::sc_in<Flit>> in_flit{"in_flit", ports};
  sc_core::sc_vector<sc_core::sc_out<Wire>> in_credit{"in_credit", ports};  ///< To the sender.
  sc_core::sc_vector<sc_core::sc_out<Wire>> out_valid{"out_valid", ports};
  sc_core::sc_vector<sc_core::sc_out<Flit>> out_flit{"out_flit", ports};
  sc_core::sc_vector<sc_core::sc_in<Wire>> out_credit{"out_credit", ports};

  SC_HAS_PROCESS(XyRouter);
  explicit XyRouter(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_METHOD(clock);
    sensitive << clk.pos();
    dont_initialize();
    SC_METHOD(decide);
    sensitive << now_ << here_x << here_y;
    for (std::size_t p = 0; p < ports; ++p) sensitive << in_valid[p] << in_flit[p] << out_credit[p];
  }

 private:
  struct Queue {
    std::array<Flit, slots> flits;
    sc_dt::sc_uint<2> first = 0;
    Number count = 0;

    const Flit& front() const { return flits[first.to_uint()]; }
    bool operator==(const Queue& other) const {
      return flits == other.flits && first == other.first && count == other.count;
    }
  };
  struct Output {
    Number credits = slots;
    bool held = false;  // by the packet of input `holder`
    Number holder = 0;
    Number turn = 0;  // the input that is considered first

    bool operator==(const Output& other) const {
      return credits == other.credits && held == other.held && holder == other.holder &&
             turn == other.turn;
    }
  };
  /// All registers, with their values after a reset.
  struct Registers {
    Registers() {
      valid.fill(sc_dt::SC_LOGIC_0);
      credit.fill(sc_dt::SC_LOGIC_0);
    }
    bool operator==(const Registers& other) const {
      return queues == other.queues && outputs == other.outputs && valid == other.valid &&
             flit == other.flit && credit == other.credit;
    }
    // sc_signal needs both; the pins are what is traced.
    friend std::ostream& operator<<(std::ostream& out, const Registers&) { return out; }
    friend void sc_trace(sc_core::sc_trace_file*, const Registers&, const std::string&) {}

    std::array<Queue, ports> queues;
    std::array<Output, ports> outputs;
    std::array<Wire, ports> valid;
    std::array<Flit, ports> flit;
    std::array<Wire, ports> credit;
  };

  /// The clocked process.
  void clock() { now_.write(reset.read() ? Registers() : next_.read()); }

  /// The combinational process: the next values of all registers, and the pins.
  void decide() {
    Registers next = now_.read();
    next.valid.fill(sc_dt::SC_LOGIC_0);
    next.credit.fill(sc_dt::SC_LOGIC_0);
    for (std::size_t p = 0; p < ports; ++p) accept(p, next);
    for (std::size_t p = 0; p < ports; ++p) claim(p, next);
    for (std::size_t p = 0; p < ports; ++p) pass(p, next);
    next_.write(next);

    for (std::size_t p = 0; p < ports; ++p) {
      out_valid[p].write(now_.read().valid[p]);
      out_flit[p].write(now_.read().flit[p]);
      in_credit[p].write(now_.read().credit[p]);
    }
  }

  void accept(std::size_t port, Registers& next) const {
    if (in_valid[port].read() == sc_dt::SC_LOGIC_1) {
      Queue& queue = next.queues[port];
      queue.flits[(queue.first.to_uint() + queue.count.to_uint()) % slots] = in_flit[port].read();
      queue.count += 1;
    }
    if (out_credit[port].read() == sc_dt::SC_LOGIC_1) next.outputs[port].credits += 1;
  }

  /// Gives a free output to the first input in turn with a head for it.
  void claim(std::size_t port, Registers& next) const {
    Output& output = next.outputs[port];
    if (output.held) return;
    for (std::size_t i = 0; i < ports; ++i) {
      const std::size_t input = (output.turn.to_uint() + i) % ports;
      const Queue& queue = next.queues[input];
      if (queue.count == 0 || queue.front()[head] != sc_dt::SC_LOGIC_1 ||
          route(queue.front()) != port)
        continue;
      output.held = true;
      output.holder = static_cast<unsigned>(input);
      output.turn = static_cast<unsigned>((input + 1) % ports);
      return;
    }
  }

  /// Sends a flit of the packet that holds an output.
  void pass(std::size_t port, Registers& next) const {
    Output& output = next.outputs[port];
    const std::size_t input = output.holder.to_uint();
    Queue& queue = next.queues[input];
    if (!output.held || output.credits == 0 || queue.count == 0) return;
    next.valid[port] = sc_dt::SC_LOGIC_1;
    next.flit[port] = queue.front();
    next.credit[input] = sc_dt::SC_LOGIC_1;
    output.held = queue.front()[tail] != sc_dt::SC_LOGIC_1;
    output.credits -= 1;
    queue.first += 1;
    queue.count -= 1;
  }

  std::size_t route(const Flit& flit) const {
    const Coordinate x = flit.range(19, 16).to_uint();
    const Coordinate y = flit.range(23, 20).to_uint();
    if (x != here_x.read()) return x > here_x.read() ? 0 : 1;
    if (y != here_y.read()) return y > here_y.read() ? 2 : 3;
    return ports - 1;
  }

  static constexpr int tail = 38;
  static constexpr int head = 39;

  sc_core::sc_signal<Registers> now_{"now"};
  sc_core::sc_signal<Registers> next_{"next"};
};

}  // namespace flitwave
// [router]
