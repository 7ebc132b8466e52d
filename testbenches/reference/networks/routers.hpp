// testbenches/reference/networks/routers.hpp: all routers with merged stages: buffers, allocation,
// traversal.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "configs/error.hpp"
#include "testbenches/reference/arbiter.hpp"
#include "testbenches/reference/fingerprint.hpp"
#include "testbenches/reference/message_vcs.hpp"
#include "testbenches/reference/packets.hpp"
#include "testbenches/reference/window.hpp"
#include "testbenches/reference/wiring.hpp"
#include "testbenches/reference/word.hpp"

namespace flitwave::reference {

/// The input-queued routers of a network; docs/timing.md, "The router, exactly".
///
/// A queue is a virtual channel's buffer at an input end: end * vcs + vc. Within its router it has
/// the number port * vcs + vc.
/// `FixedVcs`: the number of virtual channels if it is known at compile time, else 0.
template <class Links, Index FixedVcs, Switching Kind>
class Routers {
 public:
  Routers(const Params& params, const Wiring& wiring, Packets& packets, Links& links,
          Fingerprint& fingerprint, Window& window)
      : params_(params),
        wiring_(wiring),
        packets_(packets),
        links_(links),
        fingerprint_(fingerprint),
        window_(window),
        ports_(wiring.ports),
        vcs_(params.vcs),
        depth_(params.depth),
        ends_(wiring.nodes * wiring.ports),
        turn_(positions_for(depth_) - 1),
        flits_(ends_ * vcs_ * (turn_ + 1), no_flit),
        arrived_(ends_ * vcs_ * (turn_ + 1), 0),
        front_(ends_ * vcs_, 0),
        back_(ends_ * vcs_, 0),
        count_(ends_ * vcs_, 0),
        tails_(stores ? ends_ * vcs_ : 0, 0),
        stage_(ends_ * vcs_, Stage::idle),
        ready_at_(ends_ * vcs_, 0),
        first_try_(ends_ * vcs_, 0),
        output_(ends_ * vcs_, -1),
        output_vc_(ends_ * vcs_, -1),
        next_vc_(ends_ * vcs_, 0),
        routes_(ends_ * vcs_, Route()),
        heads_(ends_, 0),
        active_(ends_, 0),
        head_ports_(wiring.nodes, 0),
        active_ports_(wiring.nodes, 0),
        vc_arbiters_(params, "vc arbiter", streams_of_vcs(wiring, params.vcs), ports_ * vcs_),
        input_arbiters_(params, "input arbiter", streams_of_ports(wiring), vcs_),
        output_arbiters_(params, "output arbiter", streams_of_ports(wiring), ports_),
        nominee_(ports_, -1),
        nominators_(ports_, 0) {
    for (Index queue = 0; queue < ends_ * vcs_; ++queue)
      front_[queue] = back_[queue] = queue * (turn_ + 1);
    const int classes = params.routing->vc_classes();
    class_vcs_ = Field<Mask>(classes, 0);
    for (int vc = 0; vc < params.vcs; ++vc) {
      class_of_.push_back(params.routing->class_of_vc(vc, params.vcs));
      class_vcs_[class_of_[vc]] |= bit(vc);
    }
    local_vcs_ = vcs_of_messages(*params.routing, params.vcs);
  }

  /// One cycle of all routers.
  [[gnu::noinline]] void tick(Cycle now) {
    now_ = now;
    for (Index router = 0; router < wiring_.nodes; ++router)
      if (links_.any(router) || (head_ports_[router] | active_ports_[router]) != 0)
        tick_one(router);
  }

 private:
  static constexpr bool whole = moves_whole_packets(Kind);
  static constexpr bool stores = Kind == Switching::store_and_forward;
  enum class Stage : std::uint8_t {
    idle,     // no packet at the front
    routing,  // a head that waits for its route
    waiting,  // a head with a route that waits for a virtual channel
    active,   // the packet at the front holds a virtual channel of an output
  };
  struct Claim {
    Index queue;
    Index output;  // end * vcs + vc; -1 once granted
  };

  void tick_one(Index router) {
    router_ = router;
    first_end_ = wiring_.router_end(router, 0);
    accept(links_.arrivals(router));
    links_.collect(router);
    if (head_ports_[router] != 0) allocate_vcs();
    if (active_ports_[router] != 0) allocate_switch();
    links_.choose(router);
  }

  static Index positions_for(Index flits) {
    Index positions = 1;
    while (positions < flits) positions *= 2;
    return positions;
  }
  /// Calls `visit(virtual channel)` for every member.
  template <class Visit>
  static void for_each_vc(Mask vcs, Visit visit) {
    if constexpr (FixedVcs == 1) {
      if (vcs != 0) visit(0);
    } else {
      for_each(vcs, visit);
    }
  }
  /// The position after another one in the buffer of its queue.
  Index after(Index position) const { return (position & ~turn_) | ((position + 1) & turn_); }
  Index queue_of(Index port, Index vc) const { return (first_end_ + port) * vcs_ + vc; }
  Index number_of(Index queue) const { return queue - first_end_ * vcs_; }

  // Channels -> buffers.
  void accept(Mask ports) {
    for_each(ports, [this](Index port) {
      const Index end = first_end_ + port;
      const Word flit = links_.take(end);
      fingerprint_.crossed(wiring_.channel_of[end], packets_.key[packet_of(flit)], flit);
      const Index vc = FixedVcs == 1 ? 0 : vc_of(flit);
      const Index queue = end * vcs_ + vc;
      if (++count_[queue] > depth_) throw ModelError("reference: flit at a full buffer");
      const Index position = back_[queue];
      back_[queue] = after(position);
      flits_[position] = flit;
      arrived_[position] = now_;
      if constexpr (stores)
        if ((tails_[queue] += is_tail(flit) ? 1 : 0) == 0) return;
      if (stage_[queue] == Stage::active) {
        active_[end] |= bit(vc);
        active_ports_[router_] |= bit(port);
      } else if (stage_[queue] == Stage::idle) {
        start_packet(queue, port, vc, now_);
      }
    });
  }

  /// A head has reached the front of its buffer. `first_try`: cycle of its first request.
  void start_packet(Index queue, Index port, Index vc, Cycle first_try) {
    if (!is_head(flits_[front_[queue]])) throw ModelError("reference: a packet without its head");
    stage_[queue] = Stage::routing;
    ready_at_[queue] = now_ + params_.route;
    first_try_[queue] = first_try;
    heads_[first_end_ + port] |= bit(vc);
    head_ports_[router_] |= bit(port);
  }

  // Heads -> routes -> virtual channels.
  void allocate_vcs() {
    claims_.clear();
    for_each(head_ports_[router_], [this](Index port) {
      for_each_vc(heads_[first_end_ + port], [&](Index vc) {
        const Index queue = queue_of(port, vc);
        if (!may_claim(queue, port, vc)) return;
        const Index output = wanted(queue, port);
        if (output >= 0) claims_.push_back({queue, output});
      });
    });
    if (claims_.size() == 1)
      grant(claims_[0]);
    else
      grant_all();
  }

  bool may_claim(Index queue, Index port, Index vc) {
    if (now_ < ready_at_[queue]) return false;
    if (stage_[queue] == Stage::routing) {
      Arrival arrival;
      if (port < wiring_.network_ports) arrival = {PortId(static_cast<int>(port)), class_of_[vc]};
      Route& route = routes_[queue];
      route.clear();
      params_.routing->route(NodeId(static_cast<int>(router_)), arrival,
                             packets_.header[packet_of(flits_[front_[queue]])], route);
      stage_[queue] = Stage::waiting;
      ready_at_[queue] += params_.vc;
    }
    return now_ >= ready_at_[queue];
  }

  /// The virtual channel (output end * vcs + vc) that a head claims, or -1 when none is free.
  Index wanted(Index queue, Index port) const {
    for (const Candidate& candidate : routes_[queue].candidates()) {
      if (!candidate.local()) {
        const Index output = first_end_ + candidate.port.value();
        const Mask free =
            with_room(links_.free_vcs(output) & class_vcs_[candidate.vc_class], queue, output);
        if (free != 0) return output * vcs_ + next_from(free, next_vc_[queue]);
        continue;
      }
      const Index locals = wiring_.locals[router_];
      for (Index i = 0; i < locals; ++i) {
        const Index output = first_end_ + wiring_.network_ports + (port + i) % locals;
        const Mask free =
            with_room(links_.free_vcs(output) & local_vcs_[candidate.vc_class], queue, output);
        if (free != 0) return output * vcs_ + next_from(free, next_vc_[queue]);
      }
    }
    return -1;
  }

  /// Those of `vcs` whose buffer has space for the packet at the front of a queue.
  Mask with_room(Mask vcs, Index queue, Index output) const {
    if constexpr (!whole) return vcs;
    const Index packet = packet_of(flits_[front_[queue]]);
    return links_.with_room(vcs, queue / vcs_, output, packets_.length[packet]);
  }

  /// Grants every claimed virtual channel to one of its claims.
  void grant_all() {
    for (std::size_t i = 0; i < claims_.size(); ++i) {
      const Index output = claims_[i].output;
      if (output < 0) continue;
      requests_.clear();
      for (std::size_t j = i; j < claims_.size(); ++j) {
        if (claims_[j].output != output) continue;
        const Index queue = claims_[j].queue;
        requests_.push_back({number_of(queue), ready_at_[queue], created(queue)});
        claims_[j].output = -1;
      }
      const std::size_t winner = requests_.size() == 1 ? 0 : vc_arbiters_.pick(output, requests_);
      grant({first_end_ * vcs_ + requests_[winner].number, output});
    }
  }

  Cycle created(Index queue) const {
    return packets_.times[packet_of(flits_[front_[queue]])].created;
  }

  void grant(const Claim& claim) {
    const Index queue = claim.queue;
    const Index port = number_of(queue) / vcs_;
    const Index vc = number_of(queue) % vcs_;
    const Index output = claim.output / vcs_;
    const Index output_vc = claim.output % vcs_;
    note_wait(queue, std::max(ready_at_[queue], first_try_[queue]));
    links_.claim(output, output_vc);
    vc_arbiters_.served(claim.output, number_of(queue));
    output_[queue] = output - first_end_;
    output_vc_[queue] = output_vc;
    next_vc_[queue] = output_vc + 1 == vcs_ ? 0 : output_vc + 1;
    stage_[queue] = Stage::active;
    ready_at_[queue] = now_ + params_.passage;
    if ((heads_[first_end_ + port] &= ~bit(vc)) == 0) head_ports_[router_] &= ~bit(port);
    active_[first_end_ + port] |= bit(vc);
    active_ports_[router_] |= bit(port);
  }

  void note_wait(Index queue, Cycle since) {
    if (now_ > since) window_.add_blocked(created(queue), now_ - since);
  }

  // Buffers -> switch -> channels.
  void allocate_switch() {
    const Mask active = active_ports_[router_];
    if ((active & (active - 1)) == 0) {  // no competitor
      const Index port = lowest(active);
      if (const Mask vcs = sendable(port)) traverse(port, nominate(port, vcs));
      return;
    }
    Mask requested = 0;
    for_each(active, [&](Index port) {
      const Mask vcs = sendable(port);
      if (vcs == 0) return;
      nominee_[port] = nominate(port, vcs);
      const Index output = output_[queue_of(port, nominee_[port])];
      nominators_[output] |= bit(port);
      requested |= bit(output);
    });
    for_each(requested, [this](Index output) {
      const Index port = choose(output, nominators_[output]);
      nominators_[output] = 0;
      traverse(port, nominee_[port]);
    });
  }

  /// The virtual channels of an input whose front flit may leave in this cycle.
  Mask sendable(Index port) const {
    Mask vcs = 0;
    for_each_vc(active_[first_end_ + port], [&](Index vc) {
      const Index queue = queue_of(port, vc);
      const Index position = front_[queue];
      const Cycle from =
          is_head(flits_[position]) ? ready_at_[queue] : arrived_[position] + params_.passage;
      if (from <= now_ && links_.can_send(first_end_ + output_[queue], output_vc_[queue]))
        vcs |= bit(vc);
    });
    return vcs;
  }

  Index nominate(Index port, Mask vcs) {
    if (FixedVcs == 1) return 0;
    if ((vcs & (vcs - 1)) == 0) return lowest(vcs);
    requests_.clear();
    for_each(vcs, [&](Index vc) {
      const Index queue = queue_of(port, vc);
      requests_.push_back({vc, arrived_[front_[queue]], created(queue)});
    });
    return requests_[input_arbiters_.pick(first_end_ + port, requests_)].number;
  }

  Index choose(Index output, Mask ports) {
    if ((ports & (ports - 1)) == 0) return lowest(ports);
    requests_.clear();
    for_each(ports, [&](Index port) {
      const Index queue = queue_of(port, nominee_[port]);
      requests_.push_back({port, arrived_[front_[queue]], created(queue)});
    });
    return requests_[output_arbiters_.pick(first_end_ + output, requests_)].number;
  }

  void traverse(Index port, Index vc) {
    const Index queue = queue_of(port, vc);
    const Index position = front_[queue];
    const Word flit = flits_[position];
    const Index output = output_[queue];
    const Index output_vc = output_vc_[queue];
    if (is_head(flit)) note_wait(queue, ready_at_[queue]);
    front_[queue] = after(position);
    const bool empty = --count_[queue] == 0;
    links_.freed(first_end_ + port, vc);
    links_.send(first_end_ + output, with_vc(flit, output_vc), output_vc, true);
    if (FixedVcs != 1) input_arbiters_.served(first_end_ + port, vc);
    output_arbiters_.served(first_end_ + output, port);
    if (!empty && !is_tail(flit)) return;
    if ((active_[first_end_ + port] &= ~bit(vc)) == 0) active_ports_[router_] &= ~bit(port);
    if (!is_tail(flit)) return;
    stage_[queue] = Stage::idle;
    if constexpr (stores)
      if (--tails_[queue] == 0) return;
    if (!empty) start_packet(queue, port, vc, now_ + 1);
  }

  const Params& params_;
  const Wiring& wiring_;
  Packets& packets_;
  Links& links_;
  Fingerprint& fingerprint_;
  Window& window_;
  const Index ports_;
  const Count<FixedVcs> vcs_;
  const Index depth_;
  const Index ends_;
  const Index turn_;  // positions in a buffer, a power of two, minus one
  Cycle now_ = 0;
  Index router_ = 0;     // current
  Index first_end_ = 0;  // of the current router

  // Per queue.
  Field<Word> flits_;     // Shape: [queues][turn + 1]
  Field<Cycle> arrived_;  // Shape: [queues][turn + 1]
  Field<Index> front_;    // position of the first flit
  Field<Index> back_;     // position of the next flit
  Field<Index> count_;
  Field<Index> tails_;  // store and forward: number of whole packets
  Field<Stage> stage_;
  Field<Cycle> ready_at_;   // earliest end of the current stage
  Field<Cycle> first_try_;  // first request of the head
  Field<Index> output_;     // port, when active
  Field<Index> output_vc_;  // when active
  Field<Index> next_vc_;    // start of the search for a free virtual channel
  Field<Route> routes_;     // when waiting

  // Per input end: virtual channels routing or waiting; active ones with flits.
  Field<Mask> heads_;
  Field<Mask> active_;
  // Per router: the ports with any.
  Field<Mask> head_ports_;
  Field<Mask> active_ports_;

  Field<int> class_of_;       // per virtual channel
  Field<Mask> class_vcs_;     // per class
  Field<Mask> local_vcs_;     // per message class, towards interfaces
  Arbiters vc_arbiters_;      // per output end and virtual channel
  Arbiters input_arbiters_;   // per end
  Arbiters output_arbiters_;  // per end
  // Scratch space for one router.
  std::vector<Claim> claims_;
  std::vector<Request> requests_;
  Field<Index> nominee_;
  Field<Mask> nominators_;
};

}  // namespace flitwave::reference
