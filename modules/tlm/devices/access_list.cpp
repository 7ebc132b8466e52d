// modules/tlm/devices/access_list.cpp: see access_list.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "modules/tlm/devices/access_list.hpp"

#include <fmt/format.h>

#include "modules/tlm/address_map.hpp"

namespace flitwave {

namespace {

constexpr const char* form =
    "at CYCLE load ADDRESS BYTES [VALUE]` or `after CYCLES store ADDRESS BYTES VALUE";
constexpr std::int64_t most_bytes = 1 << 20;

/// Throws: ConfigError at the line.
std::uint64_t unsigned_number(const WordLine& line, std::size_t word, const char* what) {
  const auto value = parse_address(line.words[word]);
  if (!value)
    throw line.error(
        fmt::format("{} is not {}", detail::in_quotes(line.words[word]), what),
        "write a number below 2^64, in hexadecimal digits after 0x, or in decimal digits");
  return *value;
}

/// Throws: ConfigError at the line.
std::uint64_t read_value(const WordLine& line, std::uint32_t bytes) {
  const std::uint64_t value = unsigned_number(line, 5, "a value");
  if (bytes < 8 && value >> (8 * bytes) != 0)
    throw line.error(
        fmt::format("the value {} does not fit in {} B", detail::in_quotes(line.words[5]), bytes),
        fmt::format("write a value below {:#x}, or an access of more bytes",
                    std::uint64_t{1} << (8 * bytes)));
  return value;
}

Access read_access(const WordLine& line, Cycle last) {
  Access access;
  const std::string& when = line.words[0];
  const std::string& command = line.words[2];
  if (when != "at" && when != "after")
    throw line.error("an access does not begin with " + detail::in_quotes(when),
                     fmt::format("write `{}`", form));
  if (command != "load" && command != "store")
    throw line.error(detail::in_quotes(command) + " is no command", "write load or store");
  access.after = when == "after";
  access.cycles = line.number(1, access.after ? "number of cycles" : "cycle");
  if (access.cycles < 0 || access.cycles > last)
    throw line.error(fmt::format("{} {} is no time", when, access.cycles),
                     fmt::format("write a number of cycles from 0 to {}", last));
  access.is_store = command == "store";
  access.address = unsigned_number(line, 3, "an address");
  const std::int64_t bytes = line.number(4, "number of bytes");
  if (bytes < 1 || bytes > most_bytes)
    throw line.error(fmt::format("an access of {} bytes", bytes),
                     fmt::format("an access has 1 .. {} bytes", most_bytes));
  access.bytes = static_cast<std::uint32_t>(bytes);
  if (line.words.size() > 5) access.value = read_value(line, access.bytes);
  if (access.is_store && !access.value)
    throw line.error("the store has no value", fmt::format("write `{}`", form));
  return access;
}

}  // namespace

std::vector<Access> read_accesses(const InputFile& file, const std::string& key, Cycle last) {
  std::vector<Access> accesses;
  Cycle latest = 0;  // of those at a cycle
  for_each_line(file, key, {5, 6}, form, [&](const WordLine& line) {
    const Access& access = accesses.emplace_back(read_access(line, last));
    if (access.after) return;
    if (access.cycles < latest)
      throw line.error(
          fmt::format("the access at {} follows one at {}", access.cycles, latest),
          "write accesses in the order of their cycles, or `after` a number of cycles");
    latest = access.cycles;
  });
  if (accesses.empty())
    throw ConfigError(key, detail::in_quotes(file.path) + " has no accesses",
                      fmt::format("write lines `{}`", form));
  return accesses;
}

std::uint8_t byte_of(std::uint64_t value, std::uint32_t place) {
  return static_cast<std::uint8_t>(value >> (8 * (place % 8)));
}

}  // namespace flitwave
