// routers/verilated/flit_table.cpp: see flit_table.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "routers/verilated/flit_table.hpp"

#include <algorithm>

#include "configs/error.hpp"

namespace flitwave {

namespace {

/// More tags than these and twice those of all buffers would only cost memory.
constexpr std::size_t many = 4096;

}  // namespace

FlitTable::FlitTable(int ports, int tag_width, int slots, int words)
    : limit_(std::min(std::size_t{1} << std::min(tag_width, 32),
                      many + 2 * static_cast<std::size_t>(slots))),
      words_(words),
      next_(static_cast<std::size_t>(ports)) {
  for (int port = 0; port < ports; ++port)
    if (!reserve(port)) throw ModelError("a design with fewer tags than ports");
}

/// Until all tags were used, a new one; then the one that has been free longest.
bool FlitTable::reserve(int port) {
  Tag tag = entries_.size();
  if (tag < limit_) {
    entries_.emplace_back();
    entries_.back().bits.resize(static_cast<std::size_t>(words_));
  } else {
    if (free_.empty()) return false;
    tag = free_.front();
    free_.pop_front();
  }
  entries_[tag].input = -1;  // nothing is written yet
  entries_[tag].offer.reset();
  next_[static_cast<std::size_t>(port)] = tag;
  return true;
}

bool FlitTable::enter(int port, Cycle now) {
  const Tag tag = next(port);
  if (!reserve(port)) return false;
  Entry& entry = entries_[tag];
  entry.entered = now;
  entry.inside = true;
  ++inside_;
  return true;
}

const FlitTable::Entry* FlitTable::find(Tag tag) const {
  return tag < entries_.size() ? &entries_[tag] : nullptr;
}

void FlitTable::leave(Tag tag, int output, Cycle now) {
  Entry& entry = entries_[tag];
  entry.inside = false;
  entry.left = now;
  entry.output = output;
  free_.push_back(tag);
  --inside_;
}

}  // namespace flitwave
