// algorithms/arrays/array_memory.cpp: see array_memory.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/arrays/array_memory.hpp"

#include <utility>

#include <fmt/format.h>

#include "algorithms/arrays/array_demand.hpp"
#include "configs/error.hpp"

namespace flitwave {

namespace {

constexpr std::size_t most_faults = 5;

/// Calls `visit` for each index, block by block, row by row.
template <class Visit>
void for_each_index(const std::vector<IndexBlock>& blocks, Visit visit) {
  for (const IndexBlock& block : blocks)
    for (std::int64_t row = block.rows.first; row <= block.rows.last; ++row)
      for (std::int64_t column = block.columns.first; column <= block.columns.last; ++column)
        visit(row, column);
}

}  // namespace

ArrayMemory::ArrayMemory(const Schedule& schedule, const Topology& topology)
    : schedule_(schedule),
      topology_(topology),
      array_(*schedule.demand().moved),
      held_(index(topology.nodes())) {
  const std::int64_t elements = array_.elements();
  if (elements > most_elements)
    throw ModelError(
        fmt::format("{} elements are more than the memory check can store one by one", elements));
  written_.assign(index(elements), -1);
  keep_local();
}

NodeId ArrayMemory::source_of(std::int64_t row, std::int64_t column) const {
  return node_at(topology_, array_.source(row, column));
}

NodeId ArrayMemory::destination_of(std::int64_t row, std::int64_t column) const {
  return node_at(topology_, array_.destination(row, column));
}

void ArrayMemory::fault(std::int64_t row, std::int64_t column, const std::string& text) {
  if (faults_.size() < most_faults)
    faults_.push_back(fmt::format("section index ({}, {}): {}", row, column, text));
}

/// Elements that have the same owner on both sides need no message.
void ArrayMemory::keep_local() {
  for (std::int64_t row = 0; row < array_.rows(); ++row)
    for (std::int64_t column = 0; column < array_.columns(); ++column)
      if (source_of(row, column) == destination_of(row, column))
        written_[place(row, column)] = array_.value(row, column);
}

/// From a node's part of the source array.
ArrayMemory::Parcel ArrayMemory::read(int delivery, NodeId node) {
  Parcel parcel{array_.blocks_of(delivery), {}};
  for_each_index(parcel.blocks, [&](std::int64_t row, std::int64_t column) {
    const bool owns = source_of(row, column) == node;
    parcel.values.push_back(owns ? array_.value(row, column) : -1);
    if (!owns)
      fault(row, column,
            fmt::format("node {} sends it, but node {} has it", topology_.label(node),
                        topology_.label(source_of(row, column))));
  });
  return parcel;
}

/// Into a node's part of the destination array.
void ArrayMemory::write(const Parcel& parcel, NodeId node) {
  std::size_t next = 0;
  for_each_index(parcel.blocks, [&](std::int64_t row, std::int64_t column) {
    const std::int64_t value = parcel.values[next++];
    if (destination_of(row, column) != node)
      return fault(
          row, column,
          fmt::format("node {} receives it, but it belongs to node {}", topology_.label(node),
                      topology_.label(destination_of(row, column))));
    std::int64_t& written = written_[place(row, column)];
    if (written >= 0)
      fault(row, column, fmt::format("node {} receives it twice", topology_.label(node)));
    written = value;
  });
}

void ArrayMemory::send(int transfer) {
  const Transfer& sent = schedule_.transfer(transfer);
  for (int delivery : sent.pieces) {
    if (delivery >= array_.deliveries()) continue;  // a barrier's delivery
    const Parcels& held = held_[sent.from.index()];
    const auto found = held.find(delivery);
    under_way_[transfer].emplace(delivery,
                                 found != held.end() ? found->second : read(delivery, sent.from));
  }
}

void ArrayMemory::receive(int transfer) {
  const auto found = under_way_.find(transfer);
  if (found == under_way_.end()) return;
  const NodeId node = schedule_.transfer(transfer).to;
  for (auto& [delivery, parcel] : found->second) {
    // A node that gathers for others may send its own elements as well.
    if (schedule_.delivery_of(delivery).destinations.front() == node) write(parcel, node);
    held_[node.index()].insert_or_assign(delivery, std::move(parcel));
  }
  under_way_.erase(found);
}

ArrayVerdict ArrayMemory::compare(const std::vector<int>& unreached) const {
  ArrayVerdict verdict{static_cast<std::int64_t>(written_.size()), 0, faults_};
  std::vector<bool> may_lack(written_.size());
  for (const int delivery : unreached)
    for_each_index(array_.blocks_of(delivery), [&](std::int64_t row, std::int64_t column) {
      may_lack[place(row, column)] = true;
    });
  for (std::int64_t row = 0; row < array_.rows(); ++row)
    for (std::int64_t column = 0; column < array_.columns(); ++column) {
      const std::int64_t written = written_[place(row, column)];
      if (written == array_.value(row, column)) {
        ++verdict.right;
      } else if (verdict.faults.size() < most_faults &&
                 (written >= 0 || !may_lack[place(row, column)])) {
        verdict.faults.push_back(
            fmt::format("section index ({}, {}): node {} {}", row, column,
                        topology_.label(destination_of(row, column)),
                        written < 0 ? "does not receive it" : "has the value of another element"));
      }
    }
  return verdict;
}

}  // namespace flitwave
