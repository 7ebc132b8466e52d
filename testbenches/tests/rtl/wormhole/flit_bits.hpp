// testbenches/tests/rtl/wormhole/flit_bits.hpp: flits of the reference as bits on a router's pins.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "configs/random.hpp"
#include "testbenches/reference/packets.hpp"
#include "testbenches/reference/word.hpp"
#include "testbenches/tests/rtl/wormhole/router_pins.hpp"

namespace flitwave::rtl_test {

/// Codes flits, and decodes them with a check that only the virtual channel has changed.
///
/// The fields that the router does not know, packet and sequence, fill its other bits. In body
/// flits the destination's field has other data, since the router must not read it.
class FlitBits {
 public:
  FlitBits(const RouterParameters& parameters, const Topology& topology,
           const reference::Packets& packets);

  std::uint64_t coded(reference::Word flit) const;
  /// Throws: ModelError when the bits are not those of a flit of a known packet.
  reference::Word decoded(std::uint64_t bits) const;

  /// The coordinates of a node, as in the field `destination`.
  std::uint64_t position(NodeId node) const;
  /// The extents of all dimensions, in the same form.
  std::uint64_t size() const;

 private:
  static constexpr int sequence_width = 5;

  std::uint64_t destination(reference::Word flit) const;

  const RouterParameters& parameters_;
  const Grid& grid_;
  const reference::Packets& packets_;
  std::vector<int> rest_;  // the bits that the router does not know, least first
};

}  // namespace flitwave::rtl_test
