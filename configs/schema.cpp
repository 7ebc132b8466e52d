// configs/schema.cpp: reading, printing and describing parameters; what every schema rejects.
// SPDX-License-Identifier: Apache-2.0
#include "configs/schema.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace flitwave {
namespace {

std::string number_text(double number) {
  constexpr double exact = 9007199254740992.0;  // 2^53
  if (number == std::floor(number) && std::abs(number) < exact)
    return fmt::format("{}", static_cast<std::int64_t>(number));
  return fmt::format("{}", number);
}

/// Prints a bound that is given in the parameter's own unit.
using Writer = std::string (*)(double);

template <class Quantity>
std::string counted(double number) {
  const bool whole = number == std::floor(number) && std::abs(number) < 9e15;
  return whole ? to_string(Quantity{static_cast<std::int64_t>(number)}) : number_text(number);
}

/// The writer for the unit of a value that is written as `text`.
Writer writer_like(const std::string& text) {
  const std::size_t start = text.find_first_not_of("+-.0123456789 ");
  const std::string unit = start == std::string::npos ? "" : text.substr(start);
  if (unit == "ps" || unit == "ns" || unit == "us" || unit == "ms" || unit == "s")
    return counted<Duration>;
  if (unit == "cycle" || unit == "cycles") return counted<Cycles>;
  if (unit == "flit" || unit == "flits") return counted<Flits>;
  if (!unit.empty() && unit.back() == 'B') return counted<Bytes>;
  if (unit == "flit/node/cycle" || unit == "flits/node/cycle")
    return [](double number) { return to_string(Rate{number}); };
  return number_text;
}

std::string range_text(const Range& range, Writer write) {
  const bool below = std::isfinite(range.least);
  const bool above = std::isfinite(range.greatest);
  if (below && above) return write(range.least) + " .. " + write(range.greatest);
  if (below) return ">= " + write(range.least);
  return above ? "<= " + write(range.greatest) : "";
}

void check_range(const ConfigNode& node, std::optional<double> value, const Range& range) {
  if (!value || range.holds(*value)) return;
  throw node.error("must be " + range_text(range, writer_like(node.text())) + ", found " +
                   node.text());
}

[[noreturn]] void missing_key(const ConfigNode& section, const ParameterInfo& parameter) {
  const std::string& example = parameter.type.example;
  throw section.error("the key `" + parameter.name + "` is missing",
                      example.empty()
                          ? fmt::format("add `{}`: {}", parameter.name, parameter.sentence)
                          : fmt::format("add it, e.g. `{}: {}` ({})", parameter.name, example,
                                        parameter.type.name));
}

}  // namespace

bool Range::bounded() const { return std::isfinite(least) || std::isfinite(greatest); }

std::string Range::text(const std::string& example) const {
  return range_text(*this, writer_like(example));
}

namespace detail {

void reject_unknown_keys(const ConfigNode& section, const std::vector<std::string>& known) {
  for (const auto& [key, value] : section.entries())
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw value.error("unknown key", known_names(key, known));
}

void require_map(const ConfigNode& section) {
  if (section.is_map() || section.is_null()) return;
  throw section.error(
      fmt::format("expected a map of settings, found a {}", section.is_list() ? "list" : "value"),
      "write `key: value` lines, or {key: value, ...}");
}

std::optional<double> magnitude(int value) { return value; }
std::optional<double> magnitude(double value) { return value; }
std::optional<double> magnitude(std::uint64_t value) { return static_cast<double>(value); }
std::optional<double> magnitude(Bytes value) { return static_cast<double>(value.count); }
std::optional<double> magnitude(Flits value) { return static_cast<double>(value.count); }
std::optional<double> magnitude(Cycles value) { return static_cast<double>(value.count); }
std::optional<double> magnitude(Duration value) { return static_cast<double>(value.picoseconds); }
std::optional<double> magnitude(Delay value) {
  return static_cast<double>(value.in_cycles ? value.cycles : value.picoseconds);
}
std::optional<double> magnitude(Rate value) { return value.flits_per_node_cycle; }

void Fields::add(std::string name, std::string sentence, const Range& range, const AnyCodec& codec,
                 std::ptrdiff_t offset, const void* standard) {
  const ValueType type = codec.type();
  const std::string range_text = range.text(type.example);
  fields_.push_back(
      {{std::move(name), type, standard == nullptr,
        standard == nullptr ? "" : codec.print(standard), range_text, std::move(sentence)},
       range,
       codec,
       offset});
}

void Fields::parse(const ConfigNode& section, std::vector<std::string> also_known,
                   void* params) const {
  require_map(section);
  for (const Field& field : fields_) also_known.push_back(field.info.name);
  reject_unknown_keys(section, also_known);
  // [parse]
  for (const Field& field : fields_) {
    const ConfigNode* node = section.find(field.info.name);
    if (node == nullptr) {
      if (field.info.required) missing_key(section, field.info);
      continue;
    }
    void* value = static_cast<char*>(params) + field.offset;
    field.codec.read(*node, value);
    check_range(*node, field.codec.magnitude(value), field.range);
  }
  // [parse]
}

Printed Fields::print(const void* params) const {
  Printed printed;
  for (const Field& field : fields_)
    printed.emplace_back(field.info.name,
                         field.codec.print(static_cast<const char*>(params) + field.offset));
  return printed;
}

std::vector<ParameterInfo> Fields::describe() const {
  std::vector<ParameterInfo> infos;
  for (const Field& field : fields_) infos.push_back(field.info);
  return infos;
}

}  // namespace detail

ConfigNode to_map(const Printed& printed) {
  std::vector<ConfigNode::Entry> entries;
  for (const auto& [key, value] : printed)
    entries.emplace_back(key, ConfigNode::parse(value, "default"));
  return ConfigNode::map(std::move(entries));
}

std::string map_text(const Printed& printed) {
  std::string text;
  for (const auto& [key, value] : printed) text += (text.empty() ? "" : ", ") + key + ": " + value;
  return "{" + text + "}";
}

}  // namespace flitwave
