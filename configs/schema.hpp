// configs/schema.hpp: the parameters of a kind, each described once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "configs/codec.hpp"
#include "configs/quantity.hpp"

namespace flitwave {

/// Least and greatest value that a parameter may have, in the parameter's own unit.
struct Range {
  double least = -std::numeric_limits<double>::infinity();
  double greatest = std::numeric_limits<double>::infinity();

  bool holds(double value) const { return value >= least && value <= greatest; }
  bool bounded() const;
  /// "1 .. 64"; in the unit of `example`, which is a value as written in a job.
  std::string text(const std::string& example = "") const;
};

inline Range at_least(double least) { return {least, std::numeric_limits<double>::infinity()}; }
inline Range between(double least, double greatest) { return {least, greatest}; }

/// Key and printed value of every parameter, in schema order.
using Printed = std::vector<std::pair<std::string, std::string>>;
/// "{key: value, key: value}"
std::string map_text(const Printed& printed);
/// The map that they are written as.
ConfigNode to_map(const Printed& printed);

namespace detail {

/// The number that is compared with a Range; none for values without an order.
std::optional<double> magnitude(int value);
std::optional<double> magnitude(double value);
std::optional<double> magnitude(std::uint64_t value);
std::optional<double> magnitude(Bytes value);
std::optional<double> magnitude(Flits value);
std::optional<double> magnitude(Cycles value);
std::optional<double> magnitude(Duration value);
std::optional<double> magnitude(Delay value);
std::optional<double> magnitude(Rate value);
template <class T>
std::optional<double> magnitude(const T&) {
  return std::nullopt;
}

/// Throws: ConfigError at the first key of `section` that is neither known nor allowed.
void reject_unknown_keys(const ConfigNode& section, const std::vector<std::string>& known);
/// Throws: ConfigError when `section` is not a map; a null section counts as an empty map.
void require_map(const ConfigNode& section);

/// The codec of an erased type: functions on the address of a value.
struct AnyCodec {
  ValueType (*type)();
  void (*read)(const ConfigNode& node, void* value);
  std::string (*print)(const void* value);
  std::optional<double> (*magnitude)(const void* value);
};

template <class T>
AnyCodec any_codec() {
  return {
      Codec<T>::type,
      [](const ConfigNode& node, void* value) { *static_cast<T*>(value) = Codec<T>::read(node); },
      [](const void* value) { return Codec<T>::print(*static_cast<const T*>(value)); },
      [](const void* value) { return magnitude(*static_cast<const T*>(value)); }};
}

/// The parameters of a schema without the type that holds their values; compiled once for all
/// types.
class Fields {
 public:
  /// `offset`: distance of the value from the beginning of its parameters. Unit: byte
  /// `standard`: the default value; null for a required parameter.
  void add(std::string name, std::string sentence, const Range& range, const AnyCodec& codec,
           std::ptrdiff_t offset, const void* standard);

  /// `params` holds the defaults. `also_known` are keys of the section that other code reads.
  /// Throws: ConfigError, see Schema::parse.
  void parse(const ConfigNode& section, std::vector<std::string> also_known, void* params) const;
  Printed print(const void* params) const;
  std::vector<ParameterInfo> describe() const;

 private:
  struct Field {
    ParameterInfo info;
    Range range;
    AnyCodec codec;
    std::ptrdiff_t offset;
  };

  std::vector<Field> fields_;
};

}  // namespace detail

/// Names, types, defaults, ranges and meanings of the members of `Params`.
///
/// Defaults are the member initialisers of `Params`.
template <class Params>
class Schema {
 public:
  /// A parameter that every job must specify; `Base` is Params, or a base of it.
  template <class T, class Base>
  Schema&& required(std::string name, T Base::*member, std::string sentence, Range range = {}) && {
    add(std::move(name), member, std::move(sentence), range, true);
    return std::move(*this);
  }

  /// A parameter with a default.
  template <class T, class Base>
  Schema&& optional(std::string name, T Base::*member, std::string sentence, Range range = {}) && {
    add(std::move(name), member, std::move(sentence), range, false);
    return std::move(*this);
  }

  /// Reads a section of a job. `also_known` are keys of the section that other code reads ("kind").
  /// Throws: ConfigError for unknown keys, missing keys, wrong types or units, and values out of
  ///   range, each at its position.
  Params parse(const ConfigNode& section, std::vector<std::string> also_known = {}) const {
    Params params{};
    fields_.parse(section, std::move(also_known), &params);
    return params;
  }

  Printed print(const Params& params) const { return fields_.print(&params); }
  std::vector<ParameterInfo> describe() const { return fields_.describe(); }
  const detail::Fields& fields() const { return fields_; }

 private:
  template <class T, class Base>
  void add(std::string name, T Base::*member, std::string sentence, const Range& range,
           bool required) {
    static const Params defaults{};  // yields the member's offset in an object, and its default
    const T& standard = defaults.*member;
    const std::ptrdiff_t offset =
        reinterpret_cast<const char*>(&standard) - reinterpret_cast<const char*>(&defaults);
    fields_.add(std::move(name), std::move(sentence), range, detail::any_codec<T>(), offset,
                required ? nullptr : &standard);
  }

  detail::Fields fields_;
};

}  // namespace flitwave
