// testbenches/fuzz/cell.hpp: the combinations that cases cycle through.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace flitwave::fuzz {

/// The fixed settings of a case. Values are the words of a job, except for the switching, which is
/// one of wormhole, virtual_cut_through, store_and_forward, bubble (whole packets; entering a ring
/// takes two free slots), teardown and wait (circuits).
struct Cell {
  std::string switching;
  std::string handshake;
  int vcs = 1;
  std::string topology;

  std::string text() const;
};

/// All valid cells.
const std::vector<Cell>& cells();
/// The cell of case `number`: switchings take turns, and the cells of each are equally frequent.
const Cell& cell_of(std::int64_t number);
/// The number of cases after which every cell has had `times` cases.
std::int64_t cases_for(std::int64_t times);

}  // namespace flitwave::fuzz
