// configs/schema.hpp: the parameters of a kind, each described once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "flitwave/configs/codec.hpp"
#include "flitwave/configs/quantity.hpp"

namespace flitwave {

/// One parameter as a manual shows it.
struct ParameterInfo {
  std::string name;
  ValueType type;
  bool required = false;
  std::string default_text;  ///< As written in a job; empty when required.
  std::string range_text;    ///< e.g. "1 .. 64"; empty when every value of the type will do.
  std::string sentence;      ///< What it means.
};

/// Least and greatest value that a parameter may have, in the parameter's own unit.
struct Range {
  double least = -std::numeric_limits<double>::infinity();
  double greatest = std::numeric_limits<double>::infinity();

  bool holds(double value) const { return value >= least && value <= greatest; }
  bool bounded() const;
  /// "1 .. 64"; in the unit of `example`, a value as it is written in a job.
  std::string text(const std::string& example = "") const;
};

inline Range at_least(double least) { return {least, std::numeric_limits<double>::infinity()}; }
inline Range between(double least, double greatest) { return {least, greatest}; }

namespace detail {

/// The number of a value that a Range judges; no number for values without an order.
inline std::optional<double> magnitude(int value) { return value; }
inline std::optional<double> magnitude(double value) { return value; }
inline std::optional<double> magnitude(std::uint64_t value) { return static_cast<double>(value); }
inline std::optional<double> magnitude(Bytes value) { return static_cast<double>(value.count); }
inline std::optional<double> magnitude(Flits value) { return static_cast<double>(value.count); }
inline std::optional<double> magnitude(Cycles value) { return static_cast<double>(value.count); }
inline std::optional<double> magnitude(Duration value) {
  return static_cast<double>(value.picoseconds);
}
inline std::optional<double> magnitude(Delay value) {
  return static_cast<double>(value.in_cycles ? value.cycles : value.picoseconds);
}
inline std::optional<double> magnitude(Rate value) { return value.flits_per_node_cycle; }
template <class T>
std::optional<double> magnitude(const T&) {
  return std::nullopt;
}

void check_range(const ConfigNode& node, std::optional<double> value, const Range& range);
/// Throws: ConfigError at the first key of `section` that is neither known nor allowed.
void refuse_unknown_keys(const ConfigNode& section, const std::vector<std::string>& known);
/// Throws: ConfigError when `section` is no map; a null section counts as an empty map.
void require_map(const ConfigNode& section);
[[noreturn]] void missing_key(const ConfigNode& section, const ParameterInfo& parameter);

}  // namespace detail

/// Key and printed value of every parameter, in schema order.
using Printed = std::vector<std::pair<std::string, std::string>>;

/// Names, types, defaults, ranges and meanings of the members of `Params`.
///
/// Defaults are the member initialisers of `Params`.
template <class Params>
class Schema {
 public:
  /// A parameter that every job must give.
  template <class T>
  Schema&& required(std::string name, T Params::*member, std::string sentence,
                    Range range = {}) && {
    add(std::move(name), member, std::move(sentence), range, true);
    return std::move(*this);
  }

  /// A parameter with a default.
  template <class T>
  Schema&& optional(std::string name, T Params::*member, std::string sentence,
                    Range range = {}) && {
    add(std::move(name), member, std::move(sentence), range, false);
    return std::move(*this);
  }

  /// Reads a section of a job. `also_known` are keys of the section that others read ("kind").
  /// Throws: ConfigError for unknown keys, missing keys, wrong types or units, and values out of
  ///   range, each at its place.
  Params parse(const ConfigNode& section, std::vector<std::string> also_known = {}) const {
    detail::require_map(section);
    std::vector<std::string> known = std::move(also_known);
    for (const Field& field : fields_) known.push_back(field.info.name);
    detail::refuse_unknown_keys(section, known);
    Params params{};
    for (const Field& field : fields_) {
      if (const ConfigNode* node = section.find(field.info.name))
        field.read(params, *node);
      else if (field.info.required)
        detail::missing_key(section, field.info);
    }
    return params;
  }

  Printed print(const Params& params) const {
    Printed printed;
    for (const Field& field : fields_) printed.emplace_back(field.info.name, field.print(params));
    return printed;
  }

  std::vector<ParameterInfo> describe() const {
    std::vector<ParameterInfo> infos;
    for (const Field& field : fields_) infos.push_back(field.info);
    return infos;
  }

 private:
  struct Field {
    ParameterInfo info;
    std::function<void(Params&, const ConfigNode&)> read;
    std::function<std::string(const Params&)> print;
  };

  template <class T>
  void add(std::string name, T Params::*member, std::string sentence, Range range, bool required) {
    Field field;
    field.info = {
        std::move(name),    Codec<T>::type(), required, "", range.text(Codec<T>::type().example),
        std::move(sentence)};
    if (!required) field.info.default_text = Codec<T>::print(Params{}.*member);
    field.read = [member, range](Params& params, const ConfigNode& node) {
      params.*member = Codec<T>::read(node);
      detail::check_range(node, detail::magnitude(params.*member), range);
    };
    field.print = [member](const Params& params) { return Codec<T>::print(params.*member); };
    fields_.push_back(std::move(field));
  }

  std::vector<Field> fields_;
};

}  // namespace flitwave
