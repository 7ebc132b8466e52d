// algorithms/untimed/overlapping_steps.cpp: dependent transfers, and shared channels of the others.
// SPDX-License-Identifier: Apache-2.0
#include "algorithms/untimed/overlapping_steps.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace flitwave {
namespace {

/// Each message's transfers as a tree: the children of a transfer are the next one of the same
/// sender, and the first one of the receiver. Descendants of a transfer start after it.
class TransferTree {
 public:
  /// `members`: numbers of transfers, ascending.
  TransferTree(const Schedule& schedule, std::vector<int> members)
      : members_(std::move(members)), below_(members_.size()), spans_(members_.size()) {
    std::map<NodeId, std::size_t> last_of;  // sent by a node, or to it
    std::vector<std::size_t> roots;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const Transfer& transfer = schedule.transfer(members_[i]);
      const auto before = last_of.find(transfer.from);
      (before == last_of.end() ? roots : below_[before->second]).push_back(i);
      last_of[transfer.from] = i;
      last_of[transfer.to] = i;
    }
    number(roots);
  }

  const std::vector<int>& members() const { return members_; }
  /// The index of a transfer, then of all its descendants: first .. second - 1.
  const std::pair<int, int>& span(std::size_t member) const { return spans_[member]; }

 private:
  void number(std::vector<std::size_t> left) {
    int next = 0;
    std::vector<std::size_t> open;  // visited, with descendants not yet numbered
    while (!left.empty()) {
      const std::size_t member = left.back();
      if (!open.empty() && open.back() == member) {
        spans_[member].second = next;
        open.pop_back();
        left.pop_back();
        continue;
      }
      spans_[member].first = next++;
      open.push_back(member);
      left.insert(left.end(), below_[member].begin(), below_[member].end());
    }
  }

  std::vector<int> members_;
  std::vector<std::vector<std::size_t>> below_;  // by index in members_
  std::vector<std::pair<int, int>> spans_;
};

/// A transfer of a tree crosses a channel.
struct TreeUse {
  Crossing on;
  std::pair<int, int> span;
  int transfer;
  int step;
};

/// Among the uses of one class of a channel, in the order of spans: each with one that it may
/// contend with.
class Meetings {
 public:
  explicit Meetings(std::vector<Contention>& found) : found_(found) {}

  void add(const TreeUse& use) {
    while (!under_way_.empty() && under_way_.back()->span.second <= use.span.first) {
      remember(*under_way_.back());
      under_way_.pop_back();
    }
    for (const TreeUse* other : apart_)
      if (other->step != use.step) {
        const TreeUse& first = other->step < use.step ? *other : use;
        const TreeUse& second = other->step < use.step ? use : *other;
        found_.push_back({first.step, use.on.channel, first.transfer, second.transfer});
        break;
      }
    under_way_.push_back(&use);
  }

 private:
  /// Later additions neither depend on it nor precede it. Two steps are sufficient.
  void remember(const TreeUse& use) {
    if (apart_.empty() || (apart_.size() == 1 && apart_.front()->step != use.step))
      apart_.push_back(&use);
  }

  std::vector<Contention>& found_;
  std::vector<const TreeUse*> under_way_;  // each depends on the previous one
  std::vector<const TreeUse*> apart_;
};

/// The transfers of each piece; none where one is not sent along a tree.
std::optional<std::vector<std::vector<int>>> transfers_by_piece(const Schedule& schedule) {
  std::vector<std::vector<int>> by_piece(schedule.pieces().size());
  for (std::size_t i = 0; i < schedule.transfers().size(); ++i) {
    const Transfer& transfer = schedule.transfers()[i];
    if (transfer.pieces.size() != 1 || transfer.copy_of >= 0) return std::nullopt;
    const int piece = transfer.pieces.front();
    if (schedule.delivery_of(piece).combines() || transfer.use == Use::repeat) return std::nullopt;
    by_piece[index(piece)].push_back(static_cast<int>(i));
  }
  return by_piece;
}

}  // namespace

std::optional<std::vector<Contention>> overlapping_steps(const Schedule& schedule,
                                                         const Topology& topology,
                                                         const RoutingFunction& routing) {
  auto by_piece = transfers_by_piece(schedule);
  if (!by_piece) return std::nullopt;
  std::vector<Contention> found;
  for (std::vector<int>& members : *by_piece) {
    if (members.size() < 2) continue;
    const TransferTree tree(schedule, std::move(members));
    std::vector<TreeUse> uses;
    for (std::size_t i = 0; i < tree.members().size(); ++i) {
      const int number = tree.members()[i];
      for (const Crossing& on : untimed_crossings(schedule, number, topology, routing))
        uses.push_back({on, tree.span(i), number, schedule.transfer(number).step});
    }
    std::sort(uses.begin(), uses.end(), [](const TreeUse& a, const TreeUse& b) {
      return std::tie(a.on.channel, a.on.vc_class, a.span.first) <
             std::tie(b.on.channel, b.on.vc_class, b.span.first);
    });
    for (std::size_t first = 0; first < uses.size();) {
      Meetings meetings(found);
      const Crossing& on = uses[first].on;
      std::size_t end = first;
      for (; end < uses.size() && uses[end].on.channel == on.channel &&
             uses[end].on.vc_class == on.vc_class;
           ++end)
        meetings.add(uses[end]);
      first = end;
    }
  }
  return found;
}

}  // namespace flitwave
