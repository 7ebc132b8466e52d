// configs/codec.hpp: reading, printing and describing the values of a type in a job.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "configs/node.hpp"

namespace flitwave {

struct ParameterInfo;

/// The description of a type of value, for the manual and for editors.
struct ValueType {
  std::string name;                         ///< e.g. "duration"
  std::string example;                      ///< e.g. "20 ns"; empty when every value is allowed.
  std::string json_schema;                  ///< A JSON Schema fragment, e.g. {"type":"integer"}.
  std::vector<ParameterInfo> parameters{};  ///< Of a section, which may be absent; else empty.
};

/// The description of a parameter for the manual.
struct ParameterInfo {
  std::string name;
  ValueType type;
  bool required = false;
  std::string default_text;  ///< As written in a job; empty when required.
  std::string range_text;    ///< e.g. "1 .. 64"; empty when every value of the type is allowed.
  std::string sentence;      ///< Its meaning.
};

/// Reads, prints and describes values of type T; specialised per type.
///
/// `read` throws ConfigError at the node's position; `print` returns YAML text that `read` accepts.
template <class T, class Enable = void>
struct Codec;

template <>
struct Codec<bool> {
  static bool read(const ConfigNode& node);
  static std::string print(bool value) { return value ? "true" : "false"; }
  static ValueType type();
};
template <>
struct Codec<int> {
  static int read(const ConfigNode& node);
  static std::string print(int value) { return std::to_string(value); }
  static ValueType type();
};
template <>
struct Codec<std::uint64_t> {
  static std::uint64_t read(const ConfigNode& node);
  static std::string print(std::uint64_t value) { return std::to_string(value); }
  static ValueType type();
};
template <>
struct Codec<double> {
  static double read(const ConfigNode& node);
  static std::string print(double value);
  static ValueType type();
};
template <>
struct Codec<std::string> {
  static std::string read(const ConfigNode& node);
  static std::string print(const std::string& value);  ///< Quoted where YAML needs it.
  static ValueType type();
};

/// An unread subtree, for values that another folder reads later (edge lists, node names).
template <>
struct Codec<ConfigNode> {
  static ConfigNode read(const ConfigNode& node) { return node; }
  static std::string print(const ConfigNode& value);  ///< One line of flow-style YAML.
  static ValueType type();
};

namespace detail {
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
const std::vector<ConfigNode>& read_list(const ConfigNode& node);
std::string print_list(const std::vector<std::string>& items);
ValueType list_type(const ValueType& item);
std::size_t read_choice(const ConfigNode& node, const std::vector<std::string>& names);
ValueType choice_type(const std::vector<std::string>& names);
}  // namespace detail

template <class T>
struct Codec<std::vector<T>> {
  static std::vector<T> read(const ConfigNode& node) {
    std::vector<T> values;
    for (const ConfigNode& item : detail::read_list(node)) values.push_back(Codec<T>::read(item));
    return values;
  }
  static std::string print(const std::vector<T>& values) {
    std::vector<std::string> items;
    for (const T& value : values) items.push_back(Codec<T>::print(value));
    return detail::print_list(items);
  }
  static ValueType type() { return detail::list_type(Codec<T>::type()); }
};

/// An enumeration is read by name. Beside the enumeration, define
/// `std::vector<std::string> names_of(E)`: the names of its values 0, 1, 2, ... in order.
template <class E>
struct Codec<E, std::enable_if_t<std::is_enum_v<E>>> {
  static E read(const ConfigNode& node) {
    return static_cast<E>(detail::read_choice(node, names_of(E{})));
  }
  static std::string print(E value) { return names_of(E{})[static_cast<std::size_t>(value)]; }
  static ValueType type() { return detail::choice_type(names_of(E{})); }
};

}  // namespace flitwave
