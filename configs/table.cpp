// configs/table.cpp: see table.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "configs/table.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

#include "configs/error.hpp"

namespace flitwave {

std::string to_csv(const Table& table) {
  std::string text;
  const auto add = [&text](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const bool quote = cells[i].find_first_of(",\"\r\n") != std::string::npos;
      if (i > 0) text += ',';
      if (!quote) {
        text += cells[i];
        continue;
      }
      text += '"';
      for (const char c : cells[i]) text.append(c == '"' ? 2 : 1, c);
      text += '"';
    }
    text += '\n';
  };
  add(table.columns);
  for (const auto& row : table.rows) add(row);
  return text;
}

namespace {

/// The cells of all lines. A quoted cell may hold commas, line feeds and doubled quotes.
std::vector<std::vector<std::string>> cells_of(const std::string& text) {
  std::vector<std::vector<std::string>> lines;
  std::vector<std::string> line(1);
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      const bool doubled = quoted && text.compare(i, 2, "\"\"") == 0;
      if (doubled)
        line.back() += text[i++];
      else
        quoted = !quoted;
    } else if (!quoted && c == '\r' && text.compare(i, 2, "\r\n") == 0) {
      continue;
    } else if (quoted || (c != ',' && c != '\n')) {
      line.back() += c;
    } else if (c == ',') {
      line.emplace_back();
    } else {
      lines.push_back(std::move(line));
      line.assign(1, "");
    }
  }
  if (line.size() > 1 || !line[0].empty()) lines.push_back(std::move(line));
  return lines;
}

void require_names_of_their_own(std::vector<std::string> names, const std::string& file) {
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end())
    throw SystemFailure(
        fmt::format("{}: two columns are called {}", file, detail::in_quotes(*twice)));
}

}  // namespace

Table parse_csv(const std::string& text, const std::string& file) {
  const std::string mark = "\xEF\xBB\xBF";
  std::size_t start = text.compare(0, mark.size(), mark) == 0 ? mark.size() : 0;
  while (start < text.size() && text[start] == '#')
    start = std::min(text.size(), text.find('\n', start) + 1);
  Table table;
  for (std::vector<std::string>& line : cells_of(text.substr(start))) {
    if (table.columns.empty()) {
      table.columns = std::move(line);
      require_names_of_their_own(table.columns, file);
      continue;
    }
    if (line.size() != table.columns.size())
      throw SystemFailure(fmt::format("{}: row {} has {} cells, the header {}", file,
                                      table.rows.size() + 1, line.size(), table.columns.size()));
    table.rows.push_back(std::move(line));
  }
  return table;
}

Table load_csv(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw SystemFailure("cannot read " + path + ": " + std::strerror(errno));
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw SystemFailure("cannot read " + path + ": it is a folder");
  return parse_csv({std::istreambuf_iterator<char>(file), {}}, path);
}

bool Table::has(const std::string& name) const {
  return std::find(columns.begin(), columns.end(), name) != columns.end();
}

std::size_t Table::column(const std::string& name, const std::string& file) const {
  if (!has(name))
    throw SystemFailure(
        fmt::format("{}: no column `{}`; {}", file, name,
                    columns.empty() ? "it is empty"
                                    : fmt::format("its columns are {}", fmt::join(columns, ", "))));
  return static_cast<std::size_t>(std::find(columns.begin(), columns.end(), name) -
                                  columns.begin());
}

double Table::number(std::size_t row, const std::string& name, const std::string& file) const {
  const std::string& text = rows.at(row).at(column(name, file));
  double value = 0;
  const auto [stop, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc{} || stop != text.data() + text.size() || !std::isfinite(value))
    throw SystemFailure(fmt::format("{}: row {}, column `{}`: {} is not a number", file, row + 1,
                                    name, detail::in_quotes(text)));
  return value;
}

}  // namespace flitwave
