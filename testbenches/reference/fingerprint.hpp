// testbenches/reference/fingerprint.hpp: one number for all flits on all channels.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "configs/quantity.hpp"
#include "configs/random.hpp"
#include "testbenches/reference/word.hpp"

namespace flitwave::reference {

/// A sum of hashes of all transits. A transit belongs to the cycle before the one in which the flit
/// is taken, when it is on the receiver's wires.
class Fingerprint {
 public:
  void begin(Cycle now) {
    now_ = now;
    when_ = mix(static_cast<std::uint64_t>(now));  // of the preceding cycle, plus one
  }
  /// `key`: of the flit's packet.
  void crossed(std::int64_t channel, std::uint64_t key, Word flit) {
    const std::uint64_t what = key + (flit & on_wires);
    sum_ += mix(what ^ when_ ^ static_cast<std::uint64_t>(channel) << 40);
    ++count_;
    last_ = now_;
  }

  std::uint64_t value() const { return sum_; }
  std::int64_t count() const { return count_; }
  /// The cycle in which the last flit was taken.
  Cycle last() const { return last_; }

 private:
  Cycle now_ = 0;
  std::uint64_t when_ = 0;
  std::uint64_t sum_ = 0;
  std::int64_t count_ = 0;
  Cycle last_ = 0;
};

}  // namespace flitwave::reference
