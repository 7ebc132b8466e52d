// testbenches/waves/files/wave_file.cpp: see wave_file.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/waves/files/wave_file.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "configs/error.hpp"
#include "testbenches/waves/files/fst_file.hpp"
#include "testbenches/waves/files/vcd_file.hpp"

namespace flitwave {

namespace {

std::vector<std::string> parts_of(const std::string& scope) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < scope.size();) {
    const std::size_t end = std::min(scope.find('.', begin), scope.size());
    parts.push_back(scope.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

}  // namespace

std::string WaveVariable::declared_name() const {
  return width > 1 && !packet ? name + " [" + std::to_string(width - 1) + ":0]" : name;
}

std::string bits_text(std::uint64_t value, int width) {
  std::string text;
  for (int bit = width - 1; bit >= 0; --bit) text += static_cast<char>('0' + (value >> bit & 1));
  return text;
}

namespace {

constexpr std::size_t longest_number = 20;
constexpr std::size_t word = sizeof(std::uint64_t);  // Unit: B

}  // namespace

PacketTexts::PacketTexts(const WaveNames& names) : written_(std::size_t{1} << place_bits) {
  if (names.lists.empty()) return;
  for (const std::string& node : names.lists[node_names].names) {
    Prefix& prefix = prefixes_.emplace_back();
    prefix.length = node.size() + 1;
    prefix.words.resize(prefix.length / word + 1);
    std::memcpy(prefix.words.data(), (node + "#").data(), prefix.length);
    longest_ = std::max(longest_, prefix.words.size() * word + longest_number);
  }
}

char* PacketTexts::write_new(char* at, std::uint64_t value, Written& last) {
  char* const end = write_text(at, value);
  const auto length = static_cast<std::size_t>(end - at);
  last.value = value;
  last.length = static_cast<std::uint8_t>(length <= last.text.size() ? length : 0);
  if (last.length != 0) std::memcpy(last.text.data(), at, length);
  return end;
}

char* PacketTexts::write_text(char* at, std::uint64_t value) const {
  if (value == 0) {
    *at = '-';
    return at + 1;
  }
  const Prefix& prefix = prefixes_[(value - 1) & (Flit::max_nodes - 1)];
  char* copied = at;
  for (const std::uint64_t& characters : prefix.words) {
    std::memcpy(copied, &characters, word);
    copied += word;
  }
  at += prefix.length;
  return std::to_chars(at, at + longest_number, (value - 1) / Flit::max_nodes).ptr;
}

void visit(const std::vector<WaveVariable>& variables, VariableVisitor& visitor) {
  std::vector<std::string> inside;
  std::string place;
  const auto go = [&](const std::string& scope) {
    if (scope == place) return;
    place = scope;
    const std::vector<std::string> wanted = parts_of(scope);
    const auto [left, entered] =
        std::mismatch(inside.begin(), inside.end(), wanted.begin(), wanted.end());
    for (auto it = left; it != inside.end(); ++it) visitor.leave();
    for (auto it = entered; it != wanted.end(); ++it) visitor.enter(*it);
    inside = wanted;
  };
  for (const WaveVariable& variable : variables) {
    go(variable.scope);
    visitor.declare(variable);
  }
  go("");
}

void fail_writing(const std::string& path) {
  throw SystemFailure("cannot write " + path + ": " + std::strerror(errno));
}

void require_format(WaveFormat format) {
  if (format == WaveFormat::fst) require_fst();
}

std::unique_ptr<WaveFile> open_wave_file(WaveFormat format, const std::string& path,
                                         std::int64_t limit,
                                         const std::vector<WaveVariable>& variables,
                                         const WaveNames& names, const std::string& comment) {
  if (format == WaveFormat::fst) return open_fst(path, limit, variables, names, comment);
  return std::make_unique<VcdFile>(path, limit, variables, names, comment);
}

}  // namespace flitwave
