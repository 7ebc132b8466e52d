// testbenches/reference/routers.hpp: all routers, side by side: buffers, allocation, traversal.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "flitwave/configs/error.hpp"
#include "flitwave/testbenches/reference/arbiter.hpp"
#include "flitwave/testbenches/reference/fingerprint.hpp"
#include "flitwave/testbenches/reference/packets.hpp"
#include "flitwave/testbenches/reference/wiring.hpp"
#include "flitwave/testbenches/reference/word.hpp"

namespace flitwave::reference {

/// The input-queued routers of a network; docs/timing.md, "The router, exactly".
///
/// A queue is a virtual channel's buffer at an input end: end * vcs + vc. Within its router it has
/// the number port * vcs + vc.
template <class Links>
class Routers {
 public:
  Routers(const Params& params, const Wiring& wiring, Packets& packets, Links& links,
          Fingerprint& fingerprint)
      : params_(params),
        wiring_(wiring),
        packets_(packets),
        links_(links),
        fingerprint_(fingerprint),
        ports_(wiring.ports),
        vcs_(params.vcs),
        depth_(params.depth),
        ends_(wiring.nodes * wiring.ports),
        flits_(ends_ * vcs_ * depth_, no_flit),
        arrived_(ends_ * vcs_ * depth_, 0),
        first_(ends_ * vcs_, 0),
        count_(ends_ * vcs_, 0),
        stage_(ends_ * vcs_, Stage::idle),
        ready_at_(ends_ * vcs_, 0),
        output_(ends_ * vcs_, -1),
        output_vc_(ends_ * vcs_, -1),
        next_vc_(ends_ * vcs_, 0),
        routes_(ends_ * vcs_, Route()),
        heads_(ends_, 0),
        active_(ends_, 0),
        head_ports_(wiring.nodes, 0),
        active_ports_(wiring.nodes, 0),
        vc_arbiters_(params, "vc arbiter", places(true), ports_ * vcs_),
        input_arbiters_(params, "input arbiter", places(false), vcs_),
        output_arbiters_(params, "output arbiter", places(false), ports_),
        nominee_(ports_, -1),
        nominators_(ports_, 0) {
    const int classes = params.routing->vc_classes();
    class_vcs_ = Field<Mask>(classes, 0);
    for (int vc = 0; vc < vcs_; ++vc) {
      class_of_.push_back(class_of_vc(vc, classes, vcs_));
      class_vcs_[class_of_[vc]] |= bit(vc);
    }
  }

  /// One cycle of one router.
  void tick(int router, Cycle now) {
    now_ = now;
    router_ = router;
    first_end_ = wiring_.router_end(router, 0);
    if (const Mask ports = links_.arrivals(router)) accept(ports);
    links_.collect(router);
    if (head_ports_[router] != 0) allocate_vcs();
    if (active_ports_[router] != 0) allocate_switch();
    links_.choose(router);
  }

  /// Cycles for which heads of packets made in begin .. end - 1 waited beyond the pipeline.
  Cycle blocked() const { return blocked_; }
  void count_blocked(Cycle begin, Cycle end) {
    window_begin_ = begin;
    window_end_ = end;
  }

 private:
  enum class Stage : std::uint8_t {
    idle,     // no packet at the front
    routing,  // a head that waits for its route
    waiting,  // a head with a route that waits for a virtual channel
    active,   // the packet at the front holds a virtual channel of an output
  };
  struct Claim {
    int queue;
    int output;  // end * vcs + vc; -1 once settled
  };

  /// The arbiters' numbers among random streams.
  std::vector<std::uint64_t> places(bool per_vc) const {
    std::vector<std::uint64_t> places;
    for (int node = 0; node < wiring_.nodes; ++node)
      for (int port = 0; port < ports_; ++port) {
        const auto place = static_cast<std::uint64_t>(node * 64 + port);
        if (!per_vc) places.push_back(place);
        for (int vc = 0; per_vc && vc < vcs_; ++vc)
          places.push_back(place * 64 + static_cast<std::uint64_t>(vc));
      }
    return places;
  }

  int front(int queue) const { return queue * depth_ + first_[queue]; }
  int queue_of(int port, int vc) const { return (first_end_ + port) * vcs_ + vc; }
  int number_of(int queue) const { return queue - first_end_ * vcs_; }

  // Channels -> buffers.
  void accept(Mask ports) {
    for_each(ports, [this](int port) {
      const int end = first_end_ + port;
      const Word flit = links_.take(end);
      fingerprint_.crossed(wiring_.channel_of[end], packets_.key[packet_of(flit)], flit);
      const int vc = vc_of(flit);
      const int queue = end * vcs_ + vc;
      if (count_[queue] == depth_) throw ModelError("reference: a flit came to a full buffer");
      int place = first_[queue] + count_[queue]++;
      if (place >= depth_) place -= depth_;
      flits_[queue * depth_ + place] = flit;
      arrived_[queue * depth_ + place] = now_;
      if (stage_[queue] == Stage::active) {
        active_[end] |= bit(vc);
        active_ports_[router_] |= bit(port);
      } else if (stage_[queue] == Stage::idle) {
        start_packet(port, vc);
      }
    });
  }

  /// A head has come to the front of its buffer.
  void start_packet(int port, int vc) {
    const int queue = queue_of(port, vc);
    if (!is_head(flits_[front(queue)])) throw ModelError("reference: a packet without its head");
    stage_[queue] = Stage::routing;
    ready_at_[queue] = now_ + params_.route;
    heads_[first_end_ + port] |= bit(vc);
    head_ports_[router_] |= bit(port);
  }

  // Heads -> routes -> virtual channels.
  void allocate_vcs() {
    claims_.clear();
    for_each(head_ports_[router_], [this](int port) {
      for_each(heads_[first_end_ + port], [&](int vc) {
        const int queue = queue_of(port, vc);
        if (!may_claim(queue, port, vc)) return;
        const int output = wanted(queue, port);
        if (output >= 0) claims_.push_back({queue, output});
      });
    });
    if (claims_.size() == 1)
      grant(claims_[0]);
    else
      settle();
  }

  bool may_claim(int queue, int port, int vc) {
    if (now_ < ready_at_[queue]) return false;
    if (stage_[queue] == Stage::routing) {
      Arrival arrival;
      if (port < wiring_.network_ports) arrival = {PortId(port), class_of_[vc]};
      Route& route = routes_[queue];
      route.clear();
      params_.routing->route(NodeId(router_), arrival,
                             packets_.header[packet_of(flits_[front(queue)])], route);
      stage_[queue] = Stage::waiting;
      ready_at_[queue] += params_.vc;
    }
    return now_ >= ready_at_[queue];
  }

  /// The virtual channel (output end * vcs + vc) that a head claims, or -1 when none is free.
  int wanted(int queue, int port) const {
    for (const Candidate& candidate : routes_[queue].candidates()) {
      if (!candidate.local()) {
        const int output = first_end_ + candidate.port.value();
        const Mask free = links_.free_vcs(output) & class_vcs_[candidate.vc_class];
        if (free != 0) return output * vcs_ + next_from(free, next_vc_[queue]);
        continue;
      }
      const int locals = wiring_.locals[router_];
      for (int i = 0; i < locals; ++i) {
        const int output = first_end_ + wiring_.network_ports + (port + i) % locals;
        const Mask free = links_.free_vcs(output);
        if (free != 0) return output * vcs_ + next_from(free, next_vc_[queue]);
      }
    }
    return -1;
  }

  /// Every virtual channel that is claimed goes to one of those that claim it.
  void settle() {
    for (std::size_t i = 0; i < claims_.size(); ++i) {
      const int output = claims_[i].output;
      if (output < 0) continue;
      requests_.clear();
      for (std::size_t j = i; j < claims_.size(); ++j) {
        if (claims_[j].output != output) continue;
        const int queue = claims_[j].queue;
        requests_.push_back({number_of(queue), ready_at_[queue], created(queue)});
        claims_[j].output = -1;
      }
      const std::size_t winner = requests_.size() == 1 ? 0 : vc_arbiters_.pick(output, requests_);
      grant({first_end_ * vcs_ + requests_[winner].number, output});
    }
  }

  Cycle created(int queue) const { return packets_.times[packet_of(flits_[front(queue)])].created; }

  void grant(const Claim& claim) {
    const int queue = claim.queue;
    const int port = number_of(queue) / vcs_;
    const int vc = number_of(queue) % vcs_;
    const int output = claim.output / vcs_;
    const int output_vc = claim.output % vcs_;
    note_wait(queue);
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

  void note_wait(int queue) {
    const Cycle waited = now_ - ready_at_[queue];
    if (waited == 0) return;
    const Cycle made = created(queue);
    if (made >= window_begin_ && made < window_end_) blocked_ += waited;
  }

  // Buffers -> switch -> channels.
  void allocate_switch() {
    Mask requested = 0;
    for_each(active_ports_[router_], [&](int port) {
      const Mask vcs = sendable(port);
      if (vcs == 0) return;
      const int vc = (vcs & (vcs - 1)) == 0 ? lowest(vcs) : nominate(port, vcs);
      nominee_[port] = vc;
      const int output = output_[queue_of(port, vc)];
      nominators_[output] |= bit(port);
      requested |= bit(output);
    });
    for_each(requested, [this](int output) {
      const Mask ports = nominators_[output];
      nominators_[output] = 0;
      const int port = (ports & (ports - 1)) == 0 ? lowest(ports) : choose(output, ports);
      traverse(port, nominee_[port], output);
    });
  }

  /// The virtual channels of an input whose front flit may leave now.
  Mask sendable(int port) const {
    Mask vcs = 0;
    for_each(active_[first_end_ + port], [&](int vc) {
      const int queue = queue_of(port, vc);
      const int place = front(queue);
      const Cycle from =
          is_head(flits_[place]) ? ready_at_[queue] : arrived_[place] + params_.passage;
      if (from <= now_ && links_.can_send(first_end_ + output_[queue], output_vc_[queue]))
        vcs |= bit(vc);
    });
    return vcs;
  }

  int nominate(int port, Mask vcs) {
    requests_.clear();
    for_each(vcs, [&](int vc) {
      const int queue = queue_of(port, vc);
      requests_.push_back({vc, arrived_[front(queue)], created(queue)});
    });
    return requests_[input_arbiters_.pick(first_end_ + port, requests_)].number;
  }

  int choose(int output, Mask ports) {
    requests_.clear();
    for_each(ports, [&](int port) {
      const int queue = queue_of(port, nominee_[port]);
      requests_.push_back({port, arrived_[front(queue)], created(queue)});
    });
    return requests_[output_arbiters_.pick(first_end_ + output, requests_)].number;
  }

  void traverse(int port, int vc, int output) {
    const int queue = queue_of(port, vc);
    const Word flit = flits_[front(queue)];
    if (is_head(flit)) note_wait(queue);
    if (++first_[queue] == depth_) first_[queue] = 0;
    const bool empty = --count_[queue] == 0;
    links_.freed(first_end_ + port, vc);
    links_.send(first_end_ + output, with_vc(flit, output_vc_[queue]), true);
    input_arbiters_.served(first_end_ + port, vc);
    output_arbiters_.served(first_end_ + output, port);
    if (!empty && !is_tail(flit)) return;
    if ((active_[first_end_ + port] &= ~bit(vc)) == 0) active_ports_[router_] &= ~bit(port);
    if (!is_tail(flit)) return;
    stage_[queue] = Stage::idle;
    if (!empty) start_packet(port, vc);
  }

  const Params& params_;
  const Wiring& wiring_;
  Packets& packets_;
  Links& links_;
  Fingerprint& fingerprint_;
  const int ports_;
  const int vcs_;
  const int depth_;
  const int ends_;
  Cycle now_ = 0;
  int router_ = 0;     // in turn
  int first_end_ = 0;  // of the router in turn

  // Per queue.
  Field<Word> flits_;     // Shape: [queues][depth]
  Field<Cycle> arrived_;  // Shape: [queues][depth]
  Field<int> first_;
  Field<int> count_;
  Field<Stage> stage_;
  Field<Cycle> ready_at_;  // when the current stage can end at the earliest
  Field<int> output_;      // port, when active
  Field<int> output_vc_;   // when active
  Field<int> next_vc_;     // where the search for a free virtual channel starts
  Field<Route> routes_;    // when waiting

  // Per input end: virtual channels routing or waiting; active ones with flits.
  Field<Mask> heads_;
  Field<Mask> active_;
  // Per router: the ports where there are some.
  Field<Mask> head_ports_;
  Field<Mask> active_ports_;

  Field<int> class_of_;       // per virtual channel
  Field<Mask> class_vcs_;     // per class
  Arbiters vc_arbiters_;      // per output end and virtual channel
  Arbiters input_arbiters_;   // per end
  Arbiters output_arbiters_;  // per end
  Cycle window_begin_ = 0;
  Cycle window_end_ = 0;
  Cycle blocked_ = 0;
  // Scratch of one router's turn.
  std::vector<Claim> claims_;
  std::vector<Request> requests_;
  Field<int> nominee_;
  Field<Mask> nominators_;
};

}  // namespace flitwave::reference
