// testbenches/observers/anatomy.hpp: which of a packet's cycles went to what, without gap or
// overlap.
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

/// A channel as far as the anatomy must know it.
struct AnatomyChannel {
  ChannelSite::Kind kind = ChannelSite::Kind::network;
  NodeId from;
  PortId output;  ///< Of the router that it leaves, local ports after network ports.
  Cycle latency = 1;
};

/// The network as far as the anatomy must know it.
struct AnatomySite {
  std::vector<AnatomyChannel> channels;  ///< By the channel numbers of transits.
  std::vector<bool> tells;               ///< Routers that tell of passages. Shape: [nodes]
  Handshake handshake = Handshake::credit;
};

/// Takes latencies apart by following back, from a packet's tail, what it was waiting for last:
/// at every place a flit was held either by the flit of its packet before it, which could only go
/// one after the other, or by its own coming; what it then waited for beyond is told by the router.
///
/// It is computed forwards: every flit carries the parts of the time since its packet was created,
/// and at each place takes over those of the flit before it or keeps its own. So the parts of any
/// flit sum to its time, and those of the tail to the packet's latency.
/// Throws: ModelError when a router tells of times that do not follow each other, or its passages
///   do not fit what crosses the channels.
class Anatomy {
 public:
  /// A flit's time up to a cycle, taken apart.
  struct Moment {
    Cycle at = 0;
    TimeParts parts;  ///< Of the time from the packet's creation to `at`.

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
  /// A flit crosses a channel; the transits of a cycle may come in any order.
  /// Returns: its time until the next edge, when it is taken. Of a tail on an ejection channel, the
  ///   packet's latency.
  Moment crossed(Cycle cycle, int channel, Flit flit, const Packet& packet);

 private:
  struct Travelling {
    Moment here;  // when it was taken at the place where it is
    std::size_t hop = 0;
  };
  /// What the packet's flits have done at one router and on the channel to it.
  struct Hop {
    Moment taken;  // the flit that came last
    Moment left;   // the flit that left its buffer last
    Cycle traversal = 0;
  };
  struct InFlight {
    std::deque<Travelling> flits;  // those that have been injected and not ejected
    std::int64_t first = 0;        // sequence of flits.front()
    std::vector<Hop> hops;
    Moment head_ejected;
    int ejection = 0;               // the channel by which it was
    std::vector<Passage> passages;  // told of, and not yet seen on the wires

    Travelling& flit(Flit flit) { return flits[index(flit.sequence() - first)]; }
  };
  /// Flits of one virtual channel between a router's buffer and the channel's end.
  struct Offers {
    std::deque<Cycle> due;  // the first edge at which each could be taken
    Cycle lost = 0;  // edges at which another virtual channel's was, in the first one's place
  };

  void inject(Cycle at, int channel, Flit flit, const Packet& packet, InFlight& state);
  void advance(Cycle at, int channel, Flit flit, InFlight& state);
  Moment follow(Flit flit, Cycle delay, InFlight& state) const;
  Moment leave_told(int channel, Flit flit, InFlight& state);
  Moment leave_untold(Cycle left, int channel, Flit flit, InFlight& state) const;
  void be_taken(Cycle at, int channel, Flit flit, const Hop& next, Moment& now);
  static Passage take_passage(InFlight& state, Flit flit, NodeId node);
  Cycle take_offer(int channel, int vc, Cycle at);

  AnatomySite site_;
  std::map<std::uint64_t, InFlight> packets_;      // by Flit::packet_bits
  std::map<std::pair<int, int>, int> channel_of_;  // node and output port -> channel
  std::vector<std::map<int, Offers>> offers_;      // per channel, by virtual channel
};

}  // namespace flitwave
