// algorithms/arrays/message_colouring.cpp: see message_colouring.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/arrays/message_colouring.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

#include "topologies/ids.hpp"

namespace flitwave {

namespace {

/// A directed channel, a sender or a receiver: a resource that one message of a slot uses alone.
enum class ResourceKind { east, west, south, north, sender, receiver };
constexpr int resource_kinds = 6;

/// The mesh's resources by number, and those that each message uses.
class MessageResources {
 public:
  MessageResources(const std::vector<MeshMessage>& messages, RouteOrder order) {
    for (const MeshMessage& message : messages) {
      rows_ = std::max({rows_, message.from.row + 1, message.to.row + 1});
      columns_ = std::max({columns_, message.from.column + 1, message.to.column + 1});
    }
    for (const MeshMessage& message : messages) used_.push_back(used_by(message, order));
  }

  std::size_t count() const { return index(rows_) * index(columns_) * resource_kinds; }
  const std::vector<std::size_t>& of(std::size_t message) const { return used_[message]; }
  std::size_t messages() const { return used_.size(); }

 private:
  std::size_t number(ResourceKind kind, MeshPlace place) const {
    return (index(place.row) * index(columns_) + index(place.column)) * resource_kinds +
           index(kind);
  }

  void walk(MeshPlace& at, MeshPlace to, bool along_row, std::vector<std::size_t>& used) const {
    int MeshPlace::*const axis = along_row ? &MeshPlace::column : &MeshPlace::row;
    const bool up = at.*axis < to.*axis;
    const ResourceKind kind = along_row ? (up ? ResourceKind::east : ResourceKind::west)
                                        : (up ? ResourceKind::south : ResourceKind::north);
    while (at.*axis != to.*axis) {
      used.push_back(number(kind, at));
      at.*axis += up ? 1 : -1;
    }
  }

  std::vector<std::size_t> used_by(const MeshMessage& message, RouteOrder order) const {
    if (message.from == message.to) return {};
    std::vector<std::size_t> used{number(ResourceKind::sender, message.from),
                                  number(ResourceKind::receiver, message.to)};
    MeshPlace at = message.from;
    const bool row_first = order == RouteOrder::row_first;
    walk(at, message.to, row_first, used);
    walk(at, message.to, !row_first, used);
    return used;
  }

  int rows_ = 0;
  int columns_ = 0;
  std::vector<std::vector<std::size_t>> used_;
};

/// The slots in which a resource is busy, 64 in a word.
class BusySlots {
 public:
  explicit BusySlots(std::size_t resources) : words_(resources) {}

  /// The first slot in which none of the resources is busy.
  int first_free(const std::vector<std::size_t>& resources) const {
    for (std::size_t word = 0;; ++word) {
      std::uint64_t busy = 0;
      for (const std::size_t resource : resources)
        if (word < words_[resource].size()) busy |= words_[resource][word];
      for (int bit = 0; bit < 64; ++bit)
        if ((busy >> bit & 1) == 0) return static_cast<int>(word) * 64 + bit;
    }
  }
  void take(const std::vector<std::size_t>& resources, int slot) {
    const std::size_t word = index(slot) / 64;
    for (const std::size_t resource : resources) {
      std::vector<std::uint64_t>& of = words_[resource];
      if (of.size() <= word) of.resize(word + 1);
      of[word] |= std::uint64_t{1} << (slot % 64);
    }
  }

 private:
  std::vector<std::vector<std::uint64_t>> words_;
};

/// Assigns each message the first free slot, in this order.
MessageColouring first_fit(const MessageResources& resources,
                           const std::vector<std::size_t>& order) {
  MessageColouring colouring;
  colouring.slots.assign(resources.messages(), -1);
  BusySlots busy(resources.count());
  for (const std::size_t message : order) {
    const int slot = busy.first_free(resources.of(message));
    busy.take(resources.of(message), slot);
    colouring.slots[message] = slot;
    colouring.count = std::max(colouring.count, slot + 1);
  }
  return colouring;
}

std::vector<int> loads_of_resources(const MessageResources& resources) {
  std::vector<int> loads(resources.count());
  for (std::size_t message = 0; message < resources.messages(); ++message)
    for (const std::size_t resource : resources.of(message)) ++loads[resource];
  return loads;
}

/// Messages that leave their node: those on the busiest resources first, then the longest.
std::vector<std::size_t> busiest_first(const MessageResources& resources,
                                       const std::vector<int>& loads) {
  std::vector<int> heaviest(resources.messages());
  std::vector<std::size_t> order;
  for (std::size_t message = 0; message < resources.messages(); ++message) {
    for (const std::size_t resource : resources.of(message))
      heaviest[message] = std::max(heaviest[message], loads[resource]);
    if (!resources.of(message).empty()) order.push_back(message);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::make_pair(-heaviest[a], -static_cast<std::ptrdiff_t>(resources.of(a).size())) <
           std::make_pair(-heaviest[b], -static_cast<std::ptrdiff_t>(resources.of(b).size()));
  });
  return order;
}

/// Orders whole slots: alternately backwards, and the fullest first. First fit in such an order
/// needs no more slots.
void reorder(std::vector<std::size_t>& order, const MessageColouring& colouring, bool backwards) {
  std::vector<int> sizes(index(colouring.count));
  for (const std::size_t message : order) ++sizes[index(colouring.slots[message])];
  const auto rank = [&](std::size_t message) {
    const int slot = colouring.slots[message];
    return std::make_pair(backwards ? 0 : -sizes[index(slot)], -slot);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
}

std::vector<MeshMessage> without_blocks(const std::vector<ArrayMessage>& messages) {
  std::vector<MeshMessage> plain;
  plain.reserve(messages.size());
  for (const ArrayMessage& message : messages)
    plain.push_back({message.from, message.to, message.block.elements()});
  return plain;
}

class ColouredSchedule final : public ArraySchedule {
 public:
  ColouredSchedule(const ArrayAssignment& assignment, int rounds) : ArraySchedule(assignment) {
    const std::vector<ArrayMessage> messages = assignment.messages();
    const MessageColouring colouring =
        colour_messages(without_blocks(messages), assignment.order, rounds);
    slots_ = colouring.count;
    for (std::size_t i = 0; i < messages.size(); ++i)
      if (colouring.slots[i] >= 0)
        sends_.push_back({TransferPhase::main, colouring.slots[i], messages[i].from, messages[i].to,
                          messages[i].block});
    std::stable_sort(sends_.begin(), sends_.end(), [](const ArraySend& a, const ArraySend& b) {
      return std::tie(a.from, a.slot) < std::tie(b.from, b.slot);
    });
  }

  int slots(TransferPhase phase) const override {
    return phase == TransferPhase::main ? slots_ : 0;
  }

  void sends_of(MeshPlace node, std::vector<ArraySend>& sends) const override {
    const auto begin =
        std::lower_bound(sends_.begin(), sends_.end(), node,
                         [](const ArraySend& send, MeshPlace place) { return send.from < place; });
    for (auto send = begin; send != sends_.end() && send->from == node; ++send)
      sends.push_back(*send);
  }

 private:
  std::vector<ArraySend> sends_;  ///< By sender, then by slot.
  int slots_ = 0;
};

}  // namespace

MessageColouring colour_messages(const std::vector<MeshMessage>& messages, RouteOrder order,
                                 int rounds) {
  const MessageResources resources(messages, order);
  const std::vector<int> loads = loads_of_resources(resources);
  const int bound = loads.empty() ? 0 : *std::max_element(loads.begin(), loads.end());
  std::vector<std::size_t> sequence = busiest_first(resources, loads);
  MessageColouring best = first_fit(resources, sequence);
  MessageColouring latest = best;
  for (int round = 0; round < rounds && best.count > bound; ++round) {
    reorder(sequence, latest, round % 2 == 0);
    latest = first_fit(resources, sequence);
    if (latest.count < best.count) best = latest;
  }
  best.bound = bound;
  return best;
}

std::unique_ptr<ArraySchedule> coloured_schedule(const ArrayAssignment& assignment, int rounds) {
  return std::make_unique<ColouredSchedule>(assignment, rounds);
}

std::int64_t coloured_time(const std::vector<MeshMessage>& messages,
                           const MessageColouring& colouring, std::int64_t alpha,
                           std::int64_t beta) {
  std::vector<std::int64_t> longest(index(colouring.count));
  for (std::size_t i = 0; i < messages.size(); ++i)
    if (const int slot = colouring.slots[i]; slot >= 0) {
      std::int64_t& elements = longest[index(slot)];
      elements = std::max(elements, messages[i].elements);
    }
  std::int64_t time = 0;
  for (const std::int64_t elements : longest) time += alpha + beta * elements;
  return time;
}

}  // namespace flitwave
