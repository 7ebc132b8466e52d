// algorithms/arrays/sections/array_schedule.cpp: see array_schedule.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/arrays/sections/array_schedule.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace flitwave {

namespace {

MeshPlace exchanged(MeshPlace place) { return {place.column, place.row}; }

/// The schedule of the problem with rows and columns exchanged.
class ExchangedSchedule final : public ArraySchedule {
 public:
  ExchangedSchedule(const ArrayAssignment& assignment, std::unique_ptr<ArraySchedule> inner)
      : ArraySchedule(assignment), inner_(std::move(inner)) {}

  int slots(TransferPhase phase) const override { return inner_->slots(phase); }

  void sends_of(MeshPlace node, std::vector<ArraySend>& sends) const override {
    const auto begin = static_cast<std::ptrdiff_t>(sends.size());
    inner_->sends_of(exchanged(node), sends);
    for (auto send = sends.begin() + begin; send != sends.end(); ++send)
      *send = {send->phase,
               send->slot,
               exchanged(send->from),
               exchanged(send->to),
               {send->block.columns, send->block.rows}};
    std::stable_sort(sends.begin() + begin, sends.end());
  }

  std::vector<std::string> remarks() const override { return inner_->remarks(); }

 private:
  std::unique_ptr<ArraySchedule> inner_;
};

}  // namespace

std::string name_of(TransferPhase phase) {
  static const char* const names[transfer_phases] = {"shift_up", "shift_left", "gather",     "main",
                                                     "scatter",  "shift_down", "shift_right"};
  return names[static_cast<int>(phase)];
}

bool operator<(const ArraySend& a, const ArraySend& b) {
  return std::tie(a.phase, a.slot, a.from) < std::tie(b.phase, b.slot, b.from);
}

int ArraySchedule::steps() const {
  return step(static_cast<TransferPhase>(transfer_phases), 0) - 1;
}

int ArraySchedule::step(TransferPhase phase, int slot) const {
  int before = 0;
  for (int i = 0; i < static_cast<int>(phase); ++i) before += slots(static_cast<TransferPhase>(i));
  return before + slot + 1;
}

std::vector<ArraySend> ArraySchedule::sends() const {
  std::vector<ArraySend> sends;
  for (int row = 0; row < assignment_.mesh_rows(); ++row)
    for (int column = 0; column < assignment_.mesh_columns(); ++column)
      sends_of({row, column}, sends);
  std::stable_sort(sends.begin(), sends.end());
  return sends;
}

std::unique_ptr<ArraySchedule> detail::exchange_back(const ArrayAssignment& assignment,
                                                     std::unique_ptr<ArraySchedule> exchanged) {
  return std::make_unique<ExchangedSchedule>(assignment, std::move(exchanged));
}

}  // namespace flitwave
