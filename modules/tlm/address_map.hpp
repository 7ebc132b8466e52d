// modules/tlm/address_map.hpp: which device at which node serves an address.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "configs/codec.hpp"
#include "topologies/ids.hpp"

namespace flitwave {

/// An address of a transaction. Written 0x80001000, or as a decimal number.
struct Address {
  std::uint64_t value = 0;
};
template <>
struct Codec<Address> {
  static Address read(const ConfigNode& node);
  static std::string print(Address value);
  static ValueType type();
};
std::string to_string(Address address);
/// The number that all of the text spells, with 0x in hexadecimal, else in decimal digits.
std::optional<std::uint64_t> parse_address(const std::string& text);

/// Addresses that one device serves.
struct AddressRegion {
  std::uint64_t base = 0;
  std::uint64_t size = 0;  ///< Unit: byte. Range: 1 and up, base + size - 1 fits in 64 bits
  NodeId node;
  std::string device;   ///< Its name at the node; empty: the only device of the node.
  std::string setting;  ///< Of the job, for errors; e.g. "transactions.map[0]".

  std::uint64_t last() const { return base + (size - 1); }
};

/// The regions of a network.
class AddressMap {
 public:
  AddressMap() = default;
  /// Throws: ConfigError on the setting of the second of two regions that overlap.
  explicit AddressMap(std::vector<AddressRegion> regions);

  /// In the order of addresses.
  const std::vector<AddressRegion>& regions() const { return regions_; }
  /// The region that contains all `length` addresses from `address` on; null when none does.
  /// Range: length >= 1
  const AddressRegion* find(std::uint64_t address, std::uint64_t length) const;

 private:
  std::vector<AddressRegion> regions_;
};

}  // namespace flitwave
