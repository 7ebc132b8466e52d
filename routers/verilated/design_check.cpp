// routers/verilated/design_check.cpp: whether the declaration of a design is complete.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "configs/codec.hpp"
#include "configs/error.hpp"
#include "routers/verilated/pin_frame.hpp"
#include "routers/verilated/router_design.hpp"

namespace flitwave {

std::string name_of(const BitField& field) {
  const std::string name = Codec<FlitField>::print(field.field);
  return field.field == FlitField::coordinate ? fmt::format("{}[{}]", name, field.dimension) : name;
}

namespace {

/// The flits that can be inside, and one that is about to enter by each port.
int most_tags(const RouterDesign& design) {
  const int crossing =
      design.timing ? static_cast<int>(design.timing->timing().traversal) : 4;  // not declared
  const int outside = design.handshake == Handshake::credit
                          ? crossing                      // one per output and cycle
                          : design.vcs * (1 + crossing);  // they wait for ready
  return design.ports() * (design.vcs * design.depth + outside + 1);
}

class DesignCheck {
 public:
  explicit DesignCheck(const RouterDesign& design) : design_(design) {
    for (const DesignPin& pin : design.pins) {
      if (pin.width < 1)
        fail(pin.name, fmt::format("a pin has at least one bit, not {}", pin.width));
      used_.emplace_back(static_cast<std::size_t>(pin.width), false);
    }
  }

  void check() {
    check_sizes();
    check_flit();
    take("clock", design_.clock, true, 1);
    if (design_.reset.bits.exist()) take("reset", design_.reset.bits, true, 1);
    for (int port = 0; port < design_.ports(); ++port) {
      check_port(fmt::format("inputs[{}]", port), design_.inputs[index(port)], true);
      check_port(fmt::format("outputs[{}]", port), design_.outputs[index(port)], false);
    }
    for (std::size_t i = 0; i < design_.constants.size(); ++i)
      take(fmt::format("constants[{}]", i), design_.constants[i].bits, true,
           design_.constants[i].bits.width);
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& problem) const {
    throw ModelError(
        fmt::format("{}: design {}: {}: {}", design_.source, design_.name, what, problem));
  }

  void check_sizes() const {
    if (design_.handshake != Handshake::credit && design_.handshake != Handshake::ready_valid)
      fail("handshake", "it is credit or ready_valid");
    if (design_.vcs < 1 || design_.vcs > Flit::max_vcs) fail("vcs", "there are 1 to 64");
    if (design_.depth < 1) fail("depth", "a buffer has at least one slot");
    if (design_.network_ports < 0 || design_.local_ports < 1 || design_.ports() > 64)
      fail("ports", "there are at least one local port and at most 64 ports");
    const auto ports = static_cast<std::size_t>(design_.ports());
    if (design_.inputs.size() != ports || design_.outputs.size() != ports)
      fail("ports", fmt::format("{} inputs and {} outputs are declared for {} ports",
                                design_.inputs.size(), design_.outputs.size(), ports));
    if (!design_.evaluated && !design_.signals) fail("design", "it is built for no adapter");
  }

  int expected_width(const BitField& field) const {
    switch (field.field) {
      case FlitField::kind:
        return 2;
      case FlitField::head:
      case FlitField::tail:
        return 1;
      default:
        return field.width;
    }
  }

  void check_flit() const {
    std::vector<bool> used(static_cast<std::size_t>(std::max(design_.flit.width, 0)), false);
    bool tagged = false;
    bool has_vc = false;
    for (const BitField& field : design_.flit.fields) {
      const std::string name = "flit field " + name_of(field);
      if (field.width < 1 || field.offset < 0 || field.offset + field.width > design_.flit.width)
        fail(name, fmt::format("bits {} .. {} are not in a flit of {} bits", field.offset,
                               field.offset + field.width - 1, design_.flit.width));
      if (field.width != expected_width(field))
        fail(name, fmt::format("it has {} bits, not {}", expected_width(field), field.width));
      if (field.width > 64 && field.field != FlitField::payload)
        fail(name, "only the payload has more than 64 bits");
      for (int bit = field.offset; bit < field.offset + field.width; ++bit) {
        if (used[index(bit)]) fail(name, fmt::format("bit {} belongs to another field, too", bit));
        used[index(bit)] = true;
      }
      if (field.field == FlitField::tag) check_tag(name, field.width);
      tagged = tagged || field.field == FlitField::tag;
      has_vc = has_vc || field.field == FlitField::vc;
      if (field.field == FlitField::vc)
        check_number(name, field.width, design_.vcs, "virtual channels");
      if (field.field == FlitField::route)
        check_number(name, field.width, design_.ports(), "ports");
    }
    if (!tagged) fail("flit", "there is no field tag, by which flits are recognized");
    if (!has_vc && design_.vcs > 1) fail("flit", "several virtual channels need the field vc");
  }

  void check_tag(const std::string& name, int width) const {
    const int needed = most_tags(design_);
    if (!fits(static_cast<std::uint64_t>(needed - 1), width))
      fail(name, fmt::format("{} bits are too few: {} flits can be inside, or about to enter",
                             width, needed));
  }

  /// `count` numbers from 0 on are written in so many bits.
  void check_number(const std::string& name, int width, int count, const char* things) const {
    if (!fits(static_cast<std::uint64_t>(count - 1), width))
      fail(name, fmt::format("{} bits are too few for {} {}", width, count, things));
  }

  void check_port(const std::string& name, const FlitPins& pins, bool is_input) {
    take(name + " valid", pins.valid, is_input, 1);
    if (pins.flit.exist()) {
      take(name + " flit", pins.flit, is_input, design_.flit.width);
    } else {
      if (pins.fields.size() != design_.flit.fields.size())
        fail(name,
             fmt::format("{} pins for {} fields", pins.fields.size(), design_.flit.fields.size()));
      for (std::size_t i = 0; i < pins.fields.size(); ++i)
        take(name + " " + name_of(design_.flit.fields[i]), pins.fields[i], is_input,
             design_.flit.fields[i].width);
    }
    if (design_.handshake == Handshake::ready_valid)
      return take(name + " ready", pins.ready, !is_input, design_.vcs);
    if (pins.credit.per_vc.exist())
      return take(name + " credit per_vc", pins.credit.per_vc, !is_input, design_.vcs);
    take(name + " credit", pins.credit.pulse, !is_input, 1);
    if (!pins.credit.vc.exist()) {
      if (design_.vcs > 1) fail(name + " credit", "the number of the virtual channel is missing");
      return;
    }
    take(name + " credit vc", pins.credit.vc, !is_input, pins.credit.vc.width);
    check_number(name + " credit vc", pins.credit.vc.width, design_.vcs, "virtual channels");
  }

  /// Bits of a pin, which nothing else uses.
  void take(const std::string& name, const PinBits& bits, bool is_input, int width) {
    if (bits.pin < 0 || bits.pin >= static_cast<int>(design_.pins.size()))
      fail(name, "there is no pin for it");
    const DesignPin& pin = design_.pins[index(bits.pin)];
    if (pin.is_input != is_input)
      fail(name, fmt::format("pin {} is an {}", pin.name, pin.is_input ? "input" : "output"));
    if (bits.width != width)
      fail(name, fmt::format("pin {}: {} bits, not {}", pin.name, width, bits.width));
    if (bits.lsb < 0 || bits.lsb + bits.width > pin.width)
      fail(name, fmt::format("bits {} .. {} are not in pin {} of {} bits", bits.lsb,
                             bits.lsb + bits.width - 1, pin.name, pin.width));
    for (int bit = bits.lsb; bit < bits.lsb + bits.width; ++bit) {
      if (used_[index(bits.pin)][index(bit)])
        fail(name, fmt::format("bit {} of pin {} is used twice", bit, pin.name));
      used_[index(bits.pin)][index(bit)] = true;
    }
  }

  const RouterDesign& design_;
  std::vector<std::vector<bool>> used_;  // Shape: [pins][width]
};

}  // namespace

void check_design(const RouterDesign& design) { DesignCheck(design).check(); }

}  // namespace flitwave
