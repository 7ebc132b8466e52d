// algorithms/arrays/one_to_one_region.cpp: each to each; see region_communication.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/arrays/region_communication.hpp"

namespace flitwave {

namespace {

/// Groups of C' rows and C columns send by diagonals. Within a group each row sends to a different
/// column of its base pattern, and its nodes send one after another to the rows of that column.
class OneToOneRegion final : public RegionCommunication {
 public:
  explicit OneToOneRegion(const RegionGrid& of) : RegionCommunication(of) {}

  int slots() const override {
    return groups() * grid().pattern().destination_columns * slots_per_column();
  }

  void send(const PatternPlace& at, int first, std::vector<ArraySend>& sends) const override {
    const BasePattern& pattern = grid().pattern();
    const int across = pattern.destination_columns;
    const int local_row = at.row_in_region * pattern.source_rows + at.row;
    const DiagonalSections diagonals{groups(), groups()};
    const int group = diagonals.slot(local_row / across, at.column_in_region);
    for (int turn = 0; turn < across; ++turn) {
      const int column = (local_row % across + turn + 1) % across;
      const int slot = first + (group * across + turn) * slots_per_column() +
                       at.column * pattern.destination_rows;
      for (int row = 0; row < pattern.destination_rows; ++row)
        add(at, slot + row, grid().destination(at, row, column), sends);
    }
  }

 private:
  int groups() const { return grid().columns_of_patterns(); }
  int slots_per_column() const {
    return grid().pattern().source_columns * grid().pattern().destination_rows;
  }

  void add(const PatternPlace& at, int slot, MeshPlace to, std::vector<ArraySend>& sends) const {
    const MeshPlace from = grid().source(at, at.row, at.column);
    const ArrayAssignment& of = grid().assignment();
    if (from != to)
      sends.push_back({TransferPhase::main, slot, from, to,
                       intersection(of.at_source(from), of.at_destination(to))});
  }
};

}  // namespace

std::unique_ptr<RegionCommunication> one_to_one_region(const RegionGrid& grid) {
  return std::make_unique<OneToOneRegion>(grid);
}

}  // namespace flitwave
