// testbenches/fuzz/cell.cpp: see cell.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "testbenches/fuzz/cell.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

namespace flitwave::fuzz {

namespace {

/// Cells that take turns, and their turns out of eight.
struct Group {
  std::vector<std::size_t> turns;
  std::vector<Cell> cells;
};

constexpr std::size_t turns = 8;

Group buffered(const char* switching, std::vector<std::size_t> its_turns) {
  Group group{std::move(its_turns), {}};
  for (const char* topology : {"mesh", "torus", "ring", "hypercube", "custom"})
    for (int vcs = 1; vcs <= 8; ++vcs)
      for (const char* handshake : {"credit", "ready_valid"})
        group.cells.push_back({switching, handshake, vcs, topology});
  return group;
}

/// As many cells as each of the groups above has per turn.
Group circuits() {
  Group group{{3}, {}};
  for (const char* topology : {"mesh", "torus", "ring", "hypercube", "custom"})
    for (const int vcs : {1, 2, 3, 8})
      for (const char* switching : {"teardown", "wait"})
        group.cells.push_back({switching, "acknowledge", vcs, topology});
  return group;
}

const std::array<Group, 5>& groups() {
  static const std::array<Group, 5> all = {
      buffered("wormhole", {0, 4}), buffered("virtual_cut_through", {1, 5}),
      buffered("store_and_forward", {2, 6}), circuits(),
      Group{{7}, {{"bubble", "credit", 1, "torus"}, {"bubble", "credit", 1, "ring"}}}};
  return all;
}

std::vector<Cell> make_cells() {
  std::vector<Cell> all;
  for (const Group& group : groups()) all.insert(all.end(), group.cells.begin(), group.cells.end());
  return all;
}

}  // namespace

std::string Cell::text() const {
  return fmt::format("{} {} {} vc {}", switching, handshake, vcs, topology);
}

const std::vector<Cell>& cells() {
  static const std::vector<Cell> all = make_cells();
  return all;
}

// The stride is coprime to the number of cells, so that the first few cases are of many kinds.
const Cell& cell_of(std::int64_t number) {
  const auto round = static_cast<std::size_t>(number) / turns;
  const auto turn = static_cast<std::size_t>(number) % turns;
  const auto group = std::find_if(groups().begin(), groups().end(), [turn](const Group& one) {
    return std::find(one.turns.begin(), one.turns.end(), turn) != one.turns.end();
  });
  const std::size_t in_round = turn == group->turns.front() ? 0 : 1;
  const std::size_t count = group->cells.size();
  std::size_t stride = count * 3 / 8 + 1;
  while (std::gcd(stride, count) != 1) ++stride;
  const std::size_t position = round * group->turns.size() + in_round;
  return group->cells[position % count * stride % count];
}

std::int64_t cases_for(std::int64_t times) {
  std::size_t rounds = 0;
  for (const Group& group : groups())
    rounds = std::max(rounds, (group.cells.size() + group.turns.size() - 1) / group.turns.size());
  return times * static_cast<std::int64_t>(rounds * turns);
}

}  // namespace flitwave::fuzz
