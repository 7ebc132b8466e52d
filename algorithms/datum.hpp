// algorithms/datum.hpp: the data of a piece, as far as they must be told apart.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <boost/container/small_vector.hpp>

#include "topologies/ids.hpp"

namespace flitwave {

/// What becomes of data at the node that receives them.
enum class Use {
  keep,     ///< They are what the node has from now on, of this piece.
  repeat,   ///< The same, and the node may have had them before: it sends on what comes now.
  combine,  ///< They are combined with what the node has.
  pass_on,  ///< They are combined with what the node sends on, and not with its own result.
};

/// Contributions to a piece, combined. Each is a number of 64 bits, and combining adds them, so
/// that what was forgotten, counted twice or taken from another piece gives another sum.
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

/// Whether data take the place of what was there.
constexpr bool replaces(Use use) { return use == Use::keep || use == Use::repeat; }

/// A node's own contribution to a piece.
Datum contribution(int piece, NodeId source);

/// What a node has had of one piece, step by step.
class PieceHistory {
 public:
  struct Receipt {
    int step;      ///< 0: from the start.
    int transfer;  ///< -1: from the start.
    Use use;
    Datum datum;
  };

  /// Kept by step; those of one step in the order of adding.
  void add(const Receipt& receipt);

  /// What the node has of the piece, and sends on, before a step.
  Datum held_before(int step) const;
  /// Of that, what came from others.
  Datum received_before(int step) const;
  Datum sent_before(int step, bool own) const {
    return own ? held_before(step) : received_before(step);
  }
  /// What the node has of it for itself after all steps.
  Datum result() const;
  /// Most pieces come to a node once.
  using Receipts = boost::container::small_vector<Receipt, 1>;
  const Receipts& receipts() const { return receipts_; }

  /// The latest step in which the node sent the piece; 0: it has not.
  int last_sent() const { return last_sent_; }
  void sent_in(int step) { last_sent_ = step > last_sent_ ? step : last_sent_; }

 private:
  Receipts receipts_;
  int last_sent_ = 0;
};

}  // namespace flitwave
