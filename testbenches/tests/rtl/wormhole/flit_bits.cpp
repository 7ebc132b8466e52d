// testbenches/tests/rtl/wormhole/flit_bits.cpp: see flit_bits.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/tests/rtl/wormhole/flit_bits.hpp"

#include <fmt/format.h>

#include "configs/error.hpp"
#include "topologies/topology.hpp"

namespace flitwave::rtl_test {

using reference::Word;

FlitBits::FlitBits(const RouterParameters& parameters, const Topology& topology,
                   const reference::Packets& packets)
    : parameters_(parameters), grid_(*topology.grid()), packets_(packets) {
  std::uint64_t known = std::uint64_t{1} << parameters.tail_at;
  if (parameters.vcs > 1)
    known |= ((std::uint64_t{1} << parameters.vc_width) - 1) << parameters.vc_at;
  const int width = parameters.dimensions * parameters.coordinate_width;
  known |= ((std::uint64_t{1} << width) - 1) << parameters.destination_at;
  for (int bit = 0; bit < parameters.flit_width; ++bit)
    if ((known >> bit & 1) == 0) rest_.push_back(bit);
}

std::uint64_t FlitBits::position(NodeId node) const {
  std::uint64_t bits = 0;
  for (int d = 0; d < grid_.dimensions(); ++d)
    bits |= static_cast<std::uint64_t>(grid_.coordinate(node, d))
            << d * parameters_.coordinate_width;
  return bits;
}

std::uint64_t FlitBits::size() const {
  const std::uint64_t mask = (std::uint64_t{1} << parameters_.coordinate_width) - 1;
  std::uint64_t bits = 0;
  for (int d = 0; d < grid_.dimensions(); ++d)
    bits |= (static_cast<std::uint64_t>(grid_.extent(d)) & mask)
            << d * parameters_.coordinate_width;
  return bits;
}

std::uint64_t FlitBits::destination(Word flit) const {
  if (reference::is_head(flit))
    return position(packets_.header[reference::packet_of(flit)].destination);
  const int width = parameters_.dimensions * parameters_.coordinate_width;
  return mix(flit >> 8) & ((std::uint64_t{1} << width) - 1);
}

std::uint64_t FlitBits::coded(Word flit) const {
  const auto packet = static_cast<std::uint64_t>(reference::packet_of(flit));
  const auto sequence = static_cast<std::uint64_t>(reference::sequence_of(flit));
  const std::uint64_t identity = packet << sequence_width | sequence;
  if (sequence >> sequence_width != 0 || identity >> rest_.size() != 0)
    throw ModelError("the flit's identity is wider than the bits that are left for it");
  std::uint64_t bits = destination(flit) << parameters_.destination_at |
                       static_cast<std::uint64_t>(reference::is_tail(flit)) << parameters_.tail_at;
  if (parameters_.vcs > 1)
    bits |= static_cast<std::uint64_t>(reference::vc_of(flit)) << parameters_.vc_at;
  for (std::size_t i = 0; i < rest_.size(); ++i) bits |= (identity >> i & 1) << rest_[i];
  return bits;
}

Word FlitBits::decoded(std::uint64_t bits) const {
  std::uint64_t identity = 0;
  for (std::size_t i = 0; i < rest_.size(); ++i) identity |= (bits >> rest_[i] & 1) << i;
  const auto packet = static_cast<reference::Index>(identity >> sequence_width);
  const auto sequence = static_cast<std::int64_t>(identity & ((1 << sequence_width) - 1));
  if (packet >= packets_.length.size() || sequence >= packets_.length[packet])
    throw ModelError(fmt::format("the router sent an unknown flit, {:x}", bits));
  const auto vc_mask = (std::uint64_t{1} << parameters_.vc_width) - 1;
  const auto vc =
      parameters_.vcs == 1 ? 0 : static_cast<reference::Index>(bits >> parameters_.vc_at & vc_mask);
  const Word flit = reference::make_word(packet, sequence, sequence == 0,
                                         sequence + 1 == packets_.length[packet], vc);
  if (vc >= parameters_.vcs || coded(flit) != bits)
    throw ModelError(
        fmt::format("the router changed a flit: expected {:x}, found {:x}", coded(flit), bits));
  return flit;
}

}  // namespace flitwave::rtl_test
