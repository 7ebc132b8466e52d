// routers/verilated/flit_table.hpp: the flits inside a design, by their tags.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "configs/quantity.hpp"
#include "modules/signals/flit.hpp"

namespace flitwave {

/// What is inside a router in RTL. Tags are handed out in turn, so that one that has left is not
/// used again soon.
class FlitTable {
 public:
  using Tag = std::uint64_t;

  /// A virtual channel of an output.
  struct Place {
    int output = 0;
    int vc = 0;

    bool operator==(const Place& other) const { return output == other.output && vc == other.vc; }
  };

  struct Entry {
    Flit flit;       ///< As it entered.
    int input = -1;  ///< The port by which it entered.
    Cycle entered = 0;
    bool inside = false;
    Cycle left = -1;             ///< The cycle in which a flit of this tag left last; -1: never.
    int output = -1;             ///< The port by which it left.
    std::optional<Place> offer;  ///< Where it is offered, under ready_valid.
    std::vector<std::uint64_t> bits;  ///< On the pins, as it entered.
  };

  /// `ports`: each has a tag reserved for its next flit. `tag_width`: of the field. `slots`: of all
  /// buffers of the design. `words`: the number of 64-bit words of a flit.
  FlitTable(int ports, int tag_width, int slots, int words);

  /// The tag that the next flit of an input has.
  Tag next(int port) const { return next_[static_cast<std::size_t>(port)]; }
  /// The entry of `next(port)`, into which flit, input and bits are written before it enters.
  Entry& reserved(int port) { return entries_[next(port)]; }
  /// The flit of `reserved(port)` enters. Returns: false when there is no tag for the flit that
  /// follows; then nothing enters.
  bool enter(int port, Cycle now);
  /// Null when no flit has had this tag.
  const Entry* find(Tag tag) const;
  /// The flit of a tag is offered at a place from now on.
  void offer(Tag tag, Place place) { entries_[tag].offer = place; }
  void leave(Tag tag, int output, Cycle now);

  int inside() const { return inside_; }

 private:
  bool reserve(int port);

  std::vector<Entry> entries_;  // Shape: [tags], as far as they were used
  std::size_t limit_;           // of tags
  int words_;
  std::deque<Tag> free_;
  std::vector<Tag> next_;  // Shape: [ports]
  int inside_ = 0;
};

}  // namespace flitwave
