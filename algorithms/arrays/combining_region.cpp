// algorithms/arrays/combining_region.cpp: some send for all; see region_communication.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/arrays/line_tree.hpp"
#include "algorithms/arrays/region_communication.hpp"

namespace flitwave {

namespace {

/// A base pattern's source nodes form blocks. In each block one node, the holder, gathers the data
/// of all and sends them. Destination nodes form blocks likewise, in each of which one node
/// receives for all. The position of this node in its block depends on the position of the base
/// pattern in its region, so that those of a region share no row and no column.
class CombiningRegion final : public RegionCommunication {
 public:
  CombiningRegion(const RegionGrid& of, const CombiningGrid& combining)
      : RegionCommunication(of),
        combining_(combining),
        source_rows_(of.pattern().source_rows / combining.source_rows),
        source_columns_(of.pattern().source_columns / combining.source_columns),
        destination_rows_(of.pattern().destination_rows / combining.destination_rows),
        destination_columns_(of.pattern().destination_columns / combining.destination_columns) {}

  int slots() const override {
    return combining_.source_rows * combining_.source_columns * combining_.destination_rows *
           combining_.destination_columns;
  }
  int gather_slots() const override {
    return tree_slots(source_columns_) + tree_slots(source_rows_);
  }
  int scatter_slots() const override {
    return tree_slots(destination_columns_) + tree_slots(destination_rows_);
  }

  void gather(const PatternPlace& at, std::vector<ArraySend>& sends) const override;
  void send(const PatternPlace& at, int first, std::vector<ArraySend>& sends) const override;
  void scatter(const PatternPlace& at, std::vector<ArraySend>& sends) const override;

 private:
  /// Positions in a block: the row of the holder, the column of the receiver.
  int holder_row(const PatternPlace& at) const { return at.column_in_region % source_rows_; }
  int receiver_column(const PatternPlace& at) const {
    return at.row_in_region % destination_columns_;
  }

  CombiningGrid combining_;
  int source_rows_;  ///< Rows of a block of nodes that one node serves.
  int source_columns_;
  int destination_rows_;
  int destination_columns_;
};

/// Halves a number until `halvings` are used up or the number is 1.
int halved(int nodes, int& halvings) {
  for (; halvings > 0 && nodes > 1; --halvings) nodes /= 2;
  return nodes;
}

/// Along rows to the block's first column, then along this column to the holder.
void CombiningRegion::gather(const PatternPlace& at, std::vector<ArraySend>& sends) const {
  const MeshPlace from = grid().source(at, at.row, at.column);
  const int top = at.row - at.row % source_rows_;
  const int left = at.column - at.column % source_columns_;
  for (const LineSend& send : line_gather(source_columns_, 0, at.column - left))
    sends.push_back(
        {TransferPhase::gather, send.slot, from, grid().source(at, at.row, left + send.to),
         grid().source_share(at, at.row, left + send.first, 1, send.last - send.first + 1)});
  if (at.column != left) return;
  for (const LineSend& send : line_gather(source_rows_, holder_row(at), at.row - top))
    sends.push_back({TransferPhase::gather, tree_slots(source_columns_) + send.slot, from,
                     grid().source(at, top + send.to, left),
                     grid().source_share(at, top + send.first, left, send.last - send.first + 1,
                                         source_columns_)});
}

void CombiningRegion::send(const PatternPlace& at, int first, std::vector<ArraySend>& sends) const {
  if (at.row % source_rows_ != holder_row(at) || at.column % source_columns_ != 0) return;
  const MeshPlace from = grid().source(at, at.row, at.column);
  const IndexBlock held = grid().source_share(at, at.row - at.row % source_rows_, at.column,
                                              source_rows_, source_columns_);
  const int rows = combining_.source_rows;
  const int turn =
      (at.column_in_region / source_rows_ - at.row / source_rows_ % rows + rows) % rows;
  const int across = combining_.destination_columns;
  for (int b = 0; b < across; ++b)
    for (int x = 0; x < combining_.destination_rows; ++x) {
      const int left =
          (at.row_in_region / destination_columns_ + b) % across * destination_columns_;
      const MeshPlace to =
          grid().destination(at, x * destination_rows_, left + receiver_column(at));
      const int slot =
          ((turn * across + b) * combining_.source_columns + at.column / source_columns_) *
              combining_.destination_rows +
          x;
      if (from != to)
        sends.push_back({TransferPhase::main, first + slot, from, to,
                         intersection(held, grid().destination_share(at, x * destination_rows_,
                                                                     left, destination_rows_,
                                                                     destination_columns_))});
    }
}

/// Along the block's first row, then along columns.
void CombiningRegion::scatter(const PatternPlace& at, std::vector<ArraySend>& sends) const {
  const MeshPlace from = grid().destination(at, at.row, at.column);
  const int top = at.row - at.row % destination_rows_;
  const int left = at.column - at.column % destination_columns_;
  if (at.row == top)
    for (const LineSend& send :
         line_scatter(destination_columns_, receiver_column(at), at.column - left))
      sends.push_back({TransferPhase::scatter, send.slot, from,
                       grid().destination(at, top, left + send.to),
                       grid().destination_share(at, top, left + send.first, destination_rows_,
                                                send.last - send.first + 1)});
  for (const LineSend& send : line_scatter(destination_rows_, 0, at.row - top))
    sends.push_back(
        {TransferPhase::scatter, tree_slots(destination_columns_) + send.slot, from,
         grid().destination(at, top + send.to, at.column),
         grid().destination_share(at, top + send.first, at.column, send.last - send.first + 1, 1)});
}

}  // namespace

CombiningGrid combining_grid(const BasePattern& pattern, CombiningDegree degree) {
  CombiningGrid combining;
  combining.source_columns = halved(pattern.source_columns, degree.gathers);
  combining.source_rows = halved(pattern.source_rows, degree.gathers);
  combining.destination_rows = halved(pattern.destination_rows, degree.scatters);
  combining.destination_columns = halved(pattern.destination_columns, degree.scatters);
  return combining;
}

std::unique_ptr<RegionCommunication> combining_region(const RegionGrid& grid,
                                                      const CombiningGrid& combining) {
  return std::make_unique<CombiningRegion>(grid, combining);
}

}  // namespace flitwave
