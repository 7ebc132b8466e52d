// testbenches/tests/rtl/wormhole/rtl_routers.hpp: verilated routers in the network of the
// reference.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "testbenches/reference/credit_links.hpp"
#include "testbenches/reference/fingerprint.hpp"
#include "testbenches/reference/ready_links.hpp"
#include "testbenches/tests/rtl/wormhole/flit_bits.hpp"

namespace flitwave::rtl_test {

using reference::Fingerprint;
using reference::Index;
using reference::Mask;
using reference::Packets;
using reference::Params;
using reference::Wiring;
using reference::Word;

/// Credit channels whose pulses are left to routers that count them.
class CreditPins : public reference::CreditLinks<0> {
 public:
  using CreditLinks::CreditLinks;

  void begin_router(Index router, Index /*first_end*/) {
    flits_ = mail_.take_flits(router);
    credits_ = mail_.take_pulses(router);
  }
  /// The flit on the wires of an input, or no_flit.
  Word flit_at(Index port, Index input) const {
    return reference::has(flits_, port) ? mail_.flit(input) : reference::no_flit;
  }
  bool accepts(const RouterPins&, Index, Word) const { return true; }
  void drive_inputs(RouterPins& pins, Index port, Index output) const {
    const bool credit = reference::has(credits_, port);
    pins.set_credit(static_cast<int>(port), credit,
                    credit ? static_cast<int>(mail_.value(output)) : 0);
  }
  void read_outputs(const RouterPins& pins, Index port, Index input, Index output, Word flit) {
    if (output >= 0 && flit != reference::no_flit) mail_.send(output, flit);
    const auto number = static_cast<int>(port);
    if (input >= 0 && pins.credit(number)) mail_.give_back(input, pins.credit_vc(number));
  }

 private:
  Mask flits_ = 0;
  Mask credits_ = 0;
};

/// Channels under ready_valid whose offers and `ready` are driven by routers.
class ReadyPins : public reference::ReadyLinks {
 public:
  using ReadyLinks::ReadyLinks;

  void begin_router(Index, Index) {}
  Word flit_at(Index /*port*/, Index input) const { return offer_to(input); }
  bool accepts(const RouterPins& pins, Index port, Word flit) const {
    return reference::has(pins.ready(static_cast<int>(port)), reference::vc_of(flit));
  }
  void drive_inputs(RouterPins& pins, Index port, Index output) const {
    pins.set_ready(static_cast<int>(port), ready_of(output));
  }
  void read_outputs(const RouterPins& pins, Index port, Index input, Index output, Word flit) {
    if (output >= 0) drive_offer(output, flit);
    if (input >= 0) drive_ready(input, pins.ready(static_cast<int>(port)));
  }
};

/// Takes the place of reference::Routers.
template <class Links>
class RtlRouters {
 public:
  RtlRouters(const Params& params, const Wiring& wiring, const Packets& packets, Links& links,
             Fingerprint& fingerprint, const RouterSet& set, int seed)
      : wiring_(wiring),
        packets_(packets),
        links_(links),
        fingerprint_(fingerprint),
        bits_(set.parameters, *params.topology, packets) {
    constexpr int reset_cycles = 3;
    for (Index node = 0; node < wiring.nodes; ++node) {
      routers_.push_back(set.router(seed + static_cast<int>(node)));
      RouterPins& router = *routers_.back();
      router.set_position(bits_.position(NodeId(static_cast<int>(node))), bits_.size());
      router.set_reset(true);
      for (int cycle = 0; cycle < reset_cycles; ++cycle) router.step();
      router.set_reset(false);
    }
  }

  void tick() {
    for (Index router = 0; router < wiring_.nodes; ++router) tick_one(router);
  }

 private:
  void tick_one(Index router) {
    RouterPins& pins = *routers_[static_cast<std::size_t>(router)];
    const Index first_end = wiring_.first_end(router);
    links_.begin_router(router, first_end);
    reference::for_each(wiring_.inputs[router],
                        [&](Index port) { drive_flit(pins, port, first_end + port); });
    reference::for_each(wiring_.outputs[router],
                        [&](Index port) { links_.drive_inputs(pins, port, first_end + port); });
    pins.step();
    for (Index port = 0; port < wiring_.ports; ++port) {
      const bool has_input = reference::has(wiring_.inputs[router], port);
      const bool has_output = reference::has(wiring_.outputs[router], port);
      const auto number = static_cast<int>(port);
      const bool valid = pins.out_valid(number);
      if (valid && !has_output) throw ModelError("the router sends into no channel");
      links_.read_outputs(pins, port, has_input ? first_end + port : -1,
                          has_output ? first_end + port : -1,
                          valid ? bits_.decoded(pins.out_flit(number)) : reference::no_flit);
    }
  }

  void drive_flit(RouterPins& pins, Index port, Index input) {
    const Word flit = links_.flit_at(port, input);
    const auto number = static_cast<int>(port);
    if (flit == reference::no_flit) {
      // A router must not read the flit then.
      return pins.set_input(number, false, mix(++noise_));
    }
    pins.set_input(number, true, bits_.coded(flit));
    if (links_.accepts(pins, port, flit))
      fingerprint_.crossed(wiring_.channel_of[input], packets_.key[reference::packet_of(flit)],
                           flit);
  }

  const Wiring& wiring_;
  const Packets& packets_;
  Links& links_;
  Fingerprint& fingerprint_;
  FlitBits bits_;
  std::vector<std::unique_ptr<RouterPins>> routers_;
  std::uint64_t noise_ = 0;
};

}  // namespace flitwave::rtl_test
