// testbenches/reference/networks/interfaces.hpp: the interfaces of all nodes of a buffered network.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbenches/reference/message_vcs.hpp"
#include "testbenches/reference/packets.hpp"
#include "testbenches/reference/sinks.hpp"
#include "testbenches/reference/sources.hpp"
#include "testbenches/reference/stores.hpp"
#include "testbenches/reference/wiring.hpp"
#include "testbenches/reference/word.hpp"

namespace flitwave::reference {

/// Send packets flit by flit into the network and eject arriving ones.
///
/// A local port is node * most_locals + local port. It has a sender for each message class: port *
/// classes + class. The senders of a port take turns.
/// `Whole`: a packet is sent only with space for all its flits.
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
        classes_(params.routing->message_classes()),
        class_vcs_(vcs_of_messages(*params.routing, params.vcs)),
        stores_(params, wiring),
        to_send_(wiring.nodes, 0),
        next_class_(wiring.nodes * wiring.most_locals, 0),
        busy_(wiring.nodes * wiring.most_locals * classes_, 0),
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
      if (sources_.due(node, now) || to_send_[node] > 0 || stores_.any(node) ||
          links_.any(wiring_.nodes + node))
        tick_one(node);
  }

  /// Creates no more packets and drops those that no injection channel has begun.
  void stop() {
    stores_.take_all();
    for (Index node = 0; node < wiring_.nodes; ++node) {
      const Index dropped = sources_.stop(node);
      to_send_[node] -= dropped;
      all_to_send_ -= dropped;
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
      for (const Index local : sources_.received()) stores_.release(node, local, now_ + 1);
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
      sinks_.cross(wiring_.channel_of[end], flit, now_);
      if (stores_.used())
        stores_.put(node_, local, flit, is_request(flit));
      else
        take(local, end, flit);
    });
    if (!stores_.any(node_)) return;
    for (Index local = 0; local < wiring_.locals[node_]; ++local)
      if (stores_.can_take(node_, local, now_)) {
        const Word flit = stores_.next(node_, local);
        take(local, wiring_.interface_end(node_, local), flit);
      }
  }

  bool is_request(Word flit) const { return !packets_.message[packet_of(flit)].reply; }

  void take(Index local, Index end, Word flit) {
    links_.freed(end, vc_of(flit));
    const Waiting message = packets_.message[packet_of(flit)];
    const Index source = packets_.times[packet_of(flit)].source;
    sinks_.take(node_, flit, now_);
    if (!is_tail(flit)) return;
    stores_.hold(node_, local);
    sources_.arrived(node_, local, message, source, now_);
  }

  /// Sends a flit on one injection channel, if one is allowed.
  void inject(Index local) {
    const Index port = node_ * wiring_.most_locals + local;
    for (Index i = 0; i < classes_; ++i) {
      const Index message_class = (next_class_[port] + i) % classes_;
      if (!send(local, port * classes_ + message_class, message_class)) continue;
      next_class_[port] = (message_class + 1) % classes_;
      return;
    }
  }

  bool send(Index local, Index sender, Index message_class) {
    const Index output = wiring_.interface_end(node_, local);
    if (busy_[sender] == 0 && !take_from_queue(sender, message_class)) return false;
    if (packet_[sender] < 0 && !start_packet(sender, output, message_class)) return false;
    if (!links_.can_send(output, vc_[sender])) return false;
    const Index packet = packet_[sender];
    const bool head = sent_[sender] == 0;
    const bool tail = sent_[sender] + 1 == current_[sender].length;
    if (head) packets_.times[packet].injected = now_;
    links_.send(output, make_word(packet, sent_[sender], head, tail, vc_[sender]), vc_[sender],
                false);
    ++sent_[sender];
    if (tail) end_packet(sender);
    return true;
  }

  void end_packet(Index sender) {
    packet_[sender] = -1;
    busy_[sender] = 0;
    --to_send_[node_];
    --all_to_send_;
    if (current_[sender].reply) stores_.replied(node_);
  }

  bool take_from_queue(Index sender, Index message_class) {
    if (!sources_.ready(node_, now_, message_class)) return false;
    current_[sender] = sources_.pop(node_, message_class);
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

  bool start_packet(Index sender, Index output, Index message_class) {
    Mask free = links_.free_vcs(output) & class_vcs_[message_class];
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
  Index node_ = 0;  // current node

  const Index classes_;    // of messages
  Field<Mask> class_vcs_;  // per class
  Stores stores_;

  // Per node.
  Field<Random> choices_;
  Field<Index> to_send_;     // packets not completely sent
  Field<Index> next_class_;  // per local port: the class with priority
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
