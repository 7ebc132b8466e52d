// algorithms/cost_models/machines.cpp: see machines.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/cost_models/machines.hpp"

#include <fmt/format.h>

#include "algorithms/cost_models/measurements.hpp"
#include "configs/error.hpp"
#include "configs/node.hpp"

namespace flitwave {

namespace {

/// A row of a file of configs/measurements.
class Row {
 public:
  Row(const std::string& file, std::size_t row) : file_(file), row_(row) {}

  std::string text(const char* column) const {
    return table().rows[row_][table().column(column, file_)];
  }
  double number(const char* column) const { return table().number(row_, column, file_); }

 private:
  const Table& table() const { return measurements(file_); }

  std::string file_;
  std::size_t row_;
};

std::vector<Row> rows_of(const std::string& file) {
  std::vector<Row> rows;
  for (std::size_t row = 0; row < measurements(file).rows.size(); ++row)
    rows.emplace_back(file, row);
  return rows;
}

/// Alpha and gamma are each half of T_s.
AlphaBetaGamma halved(const Row& row) {
  const double half = row.number("startup") / 2;
  return {half, row.number("per_byte"), half};
}

/// The time per byte for a time of table 1.1, which is for 8 bytes.
constexpr double product_bytes = 8;

/// Table 1.1: the time per byte of a reduction, and the ratio of communication to computation.
void add_product(Machine& machine, const std::string& family) {
  for (const Row& row : rows_of("lan_1988/table_1_1")) {
    if (row.text("name") != family) continue;
    const double transfer = row.number("transfer");
    const double multiply = row.number("multiply");
    machine.combine = multiply / product_bytes;
    machine.notes.push_back(
        fmt::format("table 1.1, {}: 8 bytes to a neighbour take {:g} us, and a product of 8-byte "
                    "numbers {:g} us, {:.0f} times less",
                    row.text("system"), transfer, multiply, transfer / multiply));
  }
}

/// Table 2.1: one reading of its network.
void add_network(Machine& machine, const std::string& family) {
  for (const Row& row : rows_of("lan_1988/table_2_1")) {
    if (row.text("name") != family) continue;
    const double bits = row.number("bits_per_second");
    machine.notes.push_back(fmt::format(
        "table 2.1, {}: a hypercube of {} nodes, each with {} channels of {:g} "
        "Mbit/s, {:.4g} us a byte",
        row.text("system"), row.text("nodes"), row.text("channels"), bits / 1e6, 8e6 / bits));
  }
}

Machine next_neighbours_of(const Row& row) {
  Machine machine{row.text("name"), row.text("system"), "Lan 1988, " + row.text("source"),
                  halved(row)};
  add_product(machine, row.text("family"));
  add_network(machine, row.text("family"));
  return machine;
}

std::vector<Machine> read_machines() {
  std::vector<Machine> all;
  for (const Row& row : rows_of("tsai_1997/parameter_sets"))
    all.push_back({row.text("name"),
                   row.text("system"),
                   "Tsai 1997, " + row.text("used_for"),
                   {row.number("alpha"), row.number("beta"), row.number("gamma")}});
  for (const Row& row : rows_of("tsai_1997/table_5_1"))
    all.push_back({row.text("name"), row.text("system") + ", " + row.text("software"),
                   "Tsai 1997, table 5.1", halved(row)});
  for (const Row& row : rows_of("lan_1988/table_3_1")) all.push_back(next_neighbours_of(row));
  return all;
}

}  // namespace

const std::vector<Machine>& machines() {
  static const std::vector<Machine> all = read_machines();
  return all;
}

const Machine& machine(const std::string& name) {
  std::vector<std::string> names;
  for (const Machine& known : machines()) {
    if (known.name == name) return known;
    names.push_back(known.name);
  }
  throw ConfigError("machine", "unknown machine " + detail::in_quotes(name),
                    detail::known_names(name, names));
}

}  // namespace flitwave
