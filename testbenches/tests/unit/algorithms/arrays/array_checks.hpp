// testbenches/tests/unit/algorithms/arrays/array_checks.hpp: array schedules, checked by brute
// force.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "algorithms/arrays/sections/array_schedule.hpp"

/// Independent of the code under test: only sections, block sizes, alignment and route order are
/// read from the library. Owners are `element div block`, routes are followed hop by hop.
namespace flitwave::testing {

/// A directed channel between two neighbours.
using BruteChannel = std::pair<MeshPlace, MeshPlace>;

/// Every channel of a message's route.
inline std::vector<BruteChannel> brute_route(MeshPlace from, MeshPlace to, RouteOrder order) {
  std::vector<BruteChannel> route;
  const auto walk = [&](int MeshPlace::*axis) {
    while (from.*axis != to.*axis) {
      MeshPlace next = from;
      next.*axis += to.*axis > from.*axis ? 1 : -1;
      route.emplace_back(from, next);
      from = next;
    }
  };
  walk(order == RouteOrder::row_first ? &MeshPlace::column : &MeshPlace::row);
  walk(order == RouteOrder::row_first ? &MeshPlace::row : &MeshPlace::column);
  return route;
}

/// Number of elements of a section, counted one by one.
inline std::int64_t brute_elements(const Section& section) {
  std::int64_t elements = 0;
  for (std::int64_t i = section.lower; i <= section.upper; i += section.stride) ++elements;
  return elements;
}

inline int brute_owner(const BlockSection& side, std::int64_t index) {
  return static_cast<int>((side.section.lower + side.section.stride * index) / side.block);
}

/// The first owner of a section; the last one when a dimension is read backwards.
inline int brute_owner(const BlockSection& side, std::int64_t index, bool mirrored) {
  const std::int64_t last = brute_elements(side.section) - 1;
  const int owner = brute_owner(side, index);
  return mirrored ? brute_owner(side, 0) + brute_owner(side, last) - owner : owner;
}

inline MeshPlace brute_source(const ArrayAssignment& of, std::int64_t row, std::int64_t column) {
  return {brute_owner(of.rows.source(), row), brute_owner(of.columns.source(), column)};
}

inline MeshPlace brute_destination(const ArrayAssignment& of, std::int64_t row,
                                   std::int64_t column) {
  const Alignment a = of.alignment;
  const int r = brute_owner(of.rows.destination(), row,
                            a == Alignment::rotated_cw || a == Alignment::anti_transposed);
  const int c = brute_owner(of.columns.destination(), column,
                            a == Alignment::rotated_ccw || a == Alignment::anti_transposed);
  return a == Alignment::identical ? MeshPlace{r, c} : MeshPlace{c, r};
}

/// Elements that each node has for each other node and for itself, counted one by one.
inline std::map<std::pair<MeshPlace, MeshPlace>, std::int64_t> brute_messages(
    const ArrayAssignment& of) {
  std::map<std::pair<MeshPlace, MeshPlace>, std::int64_t> messages;
  const std::int64_t rows = brute_elements(of.rows.source().section);
  const std::int64_t columns = brute_elements(of.columns.source().section);
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t column = 0; column < columns; ++column)
      ++messages[{brute_source(of, row, column), brute_destination(of, row, column)}];
  return messages;
}

/// Load of every channel without a schedule: messages and their elements.
struct BruteLoad {
  std::int64_t messages = 0;
  std::int64_t elements = 0;
};
inline std::map<BruteChannel, BruteLoad> brute_loads(const ArrayAssignment& of) {
  std::map<BruteChannel, BruteLoad> loads;
  for (const auto& [ends, elements] : brute_messages(of))
    for (const BruteChannel& channel : brute_route(ends.first, ends.second, of.order)) {
      ++loads[channel].messages;
      loads[channel].elements += elements;
    }
  return loads;
}
/// Messages on the most loaded channel; 0 if no element leaves its node.
inline std::int64_t brute_bound(const ArrayAssignment& of) {
  std::int64_t most = 0;
  for (const auto& [channel, load] : brute_loads(of)) most = std::max(most, load.messages);
  return most;
}

inline std::string text_of(MeshPlace place) {
  return fmt::format("({},{})", place.row, place.column);
}
inline std::string text_of(const ArraySend& send) {
  return fmt::format("{} slot {}: {}->{} rows {}..{} columns {}..{}", name_of(send.phase),
                     send.slot, text_of(send.from), text_of(send.to), send.block.rows.first,
                     send.block.rows.last, send.block.columns.first, send.block.columns.last);
}

/// All fields of a send, for comparison.
inline auto all_of(const ArraySend& send) {
  return std::make_tuple(send.phase, send.slot, send.from, send.to, send.block.rows.first,
                         send.block.rows.last, send.block.columns.first, send.block.columns.last);
}

/// The sends by (phase, slot).
inline std::map<std::pair<TransferPhase, int>, std::vector<ArraySend>> by_slot(
    const std::vector<ArraySend>& sends) {
  std::map<std::pair<TransferPhase, int>, std::vector<ArraySend>> slots;
  for (const ArraySend& send : sends) slots[{send.phase, send.slot}].push_back(send);
  return slots;
}

/// The first fault of single sends: empty, from a node to itself, outside the mesh or the slots. ""
/// if there is none.
inline std::string fault_of_sends(const ArraySchedule& schedule,
                                  const std::vector<ArraySend>& sends) {
  const ArrayAssignment& of = schedule.assignment();
  const auto inside = [&](MeshPlace p) {
    return p.row >= 0 && p.row < of.mesh_rows() && p.column >= 0 && p.column < of.mesh_columns();
  };
  for (const ArraySend& send : sends) {
    if (send.from == send.to) return text_of(send) + " goes nowhere";
    if (send.block.empty()) return text_of(send) + " is empty";
    if (!inside(send.from) || !inside(send.to)) return text_of(send) + " leaves the mesh";
    if (send.slot < 0 || send.slot >= schedule.slots(send.phase))
      return text_of(send) +
             fmt::format(" is beyond the {} slots of its phase", schedule.slots(send.phase));
  }
  return "";
}

/// Two sends of a slot on one channel or at one port. "" if there are none.
inline std::string fault_of_slots(const ArraySchedule& schedule,
                                  const std::vector<ArraySend>& sends) {
  for (const auto& [slot, together] : by_slot(sends)) {
    std::set<MeshPlace> senders;
    std::set<MeshPlace> receivers;
    std::set<BruteChannel> channels;
    for (const ArraySend& send : together) {
      if (!senders.insert(send.from).second) return text_of(send) + ": a second send of its node";
      if (!receivers.insert(send.to).second) return text_of(send) + ": its receiver gets another";
      for (const BruteChannel& channel :
           brute_route(send.from, send.to, schedule.assignment().order))
        if (!channels.insert(channel).second)
          return text_of(send) + fmt::format(": channel {}->{} is used twice",
                                             text_of(channel.first), text_of(channel.second));
    }
  }
  return "";
}

/// The node that holds each element, updated as sends move elements; a send of an element that its
/// node does not hold is an error.
class ElementMap {
 public:
  explicit ElementMap(const ArrayAssignment& of)
      : rows_(brute_elements(of.rows.source().section)),
        columns_(brute_elements(of.columns.source().section)) {
    for (std::int64_t row = 0; row < rows_; ++row)
      for (std::int64_t column = 0; column < columns_; ++column)
        holders_.push_back({brute_source(of, row, column), false});
  }

  /// Performs the sends of one slot: each node may send only elements that it held before the slot.
  /// "" if all sends are possible.
  std::string move(const std::vector<ArraySend>& together) {
    const std::vector<Element> before = holders_;
    for (const ArraySend& send : together)
      for (std::int64_t row = send.block.rows.first; row <= send.block.rows.last; ++row)
        for (std::int64_t column = send.block.columns.first; column <= send.block.columns.last;
             ++column) {
          const std::size_t index = static_cast<std::size_t>(row * columns_ + column);
          if (row < 0 || row >= rows_ || column < 0 || column >= columns_ ||
              before[index].at != send.from || holders_[index].at != send.from)
            return text_of(send) + fmt::format(": no element {},{} there", row, column);
          if (send.phase == TransferPhase::main && before[index].crossed)
            return text_of(send) + fmt::format(": element {},{} a second time", row, column);
          holders_[index] = {send.to, before[index].crossed || send.phase == TransferPhase::main};
        }
    return "";
  }

  /// Checks that all elements have arrived. "" if they have.
  std::string end(const ArrayAssignment& of) const {
    for (std::int64_t row = 0; row < rows_; ++row)
      for (std::int64_t column = 0; column < columns_; ++column) {
        const MeshPlace at = holders_[static_cast<std::size_t>(row * columns_ + column)].at;
        const MeshPlace owner = brute_destination(of, row, column);
        if (at != owner)
          return fmt::format("element {},{} ends at {}, not at {}", row, column, text_of(at),
                             text_of(owner));
      }
    return "";
  }

 private:
  struct Element {
    MeshPlace at;
    bool crossed;  ///< By messages of the main phase.
  };
  std::int64_t rows_;
  std::int64_t columns_;
  std::vector<Element> holders_;
};

/// Follows every element slot by slot and checks that nodes send only elements that they held
/// before the slot, that elements change sides at most once in the main phase, and that all
/// elements end at their owners. "" if so.
inline std::string fault_of_replay(const ArraySchedule& schedule,
                                   const std::vector<ArraySend>& sends) {
  ElementMap elements(schedule.assignment());
  for (const auto& [slot, together] : by_slot(sends))
    if (const std::string fault = elements.move(together); !fault.empty()) return fault;
  return elements.end(schedule.assignment());
}

/// Checks that sends() equals the sends of all nodes, each queried alone and in another order.
inline std::string fault_of_union(const ArraySchedule& schedule,
                                  const std::vector<ArraySend>& sends) {
  std::multiset<decltype(all_of(ArraySend{}))> all;
  for (const ArraySend& send : sends) all.insert(all_of(send));
  for (int row = schedule.assignment().mesh_rows(); row >= -1; --row)
    for (int column = schedule.assignment().mesh_columns(); column >= -1; --column) {
      std::vector<ArraySend> own;
      schedule.sends_of({row, column}, own);
      if (!std::is_sorted(own.begin(), own.end()))
        return "the sends of " + text_of(MeshPlace{row, column}) + " are not in order";
      for (const ArraySend& send : own) {
        if (send.from != MeshPlace{row, column}) return text_of(send) + " is another node's";
        const auto found = all.find(all_of(send));
        if (found == all.end()) return text_of(send) + " is not among all sends";
        all.erase(found);
      }
    }
  return all.empty() ? "" : "a send is no node's own";
}

/// The first fault of a schedule in its single sends, slots, replay and union; "" if it has none.
/// Follows every element, so for small arrays only.
inline std::string fault_of(const ArraySchedule& schedule) {
  const std::vector<ArraySend> sends = schedule.sends();
  for (const auto& check : {fault_of_sends, fault_of_slots, fault_of_replay, fault_of_union})
    if (const std::string fault = check(schedule, sends); !fault.empty()) return fault;
  return "";
}

/// Whether some node both sends and receives in one slot.
inline bool has_node_contention(const ArraySchedule& schedule) {
  for (const auto& [slot, together] : by_slot(schedule.sends()))
    for (const ArraySend& a : together)
      for (const ArraySend& b : together)
        if (a.from == b.to) return true;
  return false;
}

/// Number of messages of the main phase with elements, by (sender, receiver).
inline std::map<std::pair<MeshPlace, MeshPlace>, int> main_pairs(const ArraySchedule& schedule) {
  std::map<std::pair<MeshPlace, MeshPlace>, int> pairs;
  for (const ArraySend& send : schedule.sends())
    if (send.phase == TransferPhase::main) ++pairs[{send.from, send.to}];
  return pairs;
}

}  // namespace flitwave::testing
