// modules/tlm/devices/access_list.hpp: the loads and stores of an initiator, from a file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "configs/input_file.hpp"
#include "configs/quantity.hpp"

namespace flitwave {

/// A load or a store.
struct Access {
  bool after = false;  ///< `cycles` count from the response of the access before, else from reset.
  Cycle cycles = 0;
  bool is_store = false;
  std::uint64_t address = 0;
  std::uint32_t bytes = 4;
  /// Of a store: what is written. Of a load: what it should return. Its bytes, the lowest first,
  /// are repeated.
  std::optional<std::uint64_t> value;
};

/// Reads lines `at CYCLE` or `after CYCLES`, then `load ADDRESS BYTES` or `store ADDRESS BYTES
/// VALUE`; a load may have a VALUE, too.
/// `last`: the greatest number of cycles.
/// Throws: ConfigError on `key` when the file cannot be read or has no accesses, and at a line that
///   has another form, or a value that does not fit in its bytes.
std::vector<Access> read_accesses(const InputFile& file, const std::string& key, Cycle last);

/// The byte of an access at `place` of its data.
std::uint8_t byte_of(std::uint64_t value, std::uint32_t place);

}  // namespace flitwave
