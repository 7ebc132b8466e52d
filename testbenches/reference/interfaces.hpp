// testbenches/reference/interfaces.hpp: all interfaces of buffered networks, side by side.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "flitwave/testbenches/reference/packets.hpp"
#include "flitwave/testbenches/reference/sinks.hpp"
#include "flitwave/testbenches/reference/sources.hpp"
#include "flitwave/testbenches/reference/wiring.hpp"
#include "flitwave/testbenches/reference/word.hpp"

namespace flitwave::reference {

/// Send packets flit by flit into the network, and take out what arrives.
///
/// A sender is one injection channel: node * most_locals + local port.
/// `Whole`: a packet is sent only where it has room as a whole.
template <class Links, bool Whole>
class Interfaces {
 public:
  Interfaces(const Params& params, const Wiring& wiring, Packets& packets, Links& links,
             Sinks& sinks, const Window& window)
      : params_(params),
        wiring_(wiring),
        packets_(packets),
        links_(links),
        sources_(params, window),
        sinks_(sinks),
        to_send_(wiring.nodes, 0),
        busy_(wiring.nodes * wiring.most_locals, 0),
        packet_(busy_.size(), -1),
        current_(busy_.size(), Waiting()),
        sent_(busy_.size(), 0),
        vc_(busy_.size(), 0),
        next_vc_(busy_.size(), 0) {
    for (Index node = 0; node < wiring.nodes; ++node)
      choices_.push_back(Random(params.seed, "routing choice", static_cast<std::uint64_t>(node)));
  }

  /// One cycle of all nodes.
  [[gnu::noinline]] void tick(Cycle now) {
    now_ = now;
    for (Index node = 0; node < wiring_.nodes; ++node)
      if (sources_.due(node, now) || to_send_[node] > 0 || links_.any(wiring_.nodes + node))
        tick_one(node);
  }

  /// No more packets are made, and those that no injection channel has begun are forgotten.
  void stop() {
    for (Index node = 0; node < wiring_.nodes; ++node) {
      const Index forgotten = sources_.stop(node);
      to_send_[node] -= forgotten;
      all_to_send_ -= forgotten;
    }
  }
  const Sources& sources() const { return sources_; }
  bool at_rest() const { return all_to_send_ == 0 && packets_.inside() == 0; }

 private:
  void tick_one(Index node) {
    node_ = node;
    const Index unit = wiring_.nodes + node;
    if (sources_.due(node, now_)) {
      const Index made = sources_.make(node, now_);
      to_send_[node] += made;
      all_to_send_ += made;
    }
    links_.collect(unit);
    eject(links_.arrivals(unit));
    if (to_send_[node] > 0)
      for (Index local = 0; local < wiring_.locals[node]; ++local) inject(local);
    links_.choose(unit);
  }

  void eject(Mask ports) {
    for_each(ports, [this](Index local) {
      const Index end = wiring_.interface_end(node_, local);
      const Word flit = links_.take(end);
      links_.freed(end, vc_of(flit));
      sinks_.take(node_, wiring_.channel_of[end], flit, now_);
    });
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
    const bool tail = sent_[sender] + 1 == current_[sender].length;
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
    if (!sources_.ready(node_, now_)) return false;
    current_[sender] = sources_.pop(node_);
    busy_[sender] = 1;
    return true;
  }

  Mask with_slot(Mask vcs, Index output) const {
    Mask found = 0;
    for_each(vcs, [&](Index vc) {
      if (links_.can_send(output, vc)) found |= bit(vc);
    });
    return found;
  }

  bool start_packet(Index sender, Index output) {
    Mask free = links_.free_vcs(output);
    if constexpr (Whole) free = links_.with_room(free, -1, output, current_[sender].length);
    if (params_.injects_with_room) free = with_slot(free, output);
    if (free == 0) return false;
    const Index vc = next_from(free, next_vc_[sender]);
    vc_[sender] = vc;
    next_vc_[sender] = vc + 1 == params_.vcs ? 0 : vc + 1;
    links_.claim(output, vc);
    packet_[sender] = packets_.add(*params_.routing, node_, current_[sender], choices_[node_]);
    sent_[sender] = 0;
    return true;
  }

  const Params& params_;
  const Wiring& wiring_;
  Packets& packets_;
  Links& links_;
  Sources sources_;
  Sinks& sinks_;
  Cycle now_ = 0;
  Index node_ = 0;  // in turn

  // Per node.
  Field<Random> choices_;
  Field<Index> to_send_;  // packets not wholly sent
  // Per sender.
  Field<Index> busy_;
  Field<Index> packet_;  // -1 while it waits for a virtual channel
  Field<Waiting> current_;
  Field<Index> sent_;
  Field<Index> vc_;
  Field<Index> next_vc_;

  std::int64_t all_to_send_ = 0;
};

}  // namespace flitwave::reference
