// testbenches/observers/anatomy.hpp: the parts of a packet's latency, without gap or overlap.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "modules/network/channel_site.hpp"
#include "modules/router.hpp"
#include "testbenches/observers/time_parts.hpp"

namespace flitwave {

/// The properties of a channel that the anatomy needs.
struct AnatomyChannel {
  ChannelSite::Kind kind = ChannelSite::Kind::network;
  NodeId from;
  PortId output;  ///< Output of the router that it leaves; local ports follow network ports.
  Cycle latency = 1;
};

/// The properties of the network that the anatomy needs.
struct AnatomySite {
  std::vector<AnatomyChannel> channels;  ///< By the channel numbers of transits.
  std::vector<bool> reports_passages;    ///< Per router. Shape: [nodes]
  Handshake handshake = Handshake::credit;
};

/// Splits latencies by following back, from a packet's tail, what it waited for last. At every
/// position a flit was delayed either by the previous flit of its packet (serialisation) or by its
/// own arrival; the router reports the waits after that.
///
/// The computation runs forwards: every flit carries the parts of the time since its packet was
/// created, and at each position takes over those of the previous flit or keeps its own. So the
/// parts of any flit sum to its time, and those of the tail to the packet's latency.
/// Throws: ModelError when a router reports times that do not follow each other, or passages that
///   do not match the transits on the channels.
class Anatomy {
 public:
  /// A flit's time up to a cycle, split into parts.
  struct Moment {
    Cycle at = 0;
    TimeParts parts;  ///< The parts of the time from the packet's creation to `at`.

    void pass(Part part, Cycle cycles) {
      at += cycles;
      parts.pass(part, cycles);
    }
    void wait(Part part, Cycle cycles, int channel) {
      at += cycles;
      parts.wait(part, cycles, channel);
    }
  };

  explicit Anatomy(AnatomySite site);

  void passed(const Passage& passage);
  /// Records a flit that crosses a channel; the transits of a cycle may be reported in any order.
  /// Returns: its time until the next edge, at which it is accepted. For a tail on an ejection
  ///   channel, the packet's latency.
  Moment crossed(Cycle cycle, int channel, Flit flit, const Packet& packet);

 private:
  struct Travelling {
    Moment here;  // its acceptance at its current position
    std::size_t hop = 0;
  };
  /// The times of a packet's flits at one router and on the channel to it.
  struct Hop {
    Moment taken;  // the flit that arrived last
    Moment left;   // the flit that left its buffer last
    Cycle traversal = 0;
  };
  struct InFlight {
    std::deque<Travelling> flits;  // those that have been injected and not ejected
    std::int64_t first = 0;        // sequence of flits.front()
    std::vector<Hop> hops;
    Moment head_ejected;
    int ejection = 0;               // the channel by which it was
    std::vector<Passage> passages;  // reported, but not yet observed on the wires

    Travelling& flit(Flit flit) { return flits[index(flit.sequence() - first)]; }
  };
  /// Flits of one virtual channel between a router's buffer and the channel's end.
  struct Offers {
    std::deque<Cycle> due;  // the first edge at which each could be taken
    Cycle lost =
        0;  // edges at which another virtual channel's flit was accepted instead of the first
  };

  void inject(Cycle at, int channel, Flit flit, const Packet& packet, InFlight& state);
  void advance(Cycle at, int channel, Flit flit, InFlight& state);
  Moment follow(Flit flit, Cycle delay, InFlight& state) const;
  Moment leave_reported(int channel, Flit flit, InFlight& state);
  Moment leave_unreported(Cycle left, int channel, Flit flit, InFlight& state) const;
  void be_taken(Cycle at, int channel, Flit flit, const Hop& next, Moment& now);
  static Passage take_passage(InFlight& state, Flit flit, NodeId node);
  Cycle take_offer(int channel, int vc, Cycle at);

  AnatomySite site_;
  std::map<std::uint64_t, InFlight> packets_;      // by Flit::packet_bits
  std::map<std::pair<int, int>, int> channel_of_;  // node and output port -> channel
  std::vector<std::map<int, Offers>> offers_;      // per channel, by virtual channel
};

}  // namespace flitwave
