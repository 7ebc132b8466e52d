// testbenches/tests/timed/verilated/toy_router.cpp: see toy_router.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tests/timed/verilated/toy_router.hpp"

#include <array>
#include <cstring>
#include <memory>
#include <utility>

#include "routers/verilated/pin_signal.hpp"

namespace flitwave::test {

namespace {

constexpr int toy_ports = 5;
constexpr int toy_flit = 80;

enum ToyPin {
  clk,
  reset,
  in_valid,
  in_flit,
  out_valid,
  out_flit,
  in_back,
  in_vc,
  out_back,
  out_vc
};

constexpr BitField tag_bits{FlitField::tag, 0, 0, 8};
constexpr BitField tail_bit{FlitField::tail, 0, 8, 1};
constexpr BitField vc_bits{FlitField::vc, 0, 10, 2};
constexpr BitField route_bits{FlitField::route, 0, 12, 4};
constexpr BitField source_bits{FlitField::source, 0, 24, 8};
constexpr BitField payload_bits{FlitField::payload, 0, 40, 40};

/// A flit as the router stores it.
struct ToyFlit {
  std::array<std::uint64_t, 2> words{};

  int get(const BitField& field) const {
    return static_cast<int>(bits_in(words.data(), field.offset, field.width));
  }
  void set(const BitField& field, int value) {
    set_bits_in(words.data(), field.offset, field.width, static_cast<std::uint64_t>(value));
  }
};

/// The registers, and what happens at an edge.
class ToyCore {
 public:
  explicit ToyCore(const ToyParams& params)
      : params_(params),
        inputs_(static_cast<std::size_t>(toy_ports * params.vcs)),
        credits_(inputs_.size(), params.depth),
        holders_(inputs_.size(), -1),
        offers_(toy_ports) {}

  void edge(const PinFrame& in, PinFrame& out) {
    if (in.get({reset, 0, 1}) != 0) return clear(out);
    read(in);
    for (int pin : {out_valid, in_back, in_vc})
      if (pin != in_back || !ready_valid()) clear(out, pin);
    std::array<bool, toy_ports> sent{};
    std::array<bool, toy_ports> popped{};
    for (int queue = 0; queue < static_cast<int>(inputs_.size()); ++queue)
      if (!popped[port_of(queue)]) popped[port_of(queue)] = advance(queue, sent, out);
    if (ready_valid()) drive_offers(out);
    drive_back(out);
  }

 private:
  static std::size_t port_index(int port) { return static_cast<std::size_t>(port); }
  std::size_t port_of(int queue) const { return static_cast<std::size_t>(queue / params_.vcs); }
  bool ready_valid() const { return params_.handshake == Handshake::ready_valid; }
  bool is(ToyFault fault) const { return params_.fault == fault; }
  /// Whether the fault happens now; it does once.
  bool strikes(ToyFault fault) {
    if (!is(fault) || sent_ < params_.after || struck_) return false;
    struck_ = true;
    return true;
  }
  static void clear(PinFrame& out, int pin) { out.set({pin, 0, toy_ports}, 0); }

  void clear(PinFrame& out) {
    clear(out, out_valid);
    if (is(ToyFault::valid_in_reset)) out.set({out_valid, 1, 1}, 1);
    clear(out, in_back);
    const int width = ready_valid() ? toy_ports * params_.vcs : 0;
    if (width > 0) out.set({in_back, 0, width}, is(ToyFault::never_ready) ? 0 : ~std::uint64_t{0});
  }

  void read(const PinFrame& in) {
    for (int port = 0; port < toy_ports; ++port) {
      read_back(in, port);
      if (in.get({in_valid, port, 1}) == 0) continue;
      ToyFlit flit;
      copy_bits(in.words(in_flit), port * toy_flit, flit.words.data(), 0, toy_flit);
      const auto queue = static_cast<std::size_t>(port * params_.vcs + flit.get(vc_bits));
      if (ready_valid() && static_cast<int>(inputs_[queue].size()) >= params_.depth) continue;
      if (is(ToyFault::never_ready)) continue;
      inputs_[queue].push_back(flit);
    }
  }

  void read_back(const PinFrame& in, int port) {
    if (!ready_valid()) {
      if (in.get({out_back, port, 1}) == 0) return;
      const auto vc = params_.vcs > 1 ? in.get({out_vc, port, 1}) : 0;
      ++credits_[static_cast<std::size_t>(port * params_.vcs) + vc];
      return;
    }
    std::optional<ToyFlit>& offer = offers_[port_index(port)];
    if (!offer) return;
    const bool ready = in.get({out_back, port * params_.vcs + offer->get(vc_bits), 1}) != 0;
    if (ready || is(ToyFault::no_credit) || strikes(ToyFault::withdrawn))
      offer.reset();
    else if (strikes(ToyFault::moved_offer))
      offer->set(vc_bits, 1 - offer->get(vc_bits));
  }

  /// Returns: whether the queue's first flit has left.
  bool advance(int number, std::array<bool, toy_ports>& sent, PinFrame& out) {
    std::deque<ToyFlit>& queue = inputs_[static_cast<std::size_t>(number)];
    if (queue.empty()) return false;
    const int vc = number % params_.vcs;
    const int output = queue.front().get(route_bits);
    const auto line = static_cast<std::size_t>(output * params_.vcs + vc);
    if (sent[port_index(output)] || (holders_[line] >= 0 && holders_[line] != number)) return false;
    if (ready_valid() ? offers_[port_index(output)].has_value()
                      : credits_[line] == 0 && !is(ToyFault::no_credit))
      return false;
    if (strikes_reordered(queue)) std::swap(queue[0], queue[1]);
    ToyFlit flit = queue.front();
    const bool again = strikes(ToyFault::sent_twice);
    if (!again) queue.pop_front();
    const bool tail = flit.get(tail_bit) != 0;
    holders_[line] = tail ? -1 : number;
    sent[port_index(output)] = true;
    if (!again) return_credit(number);
    if (drops(flit)) return true;
    --credits_[line];
    send(flit, spoiled(flit, output), out);
    return true;
  }

  bool strikes_reordered(const std::deque<ToyFlit>& queue) {
    return queue.size() > 1 && queue.front().get(tail_bit) == 0 && strikes(ToyFault::reordered);
  }

  /// Changes a flit as the fault demands. Returns: its output.
  int spoiled(ToyFlit& flit, int output) {
    if (strikes(ToyFault::unknown_tag)) flit.set(tag_bits, flit.get(tag_bits) ^ 0xff);
    if (strikes(ToyFault::changed_field))
      set_bits_in(flit.words.data(), payload_bits.offset + 39, 1,
                  1 - bits_in(flit.words.data(), payload_bits.offset + 39, 1));
    if (strikes(ToyFault::changed_source)) flit.set(source_bits, 77);
    const bool head = bits_in(flit.words.data(), 9, 1) != 0;
    if (!head && strikes(ToyFault::body_on_other_vc)) flit.set(vc_bits, 1 - flit.get(vc_bits));
    if (head && strikes(ToyFault::head_on_missing_vc)) flit.set(vc_bits, 3);
    if (head && strikes(ToyFault::wrong_output)) return (output + 1) % 4;
    return strikes(ToyFault::no_channel) ? 3 : output;
  }

  bool drops(const ToyFlit& flit) {
    if (is(ToyFault::lost_packet)) {
      const bool head = bits_in(flit.words.data(), 9, 1) != 0;
      if (head && strikes(ToyFault::lost_packet)) dropping_ = flit.get(source_bits);
      const bool drop = dropping_ == flit.get(source_bits);
      if (drop && flit.get(tail_bit) != 0) dropping_ = -1;
      return drop;
    }
    return flit.get(tail_bit) == 0 && strikes(ToyFault::lost_flit);
  }

  void send(const ToyFlit& flit, int output, PinFrame& out) {
    ++sent_;
    if (ready_valid()) {
      offers_[port_index(output)] = flit;
      return;
    }
    out.set({out_valid, output, 1}, 1);
    copy_bits(flit.words.data(), 0, out.words(out_flit), output * toy_flit, toy_flit);
  }

  void drive_offers(PinFrame& out) {
    for (int port = 0; port < toy_ports; ++port) {
      const std::optional<ToyFlit>& offer = offers_[port_index(port)];
      out.set({out_valid, port, 1}, offer ? 1 : 0);
      if (offer) copy_bits(offer->words.data(), 0, out.words(out_flit), port * toy_flit, toy_flit);
    }
  }

  void return_credit(int queue) {
    if (strikes(ToyFault::credit_lost)) return;
    returned_.push_back(queue);
    if (strikes(ToyFault::credit_twice)) returned_.push_back(queue);
  }

  /// Credits of one port return one in a cycle.
  void drive_back(PinFrame& out) {
    if (ready_valid()) {
      returned_.clear();
      const bool falls = strikes(ToyFault::falling_ready);
      for (int queue = 0; queue < static_cast<int>(inputs_.size()); ++queue) {
        const auto size = static_cast<int>(inputs_[static_cast<std::size_t>(queue)].size());
        const bool ready = size < params_.depth && !is(ToyFault::never_ready) && !falls;
        out.set({in_back, queue, 1}, ready ? 1 : 0);
      }
      return;
    }
    std::vector<int> later;
    for (const int queue : std::exchange(returned_, {})) {
      const int port = queue / params_.vcs;
      if (out.get({in_back, port, 1}) != 0) {
        later.push_back(queue);
        continue;
      }
      out.set({in_back, port, 1}, 1);
      if (params_.vcs > 1)
        out.set({in_vc, port, 1}, static_cast<std::uint64_t>(queue % params_.vcs));
    }
    returned_ = later;
  }

  ToyParams params_;
  std::vector<std::deque<ToyFlit>> inputs_;  // Shape: [ports * vcs]
  std::vector<int> credits_;                 // Shape: [ports * vcs]
  std::vector<int> holders_;                 // Shape: [ports * vcs]
  std::vector<std::optional<ToyFlit>> offers_;
  std::vector<int> returned_;
  int sent_ = 0;
  int dropping_ = -1;
  bool struck_ = false;
};

/// In Verilator's layout.
class ToyEvaluated final : public EvaluatedDesign {
 public:
  ToyEvaluated(const ToyParams& params, const std::vector<DesignPin>& pins)
      : params_(params), pins_(pins), core_(params), in_(pins), out_(pins) {
    for (const DesignPin& pin : pins)
      memory_.emplace_back(static_cast<std::size_t>(words_of(pin.width)));
  }

  void* data(int pin) override { return memory_[static_cast<std::size_t>(pin)].data(); }
  void evaluate() override {
    for (std::size_t pin = 0; pin < pins_.size(); ++pin)
      if (pins_[pin].is_input)
        copy_bits(memory_[pin].data(), 0, in_.words(static_cast<int>(pin)), 0, pins_[pin].width);
    const bool level = in_.get({clk, 0, 1}) != 0;
    if (level && !level_) core_.edge(in_, out_);
    level_ = level;
    for (std::size_t pin = 0; pin < pins_.size(); ++pin)
      if (!pins_[pin].is_input)
        copy_bits(out_.words(static_cast<int>(pin)), 0, memory_[pin].data(), 0, pins_[pin].width);
    if (params_.fault == ToyFault::combinational) memory_[in_vc][0] ^= in_.get({in_valid, 0, 1});
  }

 private:
  ToyParams params_;
  std::vector<DesignPin> pins_;
  ToyCore core_;
  PinFrame in_;
  PinFrame out_;
  std::vector<std::vector<std::uint64_t>> memory_;  // Shape: [pins][words]
  bool level_ = false;
};

/// With pins of four values.
template <int back_width>
class ToySignals final : public SignalDesign, public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(ToySignals);
  ToySignals(const sc_core::sc_module_name& name, const ToyParams& params,
             const std::vector<DesignPin>& pins, sc_core::sc_signal_in_if<bool>& clock)
      : sc_module(name), params_(params), pins_(pins), core_(params), in_(pins), out_(pins) {
    clk_(clock);
    SC_METHOD(on_clock);
    sensitive << clk_.pos();
    dont_initialize();
    if (params.fault != ToyFault::combinational) return;
    SC_METHOD(on_input);
    sensitive << valid_in_.changed() << settled_;
    dont_initialize();
  }

  PinSignal& pin(int pin) override {
    const std::array<PinSignal*, 10> signals = {nullptr,     &reset_,    &valid_in_, &flit_in_,
                                                &valid_out_, &flit_out_, &back_in_,  &vc_in_,
                                                &back_out_,  &vc_out_};
    return *signals[static_cast<std::size_t>(pin)];
  }

 private:
  void on_clock() {
    for (int number = 1; number < static_cast<int>(pins_.size()); ++number)
      if (pins_[static_cast<std::size_t>(number)].is_input) pin(number).read(in_.words(number));
    core_.edge(in_, out_);
    ++edges_;
    for (int number = 1; number < static_cast<int>(pins_.size()); ++number)
      if (!pins_[static_cast<std::size_t>(number)].is_input &&
          (number != in_vc || params_.fault != ToyFault::combinational))
        pin(number).write(out_.words(number));
    settled_.notify(sc_core::SC_ZERO_TIME);
    constexpr int late = 20;
    if (params_.fault == ToyFault::unknown_valid && edges_ == late) {
      sc_dt::sc_lv<toy_ports> value(0);
      value[2] = sc_dt::SC_LOGIC_X;
      valid_out_.signal().write(value);
    }
    if (params_.fault == ToyFault::high_impedance && edges_ == late) {
      sc_dt::sc_lv<back_width> value(0);
      value[1] = sc_dt::SC_LOGIC_Z;
      back_in_.signal().write(value);
    }
  }

  void on_input() {
    std::array<std::uint64_t, 1> value{};
    valid_in_.read(value.data());
    value[0] = (value[0] & 1) ^ out_.get({in_vc, 0, toy_ports});
    vc_in_.write(value.data());
  }

  ToyParams params_;
  std::vector<DesignPin> pins_;
  ToyCore core_;
  PinFrame in_;
  PinFrame out_;
  int edges_ = 0;
  sc_core::sc_event settled_;
  sc_core::sc_in<bool> clk_;
  PinSignalOf<bool> reset_{"reset"};
  PinSignalOf<sc_dt::sc_lv<toy_ports>> valid_in_{"in_valid"};
  PinSignalOf<sc_dt::sc_lv<toy_ports * toy_flit>> flit_in_{"in_flit"};
  PinSignalOf<sc_dt::sc_lv<toy_ports>> valid_out_{"out_valid"};
  PinSignalOf<sc_dt::sc_lv<toy_ports * toy_flit>> flit_out_{"out_flit"};
  PinSignalOf<sc_dt::sc_lv<back_width>> back_in_{"in_back"};
  PinSignalOf<sc_dt::sc_lv<toy_ports>> vc_in_{"in_vc"};
  PinSignalOf<sc_dt::sc_lv<back_width>> back_out_{"out_back"};
  PinSignalOf<sc_dt::sc_lv<toy_ports>> vc_out_{"out_vc"};
};

FlitPins toy_pins(const ToyParams& params, int port, int valid, int flit, int back, int vc) {
  FlitPins pins;
  pins.valid = {valid, port, 1};
  pins.flit = {flit, port * toy_flit, toy_flit};
  if (params.handshake == Handshake::ready_valid) {
    pins.ready = {back, port * params.vcs, params.vcs};
    return pins;
  }
  pins.credit.pulse = {back, port, 1};
  if (params.vcs > 1) pins.credit.vc = {vc, port, 1};
  return pins;
}

}  // namespace

RouterDesign toy_router(const std::string& name, const ToyParams& params) {
  RouterDesign design;
  design.name = name;
  design.source = "toy_router.yaml";
  const bool ready_valid = params.handshake == Handshake::ready_valid;
  const int back = ready_valid ? toy_ports * params.vcs : toy_ports;
  const int all = toy_ports * toy_flit;
  design.pins = {{"clk", 1, true},
                 {"reset", 1, true},
                 {"in_valid", toy_ports, true},
                 {"in_flit", all, true},
                 {"out_valid", toy_ports, false},
                 {"out_flit", all, false},
                 {"in_back", back, false},
                 {"in_vc", toy_ports, false},
                 {"out_back", back, true},
                 {"out_vc", toy_ports, true}};
  design.clock = {clk, 0, 1};
  design.reset.bits = {reset, 0, 1};
  design.flit.width = toy_flit;
  design.flit.fields = {tag_bits,
                        tail_bit,
                        {FlitField::head, 0, 9, 1},
                        vc_bits,
                        route_bits,
                        {FlitField::coordinate, 0, 16, 4},
                        {FlitField::coordinate, 1, 20, 4},
                        source_bits,
                        {FlitField::destination, 0, 32, 8},
                        payload_bits};
  design.handshake = params.handshake;
  design.vcs = params.vcs;
  design.depth = params.depth;
  for (int port = 0; port < toy_ports; ++port) {
    design.inputs.push_back(toy_pins(params, port, in_valid, in_flit, in_back, in_vc));
    design.outputs.push_back(toy_pins(params, port, out_valid, out_flit, out_back, out_vc));
  }
  const auto pins = design.pins;
  design.evaluated = [params, pins](const char*,
                                    std::uint64_t) -> std::unique_ptr<EvaluatedDesign> {
    return std::make_unique<ToyEvaluated>(params, pins);
  };
  design.signals = [params, pins, back](
                       const char* module, std::uint64_t,
                       sc_core::sc_signal_in_if<bool>& clock) -> std::unique_ptr<SignalDesign> {
    if (back == 2 * toy_ports)
      return std::make_unique<ToySignals<2 * toy_ports>>(module, params, pins, clock);
    return std::make_unique<ToySignals<toy_ports>>(module, params, pins, clock);
  };
  return design;
}

}  // namespace flitwave::test
