// modules/tlm/address_map.cpp: see address_map.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/tlm/address_map.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

namespace flitwave {

std::optional<std::uint64_t> parse_address(const std::string& text) {
  const bool hexadecimal = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  const char* const begin = text.data() + (hexadecimal ? 2 : 0);
  const char* const end = text.data() + text.size();
  std::uint64_t value = 0;
  const auto [stop, fault] = std::from_chars(begin, end, value, hexadecimal ? 16 : 10);
  if (fault != std::errc() || stop != end || text.empty()) return std::nullopt;
  return value;
}

std::string to_string(Address address) { return fmt::format("{:#x}", address.value); }

Address Codec<Address>::read(const ConfigNode& node) {
  const auto value = node.is_scalar() ? parse_address(node.text()) : std::nullopt;
  if (!value)
    throw node.error("expected an address" +
                         (node.is_scalar() ? ", found " + detail::in_quotes(node.text()) : ""),
                     "write it in hexadecimal digits, as 0x80001000, or as a decimal number below "
                     "2^64");
  return {*value};
}

std::string Codec<Address>::print(Address value) { return to_string(value); }

ValueType Codec<Address>::type() {
  return {"address", "0x80001000",
          R"({"anyOf":[{"type":"integer","minimum":0},{"type":"string"}]})"};
}

AddressMap::AddressMap(std::vector<AddressRegion> regions) : regions_(std::move(regions)) {
  std::stable_sort(regions_.begin(), regions_.end(),
                   [](const AddressRegion& a, const AddressRegion& b) { return a.base < b.base; });
  for (std::size_t i = 1; i < regions_.size(); ++i) {
    const AddressRegion& before = regions_[i - 1];
    const AddressRegion& region = regions_[i];
    if (region.base > before.last()) continue;
    throw ConfigError(
        region.setting,
        fmt::format("the region from {:#x} to {:#x} overlaps that from {:#x} to "
                    "{:#x} ({})",
                    region.base, region.last(), before.base, before.last(), before.setting),
        "an address belongs to one device: move or shorten one of them");
  }
}

const AddressRegion* AddressMap::find(std::uint64_t address, std::uint64_t length) const {
  auto after = std::upper_bound(
      regions_.begin(), regions_.end(), address,
      [](std::uint64_t value, const AddressRegion& region) { return value < region.base; });
  if (after == regions_.begin()) return nullptr;
  const AddressRegion& region = *std::prev(after);
  const std::uint64_t offset = address - region.base;
  const bool inside = offset < region.size && length <= region.size - offset;
  return inside ? &region : nullptr;
}

}  // namespace flitwave
