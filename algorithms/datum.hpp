// algorithms/datum.hpp: the data of a piece, as far as they must be distinguished.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <boost/container/small_vector.hpp>

#include "topologies/ids.hpp"

namespace flitwave {

/// The effect of data on the node that receives them.
enum class Use {
  keep,     ///< They replace what the node has of this piece.
  repeat,   ///< The same, but the node may have had them before; it forwards the new copy.
  combine,  ///< They are combined with what the node has.
  pass_on,  ///< They are combined with what the node forwards, not with its own result.
};

/// Contributions to a piece, combined. Each is a number of 64 bits, and combining adds them, so
/// that a contribution that is missing, counted twice or taken from another piece gives another
/// sum.
struct Datum {
  std::int64_t contributions = 0;
  std::uint64_t sum = 0;  ///< Modulo 2^64.

  bool empty() const { return contributions == 0; }
  Datum& operator+=(const Datum& other) {
    contributions += other.contributions;
    sum += other.sum;
    return *this;
  }
  friend bool operator==(const Datum& a, const Datum& b) {
    return a.contributions == b.contributions && a.sum == b.sum;
  }
  friend bool operator!=(const Datum& a, const Datum& b) { return !(a == b); }
};

/// Whether data replace the previous data.
constexpr bool replaces(Use use) { return use == Use::keep || use == Use::repeat; }

/// A node's own contribution to a piece.
Datum contribution(int piece, NodeId source);

/// The history of one piece at a node, step by step.
class PieceHistory {
 public:
  struct Receipt {
    int step;      ///< 0: from the start.
    int transfer;  ///< -1: from the start.
    Use use;
    Datum datum;
  };

  /// Sorted by step; within one step in the order of adding.
  void add(const Receipt& receipt);

  /// The data of the piece that the node has, and forwards, before a step.
  Datum held_before(int step) const;
  /// The part of it that was received from others.
  Datum received_before(int step) const;
  Datum sent_before(int step, bool own) const {
    return own ? held_before(step) : received_before(step);
  }
  /// The data of the piece that the node has for itself after all steps.
  Datum result() const;
  /// Most pieces arrive at a node once.
  using Receipts = boost::container::small_vector<Receipt, 1>;
  const Receipts& receipts() const { return receipts_; }

  /// The latest step in which the node sent the piece; 0: none.
  int last_sent() const { return last_sent_; }
  void sent_in(int step) { last_sent_ = step > last_sent_ ? step : last_sent_; }

 private:
  Receipts receipts_;
  int last_sent_ = 0;
};

}  // namespace flitwave
