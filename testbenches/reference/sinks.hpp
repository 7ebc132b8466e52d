// testbenches/reference/sinks.hpp: checks and counts the flits that interfaces eject.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "configs/error.hpp"
#include "testbenches/reference/fingerprint.hpp"
#include "testbenches/reference/packets.hpp"
#include "testbenches/reference/window.hpp"
#include "testbenches/reference/word.hpp"

namespace flitwave::reference {

class Sinks {
 public:
  Sinks(const Params& params, const Window& window, Packets& packets, Fingerprint& fingerprint,
        Results& results)
      : keep_packets_(params.keep_packets),
        window_(window),
        packets_(packets),
        fingerprint_(fingerprint),
        results_(results) {}

  /// A flit has crossed a channel.
  void cross(Index channel, Word flit, Cycle now) {
    const Index packet = packet_of(flit);
    fingerprint_.crossed(channel, packets_.key[packet], flit);
    if (window_.holds(now - 1)) ++results_.flits_in_window;
    if (is_head(flit)) packets_.times[packet].head_taken = now;
    if (is_tail(flit)) packets_.times[packet].tail_taken = now;
  }
  /// A node ejects a flit.
  void take(Index node, Word flit, Cycle now) {
    const Index packet = packet_of(flit);
    const PacketTimes& times = packets_.times[packet];
    if (times.destination != node || packets_.arrived[packet]++ != sequence_of(flit))
      throw ModelError("reference: misrouted or out-of-order flit");
    if (is_tail(flit)) finish_packet(packet, now);
  }

  /// The arrived packets that were created in the window.
  std::int64_t tagged() const { return tagged_; }
  /// The cycle in which the last of them arrived.
  Cycle last_tagged() const { return last_tagged_; }

 private:
  void finish_packet(Index packet, Cycle now) {
    const PacketTimes& times = packets_.times[packet];
    if (window_.holds(times.created)) {
      ++tagged_;
      last_tagged_ = now;
      results_.total.add(times.tail_taken - times.created);
      results_.network.add(times.tail_taken - times.injected);
      results_.head.add(times.head_taken - times.created);
      if (keep_packets_) results_.packets.push_back(times);
    }
    packets_.remove(packet);
  }

  bool keep_packets_;
  const Window& window_;
  Packets& packets_;
  Fingerprint& fingerprint_;
  Results& results_;
  std::int64_t tagged_ = 0;
  Cycle last_tagged_ = 0;
};

}  // namespace flitwave::reference
