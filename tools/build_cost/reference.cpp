// tools/build_cost/reference.cpp: the unit in which the compile cost of the program is measured.
// SPDX-License-Identifier: Apache-2.0 Never changed: tools/check_build.py compiles it in the same
// run, so that the speed of the machine has no effect. It has the typical content of our files:
// large headers, containers of strings, and templates that are instantiated for many types.
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <systemc>

namespace {

template <int N>
struct Value {
  std::string name = std::to_string(N);
  std::vector<std::string> parts{std::size_t{N} + 1, name};
};

template <int N>
std::string text(const std::map<std::string, Value<N>>& values) {
  std::ostringstream out;
  std::vector<std::pair<std::string, Value<N>>> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.second.parts < b.second.parts; });
  for (const auto& [key, value] : sorted) {
    out << key << ": ";
    for (const std::string& part : value.parts) out << part << ", ";
  }
  const std::function<std::string(std::string)> quoted = [](std::string plain) {
    return std::regex_replace(plain, std::regex("[a-z]+"), "<$&>");
  };
  return quoted(out.str());
}

template <int... Ns>
std::string all(std::integer_sequence<int, Ns...>) {
  std::string texts;
  ((texts += text<Ns>({{std::to_string(Ns), Value<Ns>{}}})), ...);
  return texts;
}

}  // namespace

std::string reference() { return all(std::make_integer_sequence<int, 10>{}); }
