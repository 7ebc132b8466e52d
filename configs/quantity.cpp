// configs/quantity.cpp: exact decimals with units.
// SPDX-License-Identifier: Apache-2.0
#include "configs/quantity.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <system_error>
#include <vector>

#include <fmt/format.h>

namespace flitwave {
namespace {

/// Sums and differences of two quantities still fit in 64 bits.
constexpr std::int64_t greatest = INT64_MAX / 4;

struct Unit {
  const char* name;
  std::int64_t size;  ///< In the finest unit of the measure.
};

/// A kind of quantity: its name and its units.
struct Measure {
  std::string name;         ///< e.g. "a duration"
  std::string example;      ///< e.g. "20 ns"
  std::string pattern;      ///< The units as a regular expression.
  std::vector<Unit> units;  ///< The finest one first.
};

const Measure& duration() {
  static const Measure measure{"a duration",
                               "20 ns",
                               "(ps|ns|us|ms|s)",
                               {{"ps", 1},
                                {"ns", 1'000},
                                {"us", 1'000'000},
                                {"ms", 1'000'000'000},
                                {"s", 1'000'000'000'000}}};
  return measure;
}

const Measure& bytes() {
  static const Measure measure{"a number of bytes",
                               "512 B",
                               "(B|KiB|MiB|GiB|kB|MB|GB)",
                               {{"B", 1},
                                {"KiB", 1 << 10},
                                {"MiB", 1 << 20},
                                {"GiB", 1 << 30},
                                {"kB", 1'000},
                                {"MB", 1'000'000},
                                {"GB", 1'000'000'000}}};
  return measure;
}

const Measure& flits() {
  static const Measure measure{
      "a number of flits", "4 flit", "flits?", {{"flit", 1}, {"flits", 1}}};
  return measure;
}

const Measure& cycles() {
  static const Measure measure{
      "a number of cycles", "3 cycle", "cycles?", {{"cycle", 1}, {"cycles", 1}}};
  return measure;
}

const Measure& delay() {
  static const Measure measure = [] {
    Measure both{"a delay", "3 cycle", "(cycles?|ps|ns|us|ms|s)", cycles().units};
    both.units.insert(both.units.end(), duration().units.begin(), duration().units.end());
    return both;
  }();
  return measure;
}

const Measure& rate() {
  static const Measure measure{"a rate",
                               "0.1 flit/node/cycle",
                               "flits?/node/cycle",
                               {{"flit/node/cycle", 1}, {"flits/node/cycle", 1}}};
  return measure;
}

const Unit* find_unit(const Measure& measure, std::string_view name) {
  for (const Unit& unit : measure.units)
    if (name == unit.name) return &unit;
  return nullptr;
}

/// A number and a unit, as they were written.
struct Written {
  std::string_view number;
  std::string_view unit;
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::string remedy_for(const Measure& measure) {
  return fmt::format("write {} with a unit, e.g. {}", measure.name, measure.example);
}

/// Throws: ConfigError when the text does not begin with a decimal number.
Written split(const ConfigNode& node, const Measure& measure) {
  if (!node.is_scalar())
    throw node.error(fmt::format("expected {}, found {}", measure.name,
                                 node.is_null()   ? "nothing"
                                 : node.is_list() ? "a list"
                                                  : "a map"),
                     remedy_for(measure));
  const std::string_view text = trimmed(node.text());
  if (text.size() > 1 && text[0] == '-' && (detail::is_digit(text[1]) || text[1] == '.'))
    throw node.error(
        fmt::format("{} cannot be negative, found {}", measure.name, detail::in_quotes(text)),
        remedy_for(measure));
  std::size_t end = 0;
  bool point = false;
  bool digits = false;
  for (; end < text.size() && (detail::is_digit(text[end]) || (text[end] == '.' && !point)); ++end)
    (text[end] == '.' ? point : digits) = true;
  if (!digits)
    throw node.error(fmt::format("expected {}, found {}", measure.name, detail::in_quotes(text)),
                     remedy_for(measure));
  return {text.substr(0, end), trimmed(text.substr(end))};
}

/// The unit that was probably meant, or empty: one that differs in case, or by a slip in a longer
/// name.
std::string meant(std::string_view written, const std::vector<std::string>& names) {
  const auto same = [](char a, char b) { return (a | 0x20) == (b | 0x20); };
  for (const std::string& name : names)
    if (std::equal(written.begin(), written.end(), name.begin(), name.end(), same)) return name;
  return written.size() < 4 ? "" : nearest(written, names);
}

/// Throws: ConfigError about the unit of `written`.
[[noreturn]] void reject_unit(const ConfigNode& node, const Written& written,
                              const Measure& measure) {
  const std::string text = detail::in_quotes(node.text());
  if (written.unit.empty())
    throw node.error(fmt::format("{} has no unit", text), remedy_for(measure));
  for (const Measure* other : {&duration(), &bytes(), &flits(), &cycles(), &rate()})
    if (find_unit(*other, written.unit) != nullptr)
      throw node.error(fmt::format("{} is {}, expected {}", text, other->name, measure.name),
                       remedy_for(measure));
  std::vector<std::string> names;
  for (const Unit& unit : measure.units) names.emplace_back(unit.name);
  const std::string near = meant(written.unit, names);
  throw node.error(
      fmt::format("unknown unit {}", detail::in_quotes(written.unit)),
      fmt::format("{}{} is written in {}", near.empty() ? "" : "did you mean `" + near + "`? ",
                  measure.name, detail::either(names)));
}

/// number * size, or nothing when that is above `greatest`.
std::optional<std::int64_t> whole_part(std::string_view digits, std::int64_t size) {
  const std::int64_t limit = greatest / size;
  std::int64_t value = 0;
  for (const char c : digits) {
    const int digit = c - '0';
    if (value > (limit - digit) / 10) return std::nullopt;
    value = value * 10 + digit;
  }
  return value * size;
}

/// 0.digits * size, or nothing when that is not an integer. The digits are processed from the last
/// one; the product is an integer exactly if every step divides by ten without remainder.
std::optional<std::int64_t> fraction_part(std::string_view digits, std::int64_t size) {
  std::int64_t value = 0;
  for (std::size_t i = digits.size(); i > 0; --i) {
    value += (digits[i - 1] - '0') * size;
    if (value % 10 != 0) return std::nullopt;
    value /= 10;
  }
  return value;
}

/// The quantity in the finest unit of its measure.
std::int64_t count(const ConfigNode& node, const Written& written, const Measure& measure) {
  const Unit* unit = find_unit(measure, written.unit);
  if (unit == nullptr) reject_unit(node, written, measure);
  const std::size_t point = written.number.find('.');
  const std::string_view fraction =
      point == std::string_view::npos ? "" : written.number.substr(point + 1);
  const auto whole = whole_part(written.number.substr(0, point), unit->size);
  const auto part = fraction_part(fraction, unit->size);
  const char* finest = measure.units.front().name;
  if (!part)
    throw node.error(fmt::format("{} is finer than 1 {}", detail::in_quotes(node.text()), finest),
                     fmt::format("write a whole number of {}", finest));
  if (!whole || *whole > greatest - *part)
    throw node.error(fmt::format("{} is too large", detail::in_quotes(node.text())),
                     fmt::format("write at most {} {}", greatest, finest));
  return *whole + *part;
}

std::int64_t count(const ConfigNode& node, const Measure& measure) {
  return count(node, split(node, measure), measure);
}

ValueType type_of(const Measure& measure) {
  return {measure.name.substr(measure.name.find(' ') + 1), measure.example,
          fmt::format(R"({{"type":"string","pattern":"^[0-9.]+ *{}$"}})", measure.pattern)};
}

/// In the largest of the first `units` units of the measure that needs at most `decimals` decimals.
std::string shortest(std::int64_t value, const Measure& measure, std::size_t units, int decimals) {
  std::string text = fmt::format("{} {}", value, measure.units.front().name);
  std::int64_t finest = 1;
  for (int i = 0; i < decimals; ++i) finest *= 10;
  for (std::size_t i = 1; i < units; ++i) {
    const std::int64_t size = measure.units[i].size;
    const std::int64_t step = size % finest == 0 ? size / finest : size;
    if (value < size || value % step != 0) continue;
    std::string number = fmt::format("{}", value / size);
    std::string rest = fmt::format("{:0{}}", value % size / step, decimals);
    rest.erase(rest.find_last_not_of('0') + 1);
    if (!rest.empty()) number += "." + rest;
    text = fmt::format("{} {}", number, measure.units[i].name);
  }
  return text;
}

}  // namespace

Cycle Delay::rounded(Duration period) const {
  if (in_cycles) return cycles;
  if (period.picoseconds <= 0) throw ModelError("a clock period must be positive");
  const std::int64_t rest = picoseconds % period.picoseconds;
  const bool up = rest >= period.picoseconds - rest;
  return picoseconds / period.picoseconds + (up ? 1 : 0);
}

std::int64_t Delay::exact_picoseconds(Duration period) const {
  if (!in_cycles) return picoseconds;
  if (period.picoseconds > 0 && cycles > greatest / period.picoseconds)
    throw ConfigError(
        "", fmt::format("{} of {} are too long", to_string(Cycles{cycles}), to_string(period)),
        fmt::format("a delay has at most {}", to_string(Duration{greatest})));
  return cycles * period.picoseconds;
}

Delay operator*(Delay per_byte, Bytes bytes) {
  const std::int64_t one = per_byte.in_cycles ? per_byte.cycles : per_byte.picoseconds;
  if (bytes.count > 0 && one > greatest / bytes.count) {
    const Delay longest =
        per_byte.in_cycles ? Delay::of(Cycles{greatest}) : Delay::of(Duration{greatest});
    throw ConfigError(
        "",
        fmt::format("{} for each byte of {} are too long", to_string(per_byte), to_string(bytes)),
        fmt::format("a delay has at most {}", to_string(longest)));
  }
  return {per_byte.in_cycles, per_byte.cycles * bytes.count, per_byte.picoseconds * bytes.count};
}

std::string to_string(Bytes value) { return shortest(value.count, bytes(), 4, 0); }
std::string to_string(Flits value) { return fmt::format("{} flit", value.count); }
std::string to_string(Cycles value) { return fmt::format("{} cycle", value.count); }
std::string to_string(Duration value) {
  return value.picoseconds == 0 ? "0 ns" : shortest(value.picoseconds, duration(), 5, 3);
}
std::string to_string(Delay value) {
  return value.in_cycles ? to_string(Cycles{value.cycles}) : to_string(Duration{value.picoseconds});
}
std::string to_string(Rate value) {
  char digits[400];  // the least positive double has 326
  const auto end = std::to_chars(digits, digits + sizeof digits, value.flits_per_node_cycle,
                                 std::chars_format::fixed);
  return std::string(digits, end.ptr) + " flit/node/cycle";
}

std::string counted(std::int64_t number, const std::string& thing) {
  return fmt::format("{} {}{}", number, thing, number == 1 ? "" : "s");
}

Bytes Codec<Bytes>::read(const ConfigNode& node) { return {count(node, bytes())}; }
ValueType Codec<Bytes>::type() { return type_of(bytes()); }

Flits Codec<Flits>::read(const ConfigNode& node) { return {count(node, flits())}; }
ValueType Codec<Flits>::type() { return type_of(flits()); }

Cycles Codec<Cycles>::read(const ConfigNode& node) { return {count(node, cycles())}; }
ValueType Codec<Cycles>::type() { return type_of(cycles()); }

Duration Codec<Duration>::read(const ConfigNode& node) { return {count(node, duration())}; }
ValueType Codec<Duration>::type() { return type_of(duration()); }

Delay Codec<Delay>::read(const ConfigNode& node) {
  const Written written = split(node, delay());
  if (find_unit(cycles(), written.unit) != nullptr)
    return Delay::of(Cycles{count(node, written, cycles())});
  if (find_unit(duration(), written.unit) != nullptr)
    return Delay::of(Duration{count(node, written, duration())});
  reject_unit(node, written, delay());
}
ValueType Codec<Delay>::type() { return type_of(delay()); }

Rate Codec<Rate>::read(const ConfigNode& node) {
  const Written written = split(node, rate());
  if (find_unit(rate(), written.unit) == nullptr) reject_unit(node, written, rate());
  double value = 0;
  const char* end = written.number.data() + written.number.size();
  const auto [stop, fault] = std::from_chars(written.number.data(), end, value);
  if (fault != std::errc{} || stop != end || !std::isfinite(value))
    throw node.error(fmt::format("{} is out of range", detail::in_quotes(node.text())),
                     remedy_for(rate()));
  return {value};
}
ValueType Codec<Rate>::type() { return type_of(rate()); }

}  // namespace flitwave
