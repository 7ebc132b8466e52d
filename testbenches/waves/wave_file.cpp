// testbenches/waves/wave_file.cpp: see wave_file.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/waves/wave_file.hpp"

#include <algorithm>

#include "testbenches/waves/fst_file.hpp"
#include "testbenches/waves/vcd_file.hpp"

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
  return width > 1 ? name + " [" + std::to_string(width - 1) + ":0]" : name;
}

void visit(const std::vector<WaveVariable>& variables, VariableVisitor& visitor) {
  std::vector<std::string> inside;
  const auto go = [&](const std::string& scope) {
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

void require_format(WaveFormat format) {
  if (format == WaveFormat::fst) require_fst();
}

std::unique_ptr<WaveFile> open_wave_file(WaveFormat format, const std::string& path,
                                         std::int64_t limit,
                                         const std::vector<WaveVariable>& variables,
                                         const WaveNames& names, const std::string& comment) {
  if (format == WaveFormat::fst) return open_fst(path, limit, variables, names, comment);
  return std::make_unique<VcdFile>(path, limit, variables, comment);
}

}  // namespace flitwave
