// configs/codec.cpp: plain values, lists and choices.
// SPDX-License-Identifier: Apache-2.0
#include "configs/codec.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include <fmt/format.h>

namespace flitwave {
namespace {

/// The value in the job that was found instead of the expected one.
std::string found(const ConfigNode& node) {
  switch (node.kind()) {
    case ConfigNode::Kind::null:
      return "nothing";
    case ConfigNode::Kind::list:
      return "a list";
    case ConfigNode::Kind::map:
      return "a map";
    case ConfigNode::Kind::scalar:
      break;
  }
  return (node.quoted() ? "the text " : "") + detail::in_quotes(node.text());
}

/// The text of an unquoted scalar.
const std::string& bare_text(const ConfigNode& node, const std::string& expected,
                             const std::string& remedy) {
  if (!node.is_scalar())
    throw node.error("expected " + expected + ", found " + found(node), remedy);
  if (node.quoted())
    throw node.error("expected " + expected + ", found " + found(node), "remove the quotes");
  return node.text();
}

/// `Whole` is an integer type.
template <class Whole>
Whole read_whole(const ConfigNode& node) {
  const std::string remedy = "write digits only, e.g. 4";
  const std::string& text = bare_text(node, "an integer", remedy);
  Whole value{};
  const char* end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, value);
  if (fault == std::errc::result_out_of_range ||
      (!std::numeric_limits<Whole>::is_signed && text.size() > 1 && text[0] == '-' &&
       text.find_first_not_of("0123456789", 1) == std::string::npos))
    throw node.error(detail::in_quotes(text) + " is out of range",
                     fmt::format("write an integer in {} .. {}", std::numeric_limits<Whole>::min(),
                                 std::numeric_limits<Whole>::max()));
  if (fault != std::errc{} || stop != end)
    throw node.error("expected an integer, found " + found(node), remedy);
  // YAML 1.1 reads 010 as eight, YAML 1.2 as ten.
  const std::size_t first = text[0] == '-' ? 1 : 0;
  if (text[first] == '0' && text.size() > first + 1)
    throw node.error("leading zeros in " + found(node), fmt::format("write {}", value));
  return value;
}

bool is_number(const std::string& text) {
  const std::size_t sign = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  double value = 0;
  const auto [stop, fault] = std::from_chars(text.data() + sign, text.data() + text.size(), value);
  return stop == text.data() + text.size() && fault != std::errc::invalid_argument;
}

/// Whether a YAML reader may read the plain text as something other than a string.
bool looks_typed(const std::string& text) {
  static const std::vector<std::string> words = {"true", "false", "yes", "no",  "on",  "off",
                                                 "y",    "n",     "nan", "inf", "null"};
  std::string lower = text;
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  if (std::find(words.begin(), words.end(), lower) != words.end()) return true;
  const bool digits_first = lower[0] >= '0' && lower[0] <= '9';
  const bool spelled = lower.find_first_not_of("0123456789abcdefox_+-.") == std::string::npos;
  return is_number(text) || (digits_first && spelled) || lower[0] == '.';
}

bool is_word_character(char c) {
  return detail::is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// Whether the text, written without quotes, is read back as the same scalar, also in a list.
bool is_plain(const std::string& text) {
  if (text.empty() || text == "null" || text == "Null" || text == "NULL") return false;
  const auto harmless = [](char c) {
    return is_word_character(c) || std::string_view("+-.*/=() ").find(c) != std::string_view::npos;
  };
  if (!std::all_of(text.begin(), text.end(), harmless) || text.back() == ' ') return false;
  const std::size_t sign = text[0] == '-' ? 1 : 0;
  const std::size_t point = text.substr(sign, 1) == "." ? 1 : 0;
  const char first = text[std::min(sign + point, text.size() - 1)];
  return sign + point == 0 ? is_word_character(first) || first == '/' : detail::is_digit(first);
}

std::string in_double_quotes(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      quoted += std::string("\\") + c;
    else if (c == '\n')
      quoted += "\\n";
    else if (c == '\t')
      quoted += "\\t";
    else if (byte < 0x20 || byte == 0x7f)
      quoted += fmt::format("\\x{:02x}", byte);
    else
      quoted += c;
  }
  return quoted + "\"";
}

std::string print_scalar(const ConfigNode& node) {
  return !node.quoted() && is_plain(node.text()) ? node.text() : in_double_quotes(node.text());
}

std::string print_key(const std::string& key) {
  return is_plain(key) ? key : in_double_quotes(key);
}

void print_flow(const ConfigNode& node, std::string& text) {
  const char* comma = "";
  switch (node.kind()) {
    case ConfigNode::Kind::null:
      text += "null";
      return;
    case ConfigNode::Kind::scalar:
      text += print_scalar(node);
      return;
    case ConfigNode::Kind::list:
      text += "[";
      for (const ConfigNode& item : node.items()) {
        text += comma;
        comma = ", ";
        print_flow(item, text);
      }
      text += "]";
      return;
    case ConfigNode::Kind::map:
      text += "{";
      for (const auto& [key, value] : node.entries()) {
        text += comma;
        comma = ", ";
        text += print_key(key) + ": ";
        print_flow(value, text);
      }
      text += "}";
      return;
  }
}

/// A JSON string; names and patterns hold no control characters.
std::string json_text(const std::string& text) { return in_double_quotes(text); }

}  // namespace

bool Codec<bool>::read(const ConfigNode& node) {
  const std::string remedy = "write true or false";
  const std::string& text = bare_text(node, "true or false", remedy);
  if (text != "true" && text != "false")
    throw node.error("expected true or false, found " + found(node), remedy);
  return text == "true";
}

ValueType Codec<bool>::type() { return {"true | false", "true", R"({"type":"boolean"})"}; }

int Codec<int>::read(const ConfigNode& node) { return read_whole<int>(node); }

ValueType Codec<int>::type() { return {"integer", "4", R"({"type":"integer"})"}; }

std::uint64_t Codec<std::uint64_t>::read(const ConfigNode& node) {
  return read_whole<std::uint64_t>(node);
}

ValueType Codec<std::uint64_t>::type() {
  return {"integer from 0", "4", R"({"type":"integer","minimum":0})"};
}

double Codec<double>::read(const ConfigNode& node) {
  const std::string remedy = "write a number, e.g. 0.5";
  const std::string& text = bare_text(node, "a number", remedy);
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, value);
  if (fault == std::errc::result_out_of_range)
    throw node.error(detail::in_quotes(text) + " is out of range",
                     "write 0 or a number whose size is in 1e-300 .. 1e300");
  if (fault != std::errc{} || stop != end || !std::isfinite(value))
    throw node.error("expected a number, found " + found(node), remedy);
  return value;
}

std::string Codec<double>::print(double value) { return fmt::format("{}", value); }

ValueType Codec<double>::type() { return {"number", "0.5", R"({"type":"number"})"}; }

std::string Codec<std::string>::read(const ConfigNode& node) {
  if (!node.is_scalar())
    throw node.error("expected a text, found " + found(node), "write a text, in quotes if need be");
  return node.text();
}

std::string Codec<std::string>::print(const std::string& value) {
  return is_plain(value) && !looks_typed(value) ? value : in_double_quotes(value);
}

ValueType Codec<std::string>::type() { return {"text", "name", R"({"type":"string"})"}; }

std::string Codec<ConfigNode>::print(const ConfigNode& value) {
  std::string text;
  print_flow(value, text);
  return text;
}

ValueType Codec<ConfigNode>::type() { return {"any value", "", "{}"}; }

namespace detail {

const std::vector<ConfigNode>& read_list(const ConfigNode& node) {
  if (!node.is_list())
    throw node.error("expected a list, found " + found(node),
                     node.is_scalar() ? "write it in brackets, e.g. [" + print_scalar(node) + "]"
                                      : "write values in brackets, separated by commas");
  return node.items();
}

std::string print_list(const std::vector<std::string>& items) {
  return fmt::format("[{}]", fmt::join(items, ", "));
}

ValueType list_type(const ValueType& item) {
  return {"list of " + item.name,
          item.example.empty() ? "" : fmt::format("[{0}, {0}]", item.example),
          fmt::format(R"({{"type":"array","items":{}}})", item.json_schema)};
}

std::size_t read_choice(const ConfigNode& node, const std::vector<std::string>& names) {
  if (!node.is_scalar()) throw node.error("expected " + either(names) + ", found " + found(node));
  const auto place = std::find(names.begin(), names.end(), node.text());
  if (place == names.end()) {
    const std::string near = nearest(node.text(), names);
    throw node.error("expected " + either(names) + ", found " + found(node),
                     near.empty() ? "" : "did you mean `" + near + "`?");
  }
  return static_cast<std::size_t>(place - names.begin());
}

ValueType choice_type(const std::vector<std::string>& names) {
  std::vector<std::string> quoted;
  for (const std::string& name : names) quoted.push_back(json_text(name));
  return {fmt::format("{}", fmt::join(names, " | ")), names.empty() ? "" : names.front(),
          fmt::format(R"({{"enum":[{}]}})", fmt::join(quoted, ","))};
}

}  // namespace detail
}  // namespace flitwave
