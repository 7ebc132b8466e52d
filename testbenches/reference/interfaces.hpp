// testbenches/reference/interfaces.hpp: all sources and interfaces, side by side.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <vector>

#include "flitwave/configs/error.hpp"
#include "flitwave/testbenches/reference/fingerprint.hpp"
#include "flitwave/testbenches/reference/packets.hpp"
#include "flitwave/testbenches/reference/wiring.hpp"
#include "flitwave/testbenches/reference/word.hpp"

namespace flitwave::reference {

/// Makes packets, sends them flit by flit into the network, and takes out what arrives.
///
/// A sender is one injection channel: node * most_locals + local port.
template <class Links>
class Interfaces {
 public:
  Interfaces(const Params& params, const Wiring& wiring, Packets& packets, Links& links,
             Fingerprint& fingerprint, Results& results)
      : params_(params),
        wiring_(wiring),
        packets_(packets),
        links_(links),
        fingerprint_(fingerprint),
        results_(results),
        gap_(params.rate / params.length),
        window_begin_(start + params.warmup),
        window_end_(window_begin_ + params.measure),
        queues_(wiring.nodes, std::deque<Waiting>()),
        to_send_(wiring.nodes, 0),
        busy_(wiring.nodes * wiring.most_locals, 0),
        packet_(busy_.size(), -1),
        current_(busy_.size(), Waiting()),
        sent_(busy_.size(), 0),
        vc_(busy_.size(), 0),
        next_vc_(busy_.size(), 0) {
    for (Index node = 0; node < wiring.nodes; ++node) {
      const auto place = static_cast<std::uint64_t>(node);
      gaps_.push_back(Random(params.seed, "injection", place));
      destinations_.push_back(Random(params.seed, "destination", place));
      choices_.push_back(Random(params.seed, "routing choice", place));
      next_packet_.push_back(start + gap_.draw(gaps_[node]));
    }
  }

  /// One cycle of all nodes.
  void tick(Cycle now) {
    now_ = now;
    for (Index node = 0; node < wiring_.nodes; ++node)
      if (next_packet_[node] == now || to_send_[node] > 0 || links_.any(wiring_.nodes + node))
        tick_one(node);
  }

  /// No more packets are made, and those that no injection channel has begun are forgotten.
  void stop() {
    for (Index node = 0; node < wiring_.nodes; ++node) {
      next_packet_[node] = INT64_MAX;
      const Index waiting = static_cast<Index>(queues_[node].size());
      to_send_[node] -= waiting;
      all_to_send_ -= waiting;
      queues_[node].clear();
    }
  }

  Cycle window_begin() const { return window_begin_; }
  Cycle window_end() const { return window_end_; }
  /// Of the packets made in the window so far.
  bool tagged_arrived() const { return tagged_arrived_ == tagged_; }
  bool tagged_arrived_before(Cycle now) const { return tagged_arrived() && last_tagged_ < now; }
  bool at_rest() const { return all_to_send_ == 0 && packets_.inside() == 0; }

 private:
  static constexpr Cycle start = 1;  // the cycle in which sources start

  struct Waiting {
    NodeId destination;
    Cycle created = 0;
  };

  void tick_one(Index node) {
    node_ = node;
    const Index unit = wiring_.nodes + node;
    if (next_packet_[node] == now_) make_packet();
    links_.collect(unit);
    eject(links_.arrivals(unit));
    if (to_send_[node] > 0)
      for (Index local = 0; local < wiring_.locals[node]; ++local) inject(local);
    links_.choose(unit);
  }

  bool in_window(Cycle cycle) const { return cycle >= window_begin_ && cycle < window_end_; }

  void make_packet() {
    const NodeId destination =
        params_.pattern->destination(NodeId(static_cast<int>(node_)), destinations_[node_]);
    if (!destination.valid()) {
      next_packet_[node_] = INT64_MAX;
      return;
    }
    queues_[node_].push_back({destination, now_});
    ++to_send_[node_];
    ++all_to_send_;
    tagged_ += in_window(now_) ? 1 : 0;
    next_packet_[node_] = now_ + gap_.draw(gaps_[node_]);
  }

  /// Takes every flit in the cycle in which it comes.
  void eject(Mask ports) {
    for_each(ports, [this](Index local) {
      const Index end = wiring_.interface_end(node_, local);
      const Word flit = links_.take(end);
      const Index packet = packet_of(flit);
      fingerprint_.crossed(wiring_.channel_of[end], packets_.key[packet], flit);
      links_.freed(end, vc_of(flit));
      if (in_window(now_ - 1)) ++results_.flits_in_window;
      PacketTimes& times = packets_.times[packet];
      if (times.destination != node_ || packets_.arrived[packet]++ != sequence_of(flit))
        throw ModelError("reference: a flit came to the wrong node or out of order");
      if (is_head(flit)) times.head_taken = now_;
      if (is_tail(flit)) finish_packet(packet);
    });
  }

  void finish_packet(Index packet) {
    PacketTimes& times = packets_.times[packet];
    times.tail_taken = now_;
    if (in_window(times.created)) {
      ++tagged_arrived_;
      last_tagged_ = now_;
      results_.total.add(now_ - times.created);
      results_.network.add(now_ - times.injected);
      results_.head.add(times.head_taken - times.created);
      if (params_.keep_packets) results_.packets.push_back(times);
    }
    packets_.remove(packet);
  }

  /// Sends a flit by one injection channel, if there is one and it may go.
  void inject(Index local) {
    const Index sender = node_ * wiring_.most_locals + local;
    const Index output = wiring_.interface_end(node_, local);
    if (busy_[sender] == 0 && !take_from_queue(sender)) return;
    if (packet_[sender] < 0 && !start_packet(sender, output)) return;
    if (!links_.can_send(output, vc_[sender])) return;
    const Index packet = packet_[sender];
    const bool head = sent_[sender] == 0;
    const bool tail = sent_[sender] + 1 == params_.length;
    if (head) packets_.times[packet].injected = now_;
    links_.send(output, make_word(packet, sent_[sender], head, tail, vc_[sender]), vc_[sender],
                false);
    ++sent_[sender];
    if (!tail) return;
    packet_[sender] = -1;
    busy_[sender] = 0;
    --to_send_[node_];
    --all_to_send_;
  }

  bool take_from_queue(Index sender) {
    std::deque<Waiting>& queue = queues_[node_];
    if (queue.empty() || queue.front().created >= now_) return false;
    current_[sender] = queue.front();
    queue.pop_front();
    busy_[sender] = 1;
    return true;
  }

  bool start_packet(Index sender, Index output) {
    const Mask free = links_.free_vcs(output);
    if (free == 0) return false;
    const Index vc = next_from(free, next_vc_[sender]);
    vc_[sender] = vc;
    next_vc_[sender] = vc + 1 == params_.vcs ? 0 : vc + 1;
    links_.claim(output, vc);
    Header header{NodeId(static_cast<int>(node_)), current_[sender].destination, 0};
    header.choice = params_.routing->choose(header.source, header.destination, choices_[node_]);
    packet_[sender] = packets_.add(header, current_[sender].created);
    sent_[sender] = 0;
    return true;
  }

  const Params& params_;
  const Wiring& wiring_;
  Packets& packets_;
  Links& links_;
  Fingerprint& fingerprint_;
  Results& results_;
  GeometricGap gap_;
  Cycle window_begin_;
  Cycle window_end_;
  Cycle now_ = 0;
  Index node_ = 0;  // in turn

  // Per node.
  Field<Random> gaps_;
  Field<Random> destinations_;
  Field<Random> choices_;
  Field<Cycle> next_packet_;           // when the source makes one
  Field<std::deque<Waiting>> queues_;  // packets that wait for an injection channel
  Field<Index> to_send_;               // packets not wholly sent
  // Per sender.
  Field<Index> busy_;
  Field<Index> packet_;  // -1 while it waits for a virtual channel
  Field<Waiting> current_;
  Field<Index> sent_;
  Field<Index> vc_;
  Field<Index> next_vc_;

  std::int64_t tagged_ = 0;  // packets made in the window
  std::int64_t tagged_arrived_ = 0;
  Cycle last_tagged_ = 0;  // when the last of them arrived
  std::int64_t all_to_send_ = 0;
};

}  // namespace flitwave::reference
